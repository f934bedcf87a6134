/* The command line that the job was started with, as Hydra's mpiexec reads it: its options, and what
 * its first process is. Private to src/guard. */
#ifndef NEREUS_JOB_LINE_H
#define NEREUS_JOB_LINE_H

#include <stdbool.h>

/* What becomes of an option when processes are launched later. */
enum job_option_use {
    JOB_OPTION_FIRST, /* concerns the first processes only, or new ones get it in another way */
    JOB_OPTION_ALLOCATION, /* the same in the job's own allocation */
    JOB_OPTION_ALL,        /* the same everywhere */
    JOB_OPTION_FILES       /* a pattern of files, which another launcher would overwrite */
};

/* A word of the line, and how many values follow it as words. NULL at the end of the options of the
 * first section. */
struct job_option {
    const char *name; /* without its dashes, up to a '=' */
    int words;        /* with the option itself */
    enum job_option_use use;
};

/* The option that begins at this word; `words` is 0 where the program begins, or nothing. */
struct job_option job_line_option(char *const *at);
/* Of the first section: the program and its arguments; the list is owned, and empty where there is no
 * program. NULL: no memory. */
char **job_line_program(char *const *mpiexec);
/* Why the job cannot be started so; NULL: it can. */
const char *job_line_refused(char *const *mpiexec);
/* Where it is started: the folder of -wdir, or NULL. */
const char *job_line_folder(char *const *mpiexec);
/* The command with the options that keep variables from processes (-genvnone and the like) in a form
 * that spawns survive, and so that the variables which Nereus needs arrive; list and words are owned.
 * NULL: no memory. */
char **job_line_with_settings(char *const *mpiexec, char *const *environment);

#endif
