/**
 * @file guard_join.c
 * nereus-guard-join REASON LINE: joins the job instead of a program that could not be started, and
 * reports the reason. LINE is the descriptor of the guard's connection to nereus-supervise
 * (lifeline.h), which closes when this process ends; if it closes without a last message this
 * process has crashed.
 */

#include "lifeline.h"
#include "process_phase.h"

/* Defined in libnereus (api/join_in_place.c); declared here, as the guards include no header of the
 * runtime. */
int nereus_join_in_place(const char *reason);

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "nereus-guard-join: it is started by nereus-guard, not by hand\n");
        return 2;
    }
    const int connection = atoi(argv[2]);
    const int status = nereus_join_in_place(argv[1]);
    lifeline_report(connection, REPORT_PHASE, PHASE_MPI, "");
    return status;
}
