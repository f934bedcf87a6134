/** @file cmd_predict.c  nereus predict. */
#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return nereus_cli_fail("not written yet");
}

const struct command nereus_cmd_predict = {
    "predict", "say what a change of size will cost, and which method is best", run};
