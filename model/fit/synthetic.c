/**
 * @file synthetic.c
 * Makes the profile of a synthetic cluster, so that predictions can be tried without measurements.
 *
 * A message takes latency + bytes / bandwidth, wherever the two processes are; all processes of a
 * node together bytes / node-bandwidth. A start takes the given time and grows by the priors of
 * `spawn` (priors.c). Everything else is what a fit sets without rows: trees at the speed of these
 * messages, a share of a spawn, priors of asynchronous reconfigurations.
 */
#include "nereus/synthetic.h"

#include "fit.h"
#include "fit_model.h"
#include "model/util/suggest.h"
#include "model/util/values.h"
#include "priors.h"

enum key {
    KEY_NODES,
    KEY_CORES,
    KEY_LATENCY,
    KEY_BANDWIDTH,
    KEY_SPAWN,
    KEY_NODE_BANDWIDTH,
    KEY_FILE_WRITE,
    KEY_FILE_READ,
    KEY_START,
    KEYS
};
static const char *const keys[KEYS] = {"nodes",      "cores",     "latency",
                                       "bandwidth",  "spawn",     "node-bandwidth",
                                       "file-write", "file-read", "start"};
static const char *const examples[KEYS] = {"16",     "20",    "1.5us", "12GB/s", "0.3s",
                                           "12GB/s", "2GB/s", "4GB/s", "0.5s"};
static const char synthetic_name[] = "a synthetic cluster";
static const char separators[] = " ,\t\n";

static enum nereus_status parse_count(const char *what, const char *text, int64_t max,
                                      int64_t *value, struct nereus_error *err)
{
    NEREUS_TRY(nereus_value_parse_integer(what, text, 1, value, err));
    return *value <= max
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at most %lld, not '%.160s'",
                             what, (long long)max, text);
}

static enum nereus_status parse_value(enum key key, const char *text,
                                      struct nereus_synthetic *cluster, struct nereus_error *err)
{
    char what[48];
    snprintf(what, sizeof what, "--synthetic %s", keys[key]);
    switch (key) {
    case KEY_NODES:
        return parse_count(what, text, NEREUS_EQUAL_NODES_MAX, &cluster->nodes, err);
    case KEY_CORES:
        return parse_count(what, text, INT32_MAX, &cluster->cores, err);
    case KEY_LATENCY:
        return nereus_value_parse_seconds(what, text, &cluster->latency_s, err);
    case KEY_BANDWIDTH:
        return nereus_value_parse_rate(what, text, &cluster->bandwidth, err);
    case KEY_SPAWN:
        return nereus_value_parse_seconds(what, text, &cluster->spawn_s, err);
    case KEY_NODE_BANDWIDTH:
        return nereus_value_parse_rate(what, text, &cluster->node_bandwidth, err);
    case KEY_FILE_WRITE:
        return nereus_value_parse_rate(what, text, &cluster->file_write, err);
    case KEY_FILE_READ:
        return nereus_value_parse_rate(what, text, &cluster->file_read, err);
    case KEY_START:
        return nereus_value_parse_seconds(what, text, &cluster->start_s, err);
    case KEYS:
        break;
    }
    return NEREUS_OK;
}

/* Parse KEY=VALUE.
 * @param given  keys that were given so far */
static enum nereus_status parse_entry(char *entry, bool given[KEYS],
                                      struct nereus_synthetic *cluster, struct nereus_error *err)
{
    char suggestion[NEREUS_SUGGEST_TEXT], *value = strchr(entry, ':');
    if (value != NULL)
        *value++ = '\0';
    const size_t key = nereus_word_index(entry, keys, KEYS);
    if (key == KEYS)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "--synthetic has nodes, cores, latency, bandwidth, spawn, node-bandwidth, "
            "file-write, file-read and start, as nodes:16, not '%.160s'%s",
            entry, nereus_suggest_text(entry, keys, KEYS, suggestion));
    if (value == NULL || *value == '\0')
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--synthetic %s has no value: write %s:%s, without a space", entry,
                           entry, examples[key]);
    if (given[key])
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--synthetic names '%s' twice", entry);
    given[key] = true;
    return parse_value((enum key)key, value, cluster, err);
}

enum nereus_status nereus_synthetic_parse(const char *text, struct nereus_synthetic *cluster,
                                          struct nereus_error *err)
{
    struct nereus_synthetic parsed = {16, 20, 1.5e-6, 12e9, 0.3, 0, 0, 0, 0};
    char copy[256], *rest = copy, *entry;
    bool given[KEYS] = {false};
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return nereus_fail(err, NEREUS_ERR_PARSE, "--synthetic is too long: it has nine entries");
    while ((entry = strsep(&rest, separators)) != NULL)
        if (entry[0] != '\0')
            NEREUS_TRY(parse_entry(entry, given, &parsed, err));
    *cluster = parsed;
    return NEREUS_OK;
}

static struct nereus_hockney make_message_cost(double latency_s, double bandwidth)
{
    return (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                   .pieces = 1,
                                   .alpha_s = {latency_s},
                                   .beta_s_per_byte = {1 / bandwidth},
                                   .log_sd = NEREUS_FIT_UNSEEN,
                                   .max_bytes = NEREUS_BYTES_MAX};
}

/* Set how a start grows, by its priors, which are ratios to its constant. */
static void fill_spawn(double spawn_s, struct nereus_linear_model *spawn)
{
    static const char *const growth[] = {"full_awake", "overload_awake", "log2_new_nodes"};
    nereus_fit_set_prior(synthetic_name, "const", spawn_s, NEREUS_FIT_UNSEEN, spawn);
    for (size_t i = 0; i < NEREUS_COUNT_OF(growth); i++)
        nereus_fit_add_term(spawn, growth[i],
                            nereus_term_prior_of("spawn", growth[i])->value * spawn_s);
}

/* Files carry the bytes of all processes at the given rate; the terms of a single process keep
 * their priors. */
static void fill_file(const char *step, double rate, struct nereus_linear_model *m)
{
    const char *of_process = strcmp(step, "write") == 0 ? "freed_bytes" : "touched_bytes";
    if (!(rate > 0))
        return;
    nereus_fit_set_prior(synthetic_name, "all_bytes", 1 / rate, NEREUS_FIT_UNSEEN, m);
    nereus_fit_add_term(m, "const", nereus_term_prior_of(step, "const")->value);
    nereus_fit_add_term(m, of_process, nereus_term_prior_of(step, of_process)->value);
}

/* Set the steps of a restart; its start includes the end of the old processes. */
static void fill_restart(const struct nereus_synthetic *cluster, struct nereus_linear_model *steps)
{
    fill_file("write", cluster->file_write, &steps[NEREUS_STEP_WRITE]);
    fill_file("read", cluster->file_read, &steps[NEREUS_STEP_READ]);
    if (!(cluster->start_s > 0))
        return;
    nereus_fit_set_prior(synthetic_name, "const", cluster->start_s, NEREUS_FIT_UNSEEN,
                         &steps[NEREUS_STEP_START]);
    nereus_fit_set_contained("start", &steps[NEREUS_STEP_END]);
}

/* List the methods that have a price for every step. */
static enum nereus_status fill_methods(struct nereus_profile *profile, struct nereus_error *err)
{
    static const char *const texts[] = {
        "merge",           "merge-single",       "merge-async",    "merge-single-async",
        "baseline",        "baseline-single",    "baseline-async", "merge-hypercube",
        "merge-diffusive", "baseline-hypercube", "merge-ts",       "merge-zs"};
    const size_t count = NEREUS_COUNT_OF(texts);
    profile->methods = calloc(count, sizeof *profile->methods);
    NEREUS_TRY_MEMORY(profile->methods, err, "for %zu methods", count);
    for (size_t i = 0; i < count; i++)
        NEREUS_TRY(nereus_method_parse(texts[i], &profile->methods[profile->method_count++], err));
    return NEREUS_OK;
}

static enum nereus_status fill_profile(const struct nereus_synthetic *cluster,
                                       struct nereus_profile *profile, struct nereus_error *err)
{
    const struct nereus_fit_rows none = {NULL, 0};
    struct nereus_linear_model *spawn = &profile->steps[NEREUS_STEP_SPAWN];
    snprintf(profile->cluster, sizeof profile->cluster, "%s", synthetic_name);
    snprintf(profile->mpi, sizeof profile->mpi, "no MPI");
    profile->cores_per_node = cluster->cores;
    profile->nodes = cluster->nodes;
    profile->pairs[NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES] =
        make_message_cost(cluster->latency_s, cluster->bandwidth);
    profile->operations[NEREUS_OPERATION_NODE] = make_message_cost(
        0, cluster->node_bandwidth > 0 ? cluster->node_bandwidth : cluster->bandwidth);
    fill_spawn(cluster->spawn_s, spawn);
    spawn->basis = NEREUS_BASIS_FITTED; /* priors of other kinds are ratios to it */
    nereus_fit_set_unmeasured(profile);
    spawn->basis = NEREUS_BASIS_PRIOR;
    fill_restart(cluster, profile->steps);
    NEREUS_TRY(nereus_fit_async(&none, profile, err));
    NEREUS_TRY(fill_methods(profile, err));
    return nereus_profile_prepare(profile, err);
}

enum nereus_status nereus_synthetic_profile(const struct nereus_synthetic *cluster,
                                            struct nereus_profile *profile,
                                            struct nereus_error *err)
{
    struct nereus_profile *new_profile = calloc(1, sizeof *new_profile);
    NEREUS_TRY_MEMORY(new_profile, err, "for a profile");
    const enum nereus_status status = fill_profile(cluster, new_profile, err);
    if (status == NEREUS_OK)
        *profile = *new_profile;
    else
        nereus_profile_fini(new_profile);
    free(new_profile);
    return status;
}
