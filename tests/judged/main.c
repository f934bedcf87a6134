/**
 * @file main.c
 * nereus-judged: predictions held against measurements that nobody here made and that they were not
 * fitted to. Exit status 1 where a figure is worse than its bound.
 */
#include <argp.h>
#include <stdlib.h>

#include "bound.h"
#include "judge.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct judge_options *o = state->input;
    const char **const files[] = {&o->tables_file, &o->parallel_file, &o->unequal_file,
                                  &o->hostfile, &o->redistribution_file};
    char *end;
    switch (key) {
    case 'n':
        o->choices = (int)strtol(arg, &end, 10);
        if (*end != '\0' || o->choices < 1)
            argp_error(state, "--choices: '%s' is not a whole number above 0", arg);
        return 0;
    case 'r':
        o->rows = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= 5)
            return ARGP_ERR_UNKNOWN;
        *files[state->arg_num] = arg;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num != 2 && state->arg_num < 4)
            argp_error(state, "two files of samples are needed, or three and a host file, then "
                              "perhaps one of redistributions");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option known[] = {
        {"choices", 'n', "N", 0, "random choices of six (200)", 0},
        {"rows", 'r', NULL, 0, "print each prediction", 0},
        {0},
    };
    static const struct argp argp = {
        .options = known,
        .parser = parse,
        .args_doc = "TABLES.csv PARALLEL.csv [UNEQUAL.csv HOSTS [REDISTRIBUTION.csv]]",
        .doc =
            "Leaves measurements out of a fit, predicts them, and holds the errors against bounds.",
    };
    struct judge_options options = {.choices = 200};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    judge_spawning(&options);
    judge_parallel(&options);
    judge_coverage(&options);
    if (options.unequal_file != NULL)
        judge_unequal(&options);
    if (options.redistribution_file != NULL)
        judge_redistribution(&options);
    return bound_all_held() ? 0 : 1;
}
