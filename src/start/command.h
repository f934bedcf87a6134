/**
 * @file command.h
 * Finds the command of new processes.
 *
 * New processes start the user's command under the same name: a virtual environment's python is a
 * link, and a program may depend on the name by which it was called. Therefore the command line
 * given to nereus-mpiexec is used, with its wrapper (env, valgrind, a script), if it still
 * describes this process. No MPI.
 */
#pragma once

#include "model/util/base.h"

enum nereus_command_source {
    NEREUS_COMMAND_OPTION,   /* options.program */
    NEREUS_COMMAND_LAUNCHER, /* the command given to nereus-mpiexec */
    NEREUS_COMMAND_NAME,     /* this process' argv[0], from /proc */
    NEREUS_COMMAND_FILE      /* this process' file, as argv[0] does not lead to it */
};

/** All lists are NULL-terminated, and NULL if unknown; everything is borrowed. */
struct nereus_command_facts {
    const char *option;    /* options.program; NULL: none */
    char *const *launcher; /* the command given to nereus-mpiexec */
    const char *launcher_folder;
    char *const *own_words,
        *const *given_words; /* arguments of this process; arguments given to nereus_init */
    const char *file;        /* /proc/self/exe */
    bool name_is_file;       /* own_words[0] leads to that file */
    const char *folder;      /* folder in which the process started */
};

struct nereus_command {
    enum nereus_command_source source;
    const char **argv;  /* program and arguments; NULL-terminated; the list is owned */
    const char *folder; /* borrowed */
};

/** @return false: no memory, or the command of this process is unknown */
bool nereus_command_choose(const struct nereus_command_facts *facts,
                           struct nereus_command *command);
/** Free the command. */
void nereus_command_fini(struct nereus_command *command);
/** Source of the command for the trace: "nereus-mpiexec" and so on. */
const char *nereus_command_source_name(enum nereus_command_source source);

/* ---- of this process --------------------------------------------------------------------------*/

/** Read a file in /proc with strings separated by NUL characters: an owned, NULL-terminated list of
 * owned strings. NULL: cannot be read. */
char **nereus_command_read(const char *path);
/** Folder in which this process started; NULL: unknown. */
const char *nereus_command_first_folder(void);
/** Does execvp with this name, in this folder, start the file of this process? */
bool nereus_command_starts_this_program(const char *name, const char *folder);
