/* A program that ends without nereus_finalize: MPI's launcher then kills the others, in its own
 * words and with status 0. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "life.h"
#include "src/util/error.h"

/* The process that has a job open, which a forked child has not. 0: none. */
static pid_t open_in;

/* A status other than 0 is the program's own: it has said what is wrong. */
static void look(int status, void *nothing)
{
    (void)nothing;
    if (open_in != getpid() || status != 0)
        return;
    nereus_say(
        "the program ends without nereus_finalize, so its job is ended with status 1: call it in "
        "every process "
        "before main returns or exit is called");
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

void nereus_job_is_open(bool is_open)
{
    static bool registered;
    open_in = is_open ? getpid() : 0;
    if (is_open && !registered)
        registered = on_exit(look, NULL) == 0;
}
