/** @file cmd_plan.c  nereus plan. */
#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return nereus_cli_fail("not written yet");
}

const struct command nereus_cmd_plan = {"plan",
                                        "show the steps of a reconfiguration and their predicted times", run};
