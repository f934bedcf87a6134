/** @file cmd_fit.c  nereus fit: samples in, profile out. */
#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return nereus_cli_fail("not written yet");
}

const struct command nereus_cmd_fit = {"fit", "turn measured samples into a machine's profile", run};
