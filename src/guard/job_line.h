/* The command line that the job was started with, as Hydra's mpiexec reads it: its options, and what
 * its first process is. Private to src/guard. */
#ifndef NEREUS_JOB_LINE_H
#define NEREUS_JOB_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* What becomes of an option when processes are launched later. */
enum job_option_use {
    JOB_OPTION_FIRST, /* concerns the first processes only, or new ones get it in another way */
    JOB_OPTION_ALLOCATION, /* the same in the job's own allocation */
    JOB_OPTION_ALL,        /* the same everywhere */
    JOB_OPTION_FILES,      /* a pattern of files, which another launcher would overwrite */
    JOB_OPTION_BINDS,      /* refused: with it this MPI ends a job at its first new process */
    JOB_OPTION_HELP        /* of nereus-mpiexec */
};

/* A word of the line, and how many values follow it as words. NULL at the end of the options of the
 * first section. */
struct job_option {
    const char *name; /* without its dashes; a value may follow behind a '=' */
    int words;        /* with the option itself */
    enum job_option_use use;
};

/* The option that begins at this word; `words` is 0 where the program begins, or nothing. */
struct job_option job_line_option(char *const *at);
/* For all options of all sections: from job_line_begin on, where `at` moves to a next one, and the
 * caller on by its words; 0 words: no more. */
char *const *job_line_begin(char *const *mpiexec);
struct job_option job_line_next(char *const **at);
/* Is it one of these? The list ends with NULL. */
bool job_option_is(const struct job_option *option, const char *const *names);
/* Of the option at this word; NULL: none. */
const char *job_option_value(const struct job_option *option, char *const *at);

enum job_line_kind { JOB_LINE_JOB, JOB_LINE_HELP, JOB_LINE_REFUSED };
/* @param checked   what this MPI cannot do is refused
 * @param sentence  why the job cannot be started so */
enum job_line_kind job_line_kind(char *const *mpiexec, bool checked, char *sentence, size_t size);
/* Which words are programs, is that known? */
bool job_line_names_programs(char *const *mpiexec);
/* Of the first section: the program and its arguments; the list is owned, and empty where there is no
 * program. NULL: no memory. */
char **job_line_program(char *const *mpiexec);
/* Where it is started: the folder of -wdir, or NULL. */
const char *job_line_folder(char *const *mpiexec);
/* The command as it is started, list and words are owned: with the options that keep variables from
 * processes (-genvnone and the like) in a form that spawns survive, and so that the variables which
 * Nereus needs arrive; and each program under a guard. NULL: no memory.
 * @param guard  NULL: no guards */
char **job_line_to_start(char *const *mpiexec, char *const *environment, const char *guard);

#endif
