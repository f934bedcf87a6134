/** @file cmd_validate.c  nereus validate. */
#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return nereus_cli_fail("not written yet");
}

const struct command nereus_cmd_validate = {
    "validate", "reconfigure live and set the measured times beside the predicted ones", run};
