/** @file cmd_explain.c  The command nereus policy explain: prints the decisions of a policy with
 * their reasons.
 */
#include "decisions.h"
#include "predictor/cli/command.h"

static const struct nereus_option table[] = {
    {"all", 0, NEREUS_OPTION_FLAG, NULL, "also decisions that change nothing",
     offsetof(struct nereus_decisions_shown, all), NULL},
    {"interval", 0, NEREUS_OPTION_NATURAL, "N", "only the decision before this interval, from 0",
     offsetof(struct nereus_decisions_shown, interval), NULL},
};

static const char help[] =
    "Prints the decisions of a policy from its log: what was known, which sets of processes were "
    "considered, which was chosen, and why. A policy writes the log where its key log or the "
    "option "
    "--log of `nereus policy run` says. Example: `nereus policy explain log.jsonl --interval 2`.";

static const struct nereus_plain_line plain = {"LOG.jsonl", help, table, NEREUS_COUNT_OF(table),
                                               1,           1};

int nereus_cmd_policy_explain(int argc, char **argv)
{
    struct nereus_decisions_shown shown = {.interval = -1};
    struct nereus_arguments words;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &shown, argc, argv, &words, &exit_status))
        return exit_status;
    return nereus_decisions_print(words.items[0], &shown, stdout, &err) == NEREUS_OK
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("%s", err.text);
}
