/** @file cmd_run.c  nereus run. */
#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return nereus_cli_fail("not written yet");
}

const struct command nereus_cmd_run = {"run", "run a synthetic application that reconfigures live", run};
