/**
 * @file job_line.h
 * Parses the job's command line, as the launcher of its process manager parses it: options and
 * programs.
 */
#pragma once

#include "model/util/base.h"
#include "src/mpi/process_manager.h"

/** An option of the command line. name NULL: end of the options of the first section. */
struct job_option {
    const char *name; /* the option without its dashes; may contain "=VALUE" */
    int words;        /* number of words, including the option */
    enum job_option_use use;
};

/** Parse the option at this word; `words` is 0 at a program or at the end. */
struct job_option job_line_option(char *const *argument);
/** Begin to iterate over the options of all sections. */
char *const *job_line_begin(char *const *mpiexec);
/** Move `argument` to the next option, whose words the caller adds; 0 words: end. */
struct job_option job_line_next(char *const **argument);
/** Is the option one of these names (NULL-terminated)? */
bool job_option_is(const struct job_option *option, const char *const *names);
/** The option's value; NULL: none. */
const char *job_option_value(const struct job_option *option, char *const *argument);

enum job_line_kind { JOB_LINE_JOB, JOB_LINE_HELP, JOB_LINE_REFUSED };
/** @param checked   refuse options that this MPI cannot handle
 * @param sentence  why the job is refused */
enum job_line_kind job_line_kind(char *const *mpiexec, bool checked, char *sentence, size_t size);
/** Are the programs on the command line, by their paths or names in PATH? */
bool job_line_names_programs(char *const *mpiexec);
/** The program of the first section with its arguments: an owned list, empty if there is no
 * program. NULL: no memory. */
char **job_line_program(char *const *mpiexec);
/** The folder of -wdir, or NULL. */
const char *job_line_folder(char *const *mpiexec);
/** Is there one program, so that the line can be given another number of processes? */
bool job_line_can_resize(char *const *mpiexec);
/** Number of processes of the first program; 0: none is given. */
int64_t job_line_processes(char *const *mpiexec);
/** The line with another number of processes, an owned list of owned words. NULL: no memory.
 * @param processes  0: as the line says
 * @param hosts      "host0:2,host1:1", replaces all options that name hosts; "": as the line
 *   says */
char **job_line_resized(char *const *mpiexec, int64_t processes, const char *hosts);
/** The command to execute, an owned list of owned words: each program under a guard; options that
 * withhold variables are replaced by equivalent ones that also work for spawned processes and that
 * pass the variables which Nereus needs. NULL: no memory.
 * @param guard  NULL: no guards
 * @param options  further ones for mpiexec, NULL-terminated; NULL: none */
char **job_line_to_start(char *const *mpiexec, char *const *environment, const char *guard,
                         const char *const *options);
