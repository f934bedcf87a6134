/** @file predict_options.c  Reads the options of nereus predict, and refuses those that clash. */
#include "predict_options.h"

#include "advice.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/question_layout.h"

static const struct nereus_option answer_options[] = {
    {"cases", 0, NEREUS_OPTION_TEXT, "CASES.csv",
     "many questions: ns,nt,cores_per_node,t_iter_ns_s,t_iter_nt_s,...; -: standard input",
     offsetof(struct nereus_predict_settings, cases), NULL},
    NEREUS_CANDIDATES_OPTION(offsetof(struct nereus_predict_settings, methods)),
    {"sequence", 0, NEREUS_OPTION_TEXT, "LIST",
     "several changes in a row, SIZE@ITERATION or SIZE@ITERATION:METHOD, separated by commas: each "
     "starts from the state that the previous one leaves",
     offsetof(struct nereus_predict_settings, sequence), NULL},
    {"goal", 0, NEREUS_OPTION_CHOICE, "GOAL",
     NEREUS_GOAL_HELP "node-hours, energy or weights (application)",
     offsetof(struct nereus_predict_settings, goal), nereus_goal_choices},
    {"explain", 0, NEREUS_OPTION_FLAG, NULL,
     "why the best method is best: the three terms that make the difference to the next one",
     offsetof(struct nereus_predict_settings, explain), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct nereus_predict_settings, format)),
};

/* --nt as text, instead of the scenario's number. */
static const struct nereus_option nt_option[] = {
    {"nt", 0, NEREUS_OPTION_TEXT, "N",
     "processes wanted; best or sizes, as 40:160: which of them (as `nereus advise`)",
     offsetof(struct nereus_predict_settings, nt), NULL},
};

static const char help[] =
    "Predicts what a resize from NS to NT processes costs by each method: its time RT with a 90 % "
    "interval, and for asynchronous methods alpha, omega, It and CT; the time T_ex of the whole "
    "application; and which method is best. Needs no MPI. Defaults are in brackets; the answer "
    "says which were used. Example: `nereus predict --ns 20 --nt 40 --slots 64 --stage memory`.";

/* ---- clashes ---- */

/* What the command line has; together as bits. */
enum given {
    CASES = 1 << 0,
    SEQUENCE = 1 << 1,
    SEVERAL_SIZES = 1 << 2,
    EXPLAIN = 1 << 3,
    CSV = 1 << 4,
    PICTURE = 1 << 5,
    LATER_SHRINK = 1 << 6,
    LAYOUT = 1 << 7,
    T_ITER_NT = 1 << 8,
    NS = 1 << 9,
    NT = 1 << 10
};

static const struct {
    int both; /* two options that exclude each other */
    const char *sentence;
} clashes[] = {
    {SEQUENCE | CASES, "--sequence and --cases exclude each other"},
    {SEQUENCE | LATER_SHRINK, "--sequence and --later-shrink exclude each other"},
    {SEVERAL_SIZES | SEQUENCE, "--sequence needs a single size: --nt must be a number"},
    {SEVERAL_SIZES | EXPLAIN, "--explain needs a single size: --nt must be a number"},
    {SEVERAL_SIZES | PICTURE, "--output needs a single size: --nt must be a number"},
    {SEVERAL_SIZES | T_ITER_NT, "--t-iter-nt needs a single size: --nt must be a number"},
    {LAYOUT | CASES, "--layout needs a single resize: remove --cases"},
    {LAYOUT | SEQUENCE, "--layout needs a single resize: remove --sequence"},
    {LAYOUT | LATER_SHRINK, "--layout needs a single resize: remove --later-shrink"},
    {LAYOUT | SEVERAL_SIZES, "--layout needs a single resize: remove --nt of several sizes"},
    {CASES | NS, "--cases holds the sizes: leave --ns out"},
    {CASES | NT, "--cases holds the sizes: leave --nt out"},
    {EXPLAIN | CSV, "--explain cannot be printed as csv: use --format json"},
    {EXPLAIN | CASES, "--explain needs a single resize: remove --cases"},
    {EXPLAIN | SEQUENCE, "--explain needs a single resize: remove --sequence"},
    {PICTURE | CASES, "--output draws the answer to one question: leave --cases out"},
    {PICTURE | SEQUENCE, "--output draws the answer to one question: leave --sequence out"},
};

bool nereus_predict_has_several_sizes(const struct nereus_predict_settings *settings)
{
    return settings->nt != NULL && nereus_nt_is_range(settings->nt);
}

static int list_given(const struct nereus_predict_settings *settings,
                      const struct nereus_settings *scenario)
{
    const struct {
        bool is_given;
        enum given bit;
    } rows[] = {{settings->cases != NULL, CASES},
                {settings->sequence != NULL, SEQUENCE},
                {nereus_predict_has_several_sizes(settings), SEVERAL_SIZES},
                {settings->explain, EXPLAIN},
                {settings->format == NEREUS_FORMAT_CSV, CSV},
                {settings->picture.path != NULL, PICTURE},
                {settings->best.later_shrink > 0, LATER_SHRINK},
                {scenario->layout != NULL, LAYOUT},
                {scenario->t_iter_nt_s > 0, T_ITER_NT},
                {scenario->ns != 0, NS},
                {settings->nt != NULL, NT}};
    int given = 0;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        given |= rows[i].is_given ? (int)rows[i].bit : 0;
    return given;
}

static enum nereus_status check_together(const struct nereus_predict_settings *settings,
                                         struct nereus_settings *scenario, struct nereus_error *err)
{
    const int given = list_given(settings, scenario);
    for (size_t i = 0; i < NEREUS_COUNT_OF(clashes); i++)
        if ((given & clashes[i].both) == clashes[i].both)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s", clashes[i].sentence);
    if ((given & NT) != 0 && (given & SEVERAL_SIZES) == 0)
        NEREUS_TRY(nereus_value_parse_integer("--nt", settings->nt, 1, &scenario->nt, err));
    NEREUS_TRY(nereus_settings_check_layout(scenario, err)); /* it may give NT */
    if ((given & (CASES | NS)) == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--ns is missing (processes now)");
    return (given & (CASES | NT | SEQUENCE)) != 0 || scenario->nt != 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "--nt is missing (processes wanted)");
}

bool nereus_predict_options_parse(struct nereus_predict_settings *settings,
                                  struct nereus_settings *scenario, int argc, char **argv,
                                  int *exit_status)
{
    const struct nereus_option_group groups[] = {
        {"Resize", nereus_scenario_options, NEREUS_SCENARIO_NT, scenario},
        {NULL, nt_option, NEREUS_COUNT_OF(nt_option), settings},
        {NULL, nereus_layout_options, NEREUS_LAYOUT_OPTION_COUNT, scenario},
        {"Job and nodes", nereus_scenario_options + NEREUS_SCENARIO_T_ITER,
         nereus_scenario_option_count - NEREUS_SCENARIO_T_ITER, scenario},
        {"Machine", nereus_profile_options, nereus_profile_option_count, &settings->machine},
        {"Answer", answer_options, NEREUS_COUNT_OF(answer_options), settings},
        {"Picture", nereus_picture_options, nereus_picture_option_count, &settings->picture},
        {"Goals", nereus_goal_options, nereus_goal_option_count, &settings->best},
    };
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    struct nereus_error err;
    if (!nereus_options_parse(&line, argc, argv, NULL, exit_status))
        return false;
    if (check_together(settings, scenario, &err) == NEREUS_OK)
        return true;
    *exit_status = nereus_cli_fail_usage("%s", err.text);
    return false;
}
