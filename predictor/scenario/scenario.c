/** @file scenario.c  Makes a scenario from options, and records every assumed value. */
#include "scenario.h"

#include "lists.h"
#include "predictor/cli/output.h"
#include "question_layout.h"

/* Iterations before and after: Martín-Álvarez et al. (2024a), section 5 (3 + 97). The papers give
 * no iteration time; the answer shows the assumed one. */
static const double default_t_iter_s = 0.1;
enum { DEFAULT_BEFORE = 3, DEFAULT_AFTER = 97 };

static const char *const stages[] = {"compute", "memory", "collective", NULL};
static const char *const laws[] = {"strong", "ideal", "weak", "amdahl:", "stages:", NULL};
static const char *const states[] = {"initial", "per-node", NULL};

const struct nereus_option nereus_scenario_options[] = {
    {"ns", 0, NEREUS_OPTION_COUNT, "N", "processes now", offsetof(struct nereus_settings, ns),
     NULL},
    {"nt", 0, NEREUS_OPTION_COUNT, "N", "processes wanted", offsetof(struct nereus_settings, nt),
     NULL},
    {"t-iter", 0, NEREUS_OPTION_SECONDS, "TIME", "one iteration on NS processes (0.1s)",
     offsetof(struct nereus_settings, t_iter_ns_s), NULL},
    {"t-iter-nt", 0, NEREUS_OPTION_SECONDS, "TIME", "one iteration on NT processes (by --scaling)",
     offsetof(struct nereus_settings, t_iter_nt_s), NULL},
    {"scaling", 0, NEREUS_OPTION_TEXT, "LAW|FILE.csv",
     "iteration times of other sizes: strong or ideal (T NS / NT), weak (constant), amdahl:F (F: "
     "serial share), stages:compute:SECONDS,allreduce:BYTES,... (of one process), or a FILE.csv "
     "with n,t_iter_s (strong)",
     offsetof(struct nereus_settings, scaling), laws},
    {"stage", 0, NEREUS_OPTION_CHOICE, "STAGE",
     "what an iteration does, which determines its slow-down by auxiliary threads: compute, memory "
     "or collective (compute)",
     offsetof(struct nereus_settings, stage), stages},
    {"iterations-before", 0, NEREUS_OPTION_NATURAL, "N", "iterations on NS processes (3)",
     offsetof(struct nereus_settings, iterations_before), NULL},
    {"iterations-after", 0, NEREUS_OPTION_NATURAL, "N", "iterations that follow (97)",
     offsetof(struct nereus_settings, iterations_after), NULL},
    {"bytes-constant", 0, NEREUS_OPTION_BYTES, "BYTES",
     "data that may move while the application runs (0)",
     offsetof(struct nereus_settings, constant_bytes), NULL},
    {"bytes-variable", 0, NEREUS_OPTION_BYTES, "BYTES",
     "data that moves while the application is stopped (0)",
     offsetof(struct nereus_settings, variable_bytes), NULL},
    {"bytes-replicated", 0, NEREUS_OPTION_BYTES, "BYTES",
     "values that every process has a copy of: new processes get them by a broadcast (0)",
     offsetof(struct nereus_settings, replicated_bytes), NULL},
    {"powers", 0, NEREUS_OPTION_TEXT, "LIST",
     "computing powers of the ranks in their order, for the distribution weighted, as in "
     "20*1,32*1.4: repeated cyclically (equal)",
     offsetof(struct nereus_settings, powers), NULL},
    {"grid", 0, NEREUS_OPTION_TEXT, "NxN...",
     "the data are fields of a grid of 1 to 4 dimensions, as in 512x512x256, cut into boxes "
     "(arrays, cut into blocks)",
     offsetof(struct nereus_settings, grid), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "N", "cores of a node (the profile's)",
     offsetof(struct nereus_settings, cores_per_node), NULL},
    {"nodes", 0, NEREUS_OPTION_COUNT, "N",
     "number of nodes; more processes than cores oversubscribe them (the profile's, else no limit)",
     offsetof(struct nereus_settings, nodes), NULL},
    {"cores-per-process", 0, NEREUS_OPTION_COUNT, "N",
     "cores that each process takes, with its threads (the host file's, else 1)",
     offsetof(struct nereus_settings, cores_per_process), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE", "nodes and their slots, a line 'name[:cores]' each",
     offsetof(struct nereus_settings, hostfile), NULL},
    {"slots", 0, NEREUS_OPTION_COUNT, "N", "largest allowed size (no limit)",
     offsetof(struct nereus_settings, slots), NULL},
    {"state", 0, NEREUS_OPTION_TEXT, "STATE|FILE.json",
     "worlds of the job: initial, per-node or a FILE.json (initial)",
     offsetof(struct nereus_settings, state), states},
};
const size_t nereus_scenario_option_count = NEREUS_COUNT_OF(nereus_scenario_options);

static struct nereus_assumption *add_assumption(struct nereus_question *question,
                                                const char *option, const char *reason)
{
    struct nereus_assumption *assumption = &question->assumptions[question->assumed_count++];
    *assumption = (struct nereus_assumption){.option = option, .reason = reason};
    return assumption;
}

static void assume_text(struct nereus_question *question, const char *option, const char *value,
                        const char *reason)
{
    struct nereus_assumption *assumption = add_assumption(question, option, reason);
    snprintf(assumption->value, sizeof assumption->value, "%s", value);
}

static void assume_integer(struct nereus_question *question, const char *option, int64_t value,
                           const char *reason)
{
    struct nereus_assumption *assumption = add_assumption(question, option, reason);
    snprintf(assumption->value, sizeof assumption->value, "%lld", (long long)value);
}

static int64_t choose_integer(struct nereus_question *question, int64_t given, int64_t fallback,
                              const char *option)
{
    if (given >= 0)
        return given;
    assume_integer(question, option, fallback, NULL);
    return fallback;
}

/* Set bytes that were not given.
 * @param observed  value of the job's file; -1: the file lacks it */
static int64_t choose_bytes(struct nereus_question *question,
                            const struct nereus_observed *observed, int64_t given,
                            int64_t observed_value, const char *option)
{
    if (given >= 0 || observed_value < 0)
        return choose_integer(question, given, 0, option);
    assume_integer(question, option, observed_value, observed->file);
    return observed_value;
}

static double choose_seconds(struct nereus_question *question, double given, double fallback,
                             const char *option, const char *reason)
{
    if (given > 0)
        return given;
    struct nereus_assumption *assumption = add_assumption(question, option, reason);
    snprintf(assumption->value, sizeof assumption->value, "%.6g s", fallback);
    return fallback;
}

static enum nereus_status parse_scaling(const char *text, struct nereus_scaling *scaling,
                                        struct nereus_error *err)
{
    struct nereus_error why;
    const enum nereus_status status = nereus_scaling_parse(text, scaling, &why);
    return status == NEREUS_OK ? status : nereus_fail(err, status, "--scaling: %s", why.text);
}

/* Check a scaling law; any other text is the path of a table. */
static enum nereus_status check_law(const char *text, struct nereus_error *err)
{
    struct nereus_scaling scaling;
    const bool law = text != NULL && (nereus_text_begins_with(text, "amdahl:") ||
                                      nereus_text_begins_with(text, "stages:"));
    return law ? parse_scaling(text, &scaling, err) : NEREUS_OK; /* a law owns no memory */
}

enum nereus_status nereus_settings_check(const struct nereus_settings *settings,
                                         struct nereus_error *err)
{
    const struct {
        const char *option;
        int64_t value, max;
    } rows[] = {{"--ns", settings->ns, NEREUS_PROCESSES_MAX},
                {"--nt", settings->nt, NEREUS_PROCESSES_MAX},
                {"--cores-per-node", settings->cores_per_node, NEREUS_PROCESSES_MAX},
                {"--cores-per-process", settings->cores_per_process, NEREUS_PROCESSES_MAX},
                {"--nodes", settings->nodes, NEREUS_EQUAL_NODES_MAX},
                {"--slots", settings->slots, NEREUS_PROCESSES_MAX}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        if (rows[i].value > rows[i].max) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at most %lld, not %lld",
                               rows[i].option, (long long)rows[i].max, (long long)rows[i].value);
        }
    }
    if (settings->hostfile != NULL && (settings->cores_per_node != 0 || settings->nodes != 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--hostfile says what nodes there are: leave --%s out",
                           settings->nodes != 0 ? "nodes" : "cores-per-node");
    }
    return check_law(settings->scaling, err);
}

static enum nereus_status check_sizes(const struct nereus_settings *settings,
                                      struct nereus_error *err)
{
    if (settings->ns == 0 || settings->nt == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s is missing (processes %s)",
                           settings->ns == 0 ? "ns" : "nt", settings->ns == 0 ? "now" : "wanted");
    }
    return nereus_settings_check(settings, err);
}

static int64_t find_largest_size(const struct nereus_linear_model *model)
{
    return nereus_max(model->max_ns, model->max_nt);
}

/* Number of nodes of the measured cluster; if its profile does not say, those that the largest
 * measured size fills. */
static int64_t count_measured_nodes(const struct nereus_profile *profile)
{
    int64_t max = 1;
    for (int64_t i = 0; i < profile->measured_count; i++)
        max = nereus_max(max, nereus_max(profile->measurements[i].ns, profile->measurements[i].nt));
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++)
        max = nereus_max(max, find_largest_size(&profile->steps[kind]));
    for (int model = 0; model < NEREUS_BETWEEN_COUNT; model++)
        max = nereus_max(max, find_largest_size(&profile->between_models[model]));
    return profile->nodes > 0 ? profile->nodes
                              : nereus_divide_up(max, nereus_max(1, profile->cores_per_node));
}

/* Set the number of nodes where it is not given. */
static enum nereus_status assume_nodes(const struct nereus_settings *settings,
                                       const struct nereus_profile *profile,
                                       struct nereus_question *question, struct nereus_error *err)
{
    if (!settings->bounded)
        return nereus_profile_machine(profile, &question->machine, err);
    assume_integer(question, "nodes", count_measured_nodes(profile), "as many as were measured");
    return nereus_machine_equal_nodes(count_measured_nodes(profile), profile->cores_per_node,
                                      &question->machine, err);
}

static bool has_data(const struct nereus_scenario *scenario)
{
    return scenario->constant_bytes + scenario->variable_bytes + scenario->replicated_bytes > 0;
}

/* Note that predictions for more nodes than were measured are extrapolated, also if --nodes
 * requests them. */
static void note_more_nodes(const struct nereus_settings *settings,
                            const struct nereus_profile *profile, struct nereus_question *question)
{
    const int64_t measured = count_measured_nodes(profile),
                  used = nereus_machine_count_nodes(&question->machine,
                                                    nereus_max(settings->ns, settings->nt));
    const int64_t nodes = nereus_max(settings->nodes, used);
    const bool like_measured =
        profile->machine_count == 0 && settings->hostfile == NULL && settings->machine == NULL &&
        (settings->cores_per_node == 0 || settings->cores_per_node == profile->cores_per_node);
    if (!like_measured || nodes <= measured)
        return;
    const int length = snprintf(question->more_nodes, sizeof question->more_nodes,
                                "%lld nodes are assumed, and the profile was measured on %lld",
                                (long long)nodes, (long long)measured);
    if (has_data(&question->scenario) &&
        profile->operations[NEREUS_OPERATION_NODE].basis != NEREUS_BASIS_FITTED)
        snprintf(question->more_nodes + length, sizeof question->more_nodes - (size_t)length,
                 "; the rate of a node's link is unknown: data moves as if the processes of a node "
                 "did not share one");
}

/* With other cores per node the machine is not the profile's: its number of nodes does not
 * apply. */
static enum nereus_status make_equal_nodes(const struct nereus_settings *settings,
                                           const struct nereus_profile *profile,
                                           struct nereus_question *question,
                                           struct nereus_error *err)
{
    static const char reason[] = "the profile's";
    const int64_t cores = settings->cores_per_node;
    if (cores > 0)
        return nereus_machine_equal_nodes(settings->nodes, cores, &question->machine, err);
    assume_integer(question, "cores-per-node", profile->cores_per_node, reason);
    if (settings->nodes > 0) {
        return nereus_machine_equal_nodes(settings->nodes, profile->cores_per_node,
                                          &question->machine, err);
    }
    if (profile->nodes == 0)
        return assume_nodes(settings, profile, question, err);
    assume_integer(question, "nodes", profile->nodes, reason);
    return nereus_profile_machine(profile, &question->machine, err);
}

/* Read the machine in the job's state file; without nodes if there is none. make_state reports
 * errors of the file. */
static struct nereus_machine copy_state_machine(const struct nereus_settings *settings)
{
    struct nereus_machine machine = {.node_count = 0};
    if (settings->state != NULL && strpbrk(settings->state, "./") != NULL)
        nereus_jobstate_read_machine(settings->state, &machine, NULL);
    return machine;
}

/* Refuse another machine with a state file, whose node numbers refer to the machine in it. */
static enum nereus_status check_same_nodes(const struct nereus_settings *settings,
                                           const struct nereus_machine *of_state,
                                           const struct nereus_machine *machine,
                                           struct nereus_error *err)
{
    bool same = of_state->node_count == 0 || of_state->node_count == machine->node_count;
    for (int64_t i = 0; same && i < of_state->node_count; i++)
        same = strcmp(of_state->nodes[i].name, machine->nodes[i].name) == 0;
    return same ? NEREUS_OK
                : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                              "the job of '%.160s' has other nodes than '%.160s': leave --hostfile "
                              "out, the state says what nodes there are",
                              settings->state, settings->hostfile);
}

static enum nereus_status make_machine(const struct nereus_settings *settings,
                                       const struct nereus_profile *profile,
                                       struct nereus_question *question, struct nereus_error *err)
{
    struct nereus_machine of_state = copy_state_machine(settings);
    const bool by_state = of_state.node_count > 0 && settings->machine == NULL &&
                          settings->hostfile == NULL && settings->nodes == 0 &&
                          settings->cores_per_node == 0;
    enum nereus_status status = NEREUS_OK;
    if (settings->machine != NULL) {
        status = nereus_machine_copy(settings->machine, &question->machine, err);
    } else if (settings->hostfile != NULL) {
        status = nereus_machine_from_file(settings->hostfile, &question->machine, err);
        if (status == NEREUS_OK)
            status = check_same_nodes(settings, &of_state, &question->machine, err);
    } else if (by_state) {
        question->machine = of_state;
        of_state = (struct nereus_machine){.node_count = 0};
    } else {
        status = make_equal_nodes(settings, profile, question, err);
    }
    nereus_machine_fini(&of_state);
    NEREUS_TRY(status);
    if (settings->cores_per_process > 0) {
        NEREUS_TRY(
            nereus_machine_set_per_process(&question->machine, settings->cores_per_process, err));
    }
    question->machine.slots = settings->slots > 0 ? settings->slots : question->machine.slots;
    return NEREUS_OK;
}

static enum nereus_status make_state(const struct nereus_settings *settings,
                                     struct nereus_question *question, struct nereus_error *err)
{
    const char *option = settings->state;
    if (option == NULL) {
        option = "initial";
        assume_text(question, "state", option, "one world on the fewest nodes");
    }
    return nereus_jobstate_from_option(option, &question->machine, settings->ns, &question->state,
                                       err);
}

/* @return the reason that is shown for a scaled iteration time.
 * @param shared  there are more processes than cores */
static const char *get_law_reason(const char *given, enum nereus_scaling_law law, bool shared)
{
    switch (law) {
    case NEREUS_SCALING_STRONG:
        return shared ? "strong scaling within the cores: processes above them take turns"
                      : "strong scaling: t-iter NS / NT";
    case NEREUS_SCALING_WEAK:
        return shared ? "weak scaling: as t-iter, and processes above the cores take turns"
                      : "weak scaling: as t-iter";
    case NEREUS_SCALING_AMDAHL:
    case NEREUS_SCALING_STAGES:
    case NEREUS_SCALING_TABLE:
    case NEREUS_SCALING_MEASURED:
        break;
    }
    return given;
}

/* Set the iteration time from a table or stages, which give absolute times, if --t-iter is not
 * given. */
static enum nereus_status fill_t_iter(const struct nereus_settings *settings,
                                      struct nereus_question *question, struct nereus_error *err)
{
    struct nereus_scenario *scenario = &question->scenario;
    const struct nereus_scaling *scaling = &question->scaling;
    const bool shared =
        nereus_max(settings->ns, settings->nt) > nereus_machine_total_cores(&question->machine);
    const char *source = NULL;
    double known_s = default_t_iter_s, scaled_s = settings->t_iter_nt_s;
    if (settings->t_iter_ns_s <= 0 &&
        (scaling->law == NEREUS_SCALING_TABLE || scaling->law == NEREUS_SCALING_STAGES)) {
        NEREUS_TRY(nereus_scaling_lookup(scaling, settings->ns, &known_s, err));
        source = settings->scaling;
    } else if (settings->t_iter_ns_s <= 0 && settings->observed != NULL) {
        NEREUS_TRY(nereus_observed_t_iter(settings->observed, settings->ns, &known_s, err));
        source = settings->observed->file;
    }
    scenario->t_iter_ns_s =
        choose_seconds(question, settings->t_iter_ns_s, known_s, "t-iter", source);
    if (settings->t_iter_nt_s <= 0) {
        NEREUS_TRY(nereus_scaling_apply(scaling, settings->ns, scenario->t_iter_ns_s, settings->nt,
                                        &scaled_s, err));
    }
    scenario->t_iter_nt_s = choose_seconds(question, settings->t_iter_nt_s, scaled_s, "t-iter-nt",
                                           get_law_reason(settings->scaling, scaling->law, shared));
    return NEREUS_OK;
}

static void fill_bytes(const struct nereus_settings *settings, struct nereus_question *question)
{
    static const struct nereus_observed nothing = {
        .constant_bytes = -1, .variable_bytes = -1, .replicated_bytes = -1};
    const struct nereus_observed *seen = settings->observed != NULL ? settings->observed : &nothing;
    struct nereus_scenario *scenario = &question->scenario;
    scenario->constant_bytes = (double)choose_bytes(question, seen, settings->constant_bytes,
                                                    seen->constant_bytes, "bytes-constant");
    scenario->variable_bytes = (double)choose_bytes(question, seen, settings->variable_bytes,
                                                    seen->variable_bytes, "bytes-variable");
    scenario->replicated_bytes = (double)settings->replicated_bytes;
    if (settings->replicated_bytes == 0 && seen->replicated_bytes > 0) {
        scenario->replicated_bytes =
            (double)choose_bytes(question, seen, -1, seen->replicated_bytes, "bytes-replicated");
    }
}

static enum nereus_status fill_scenario(const struct nereus_settings *settings,
                                        struct nereus_question *question, struct nereus_error *err)
{
    struct nereus_scenario *scenario = &question->scenario;
    scenario->machine = &question->machine;
    scenario->state = &question->state;
    scenario->ns = settings->ns;
    scenario->nt = settings->nt;
    scenario->stage = (enum nereus_stage)settings->stage;
    NEREUS_TRY(fill_t_iter(settings, question, err));
    scenario->iterations_before = (double)choose_integer(question, settings->iterations_before,
                                                         DEFAULT_BEFORE, "iterations-before");
    scenario->iterations_after = (double)choose_integer(question, settings->iterations_after,
                                                        DEFAULT_AFTER, "iterations-after");
    fill_bytes(settings, question);
    if (settings->powers != NULL) {
        NEREUS_TRY(
            nereus_powers_parse(settings->powers, &question->powers, &scenario->power_count, err));
        scenario->powers = question->powers;
    }
    if (settings->grid != NULL) {
        NEREUS_TRY(nereus_grid_parse(settings->grid, &question->grid, err));
        scenario->grid = &question->grid;
    }
    return NEREUS_OK;
}

static enum nereus_status fill_question(const struct nereus_settings *settings,
                                        const struct nereus_profile *profile,
                                        struct nereus_question *question, struct nereus_error *err)
{
    NEREUS_TRY(check_sizes(settings, err));
    NEREUS_TRY(make_machine(settings, profile, question, err));
    NEREUS_TRY(nereus_machine_check_size(&question->machine, "--ns", settings->ns, err));
    NEREUS_TRY(nereus_machine_check_size(&question->machine, "--nt", settings->nt, err));
    NEREUS_TRY(make_state(settings, question, err));
    if (settings->scaling != NULL) {
        NEREUS_TRY(parse_scaling(settings->scaling, &question->scaling, err));
        question->scaling.profile = profile;
    }
    if (settings->scaling == NULL && settings->observed != NULL)
        NEREUS_TRY(nereus_observed_set_scaling(settings->observed, &question->scaling, err));
    question->scaling.machine = &question->machine;
    NEREUS_TRY(fill_scenario(settings, question, err));
    note_more_nodes(settings, profile, question);
    return settings->layout != NULL ? nereus_question_lay_out(question, settings->layout, err)
                                    : NEREUS_OK;
}

enum nereus_status nereus_question_make(const struct nereus_settings *settings,
                                        const struct nereus_profile *profile,
                                        struct nereus_question *question, struct nereus_error *err)
{
    memset(question, 0, sizeof *question);
    const enum nereus_status status = fill_question(settings, profile, question, err);
    if (status != NEREUS_OK)
        nereus_question_fini(question);
    return status;
}

enum nereus_status nereus_question_add_later(int64_t processes, int64_t iterations, bool any_nodes,
                                             struct nereus_question *question,
                                             struct nereus_error *err)
{
    const struct nereus_scenario *scenario = &question->scenario;
    struct nereus_later_shrink *later_shrink = &question->later_shrink;
    const int64_t half = (int64_t)(scenario->iterations_after / 2);
    if (scenario->nt <= scenario->ns || processes >= scenario->nt) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--later-shrink %lld is for an expansion to more processes than that, and not "
            "for %lld -> %lld",
            (long long)processes, (long long)scenario->ns, (long long)scenario->nt);
    }
    if ((double)iterations > scenario->iterations_after) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--later-iterations must be at most the %.0f iterations that follow the expansion, "
            "not %lld",
            scenario->iterations_after, (long long)iterations);
    }
    later_shrink->processes = processes;
    later_shrink->any_nodes = any_nodes;
    later_shrink->iterations =
        (double)choose_integer(question, iterations, half, "later-iterations");
    const enum nereus_status status =
        nereus_scaling_apply(&question->scaling, scenario->nt, scenario->t_iter_nt_s, processes,
                             &later_shrink->t_iter_s, err);
    if (status == NEREUS_OK && iterations < 0)
        question->assumptions[question->assumed_count - 1].reason =
            "half of those after the expansion";
    return status;
}

void nereus_question_fini(struct nereus_question *question)
{
    free(question->powers);
    question->powers = NULL;
    free(question->by_node);
    question->by_node = NULL;
    nereus_scaling_fini(&question->scaling);
    nereus_jobstate_fini(&question->state);
    nereus_machine_fini(&question->machine);
}
