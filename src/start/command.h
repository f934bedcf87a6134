/*
 * What new processes start. Private to src/.
 *
 * They start what the user has started, under the name by which it was called: a virtual
 * environment's python is a link, and a program may be a link to one that looks by which name it was
 * called. So the command that nereus-mpiexec was given is started again, wrapper (env, valgrind, a
 * script) and all, where it still describes this process. No MPI.
 */
#ifndef NEREUS_SRC_COMMAND_H
#define NEREUS_SRC_COMMAND_H

#include <stdbool.h>

enum nereus_command_source {
    NEREUS_COMMAND_OPTION,   /* options.program */
    NEREUS_COMMAND_LAUNCHER, /* what nereus-mpiexec was given */
    NEREUS_COMMAND_NAME,     /* argv[0] of this process, as the system has it */
    NEREUS_COMMAND_FILE      /* the file of this process: argv[0] does not lead to it */
};

/* All lists are NULL-terminated, and NULL where they are not known; everything is borrowed. */
struct nereus_command_facts {
    const char *option;              /* options.program; NULL: none */
    char *const *launcher;           /* the command that nereus-mpiexec was given */
    const char *launcher_folder;     /* where it was started */
    char *const *own, *const *given; /* the process's own words; those that nereus_init was given */
    const char *file;                /* of the process (/proc/self/exe) */
    bool name_is_file;               /* own[0] leads to that file */
    const char *folder;              /* where the process began */
};

struct nereus_command {
    enum nereus_command_source source;
    const char **words; /* the program, then its arguments; NULL-terminated; the list is owned */
    const char *folder; /* borrowed */
};

/* @return false: no memory, or nothing is known of this process */
bool nereus_command_choose(const struct nereus_command_facts *facts,
                           struct nereus_command *command);
void nereus_command_fini(struct nereus_command *command);
/* "nereus-mpiexec" and so on: where a command comes from, in the trace. */
const char *nereus_command_source_name(enum nereus_command_source source);

/* ---- of this process --------------------------------------------------------------------------*/

/* The strings of a file in /proc that are separated by NUL characters, as an owned, NULL-terminated
 * list of owned strings. NULL: it cannot be read. */
char **nereus_command_read(const char *path);
/* Where this process began; NULL: not known. */
const char *nereus_command_first_folder(void);
/* Does a name, as execvp takes it, lead from this folder to the file of this process? */
bool nereus_command_leads_here(const char *name, const char *folder);

#endif
