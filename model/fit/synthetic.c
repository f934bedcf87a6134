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
#include "model/util/option.h"
#include "priors.h"

#define AT(member) NULL, offsetof(struct nereus_synthetic, member), NULL
static const struct nereus_option keys[] = {
    {"nodes", 0, NEREUS_OPTION_COUNT, "16", AT(nodes)},
    {"cores", 0, NEREUS_OPTION_COUNT, "20", AT(cores)},
    {"latency", 0, NEREUS_OPTION_SECONDS, "1.5us", AT(latency_s)},
    {"bandwidth", 0, NEREUS_OPTION_RATE, "12GB/s", AT(bandwidth)},
    {"spawn", 0, NEREUS_OPTION_SECONDS, "0.3s", AT(spawn_s)},
    {"node-bandwidth", 0, NEREUS_OPTION_RATE, "12GB/s", AT(node_bandwidth)},
    {"file-write", 0, NEREUS_OPTION_RATE, "2GB/s", AT(file_write)},
    {"file-read", 0, NEREUS_OPTION_RATE, "4GB/s", AT(file_read)},
    {"start", 0, NEREUS_OPTION_SECONDS, "0.5s", AT(start_s)},
};
#undef AT
static const char synthetic_name[] = "a synthetic cluster";

enum nereus_status nereus_synthetic_parse(const char *text, struct nereus_synthetic *cluster,
                                          struct nereus_error *err)
{
    static const struct nereus_entries entries = {"--synthetic", keys, NEREUS_COUNT_OF(keys),
                                                  " ,\t\n", ':'};
    struct nereus_synthetic parsed = {16, 20, 1.5e-6, 12e9, 0.3, 0, 0, 0, 0};
    NEREUS_TRY(nereus_entries_store(&entries, text, &parsed, err));
    const struct {
        const char *key;
        int64_t value, max;
    } limits[] = {{"nodes", parsed.nodes, NEREUS_EQUAL_NODES_MAX},
                  {"cores", parsed.cores, INT32_MAX}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(limits); i++)
        if (limits[i].value > limits[i].max)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--synthetic %s must be at most %lld, not %lld", limits[i].key,
                               (long long)limits[i].max, (long long)limits[i].value);
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
