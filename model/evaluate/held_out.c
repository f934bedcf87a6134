/** @file held_out.c  Chooses pairs of sizes to hold out, and fits a profile without their rows. */
#include "held_out.h"

#include "model/util/values.h"

static enum nereus_status parse_pair(char *word, struct nereus_size_pair *pair,
                                     struct nereus_error *err)
{
    char *nt = strchr(word, ':');
    if (nt == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--pairs needs pairs such as 2:4 (from 2 to 4 processes), not '%s'",
                           word);
    }
    *nt++ = '\0';
    NEREUS_TRY(
        nereus_value_parse_integer("--pairs: the number before ':'", word, 1, &pair->ns, err));
    return nereus_value_parse_integer("--pairs: the number after ':'", nt, 1, &pair->nt, err);
}

static enum nereus_status check_once(const struct nereus_size_pair *pairs, int last,
                                     struct nereus_error *err)
{
    for (int i = 0; i < last; i++) {
        if (pairs[i].ns == pairs[last].ns && pairs[i].nt == pairs[last].nt) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--pairs names %lld:%lld twice",
                               (long long)pairs[i].ns, (long long)pairs[i].nt);
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_pairs_parse(const char *text, struct nereus_size_pair *pairs,
                                      int capacity, int *count, struct nereus_error *err)
{
    char *copy = strdup(text), *rest = copy, *word;
    NEREUS_TRY_MEMORY(copy, err, "for --pairs");
    enum nereus_status status = NEREUS_OK;
    *count = 0;
    while (status == NEREUS_OK && (word = strsep(&rest, ",")) != NULL) {
        status = *count == capacity ? nereus_fail(err, NEREUS_ERR_ARGUMENT,
                                                  "--pairs holds more than %d pairs", capacity)
                                    : parse_pair(word, &pairs[*count], err);
        if (status == NEREUS_OK)
            status = check_once(pairs, (*count)++, err);
    }
    free(copy);
    return status;
}

static bool is_of_pair(const struct nereus_sample *row, const struct nereus_size_pair *pair)
{
    const bool is_reconfiguration = row->kind == NEREUS_SAMPLE_RECONFIGURATION;
    /* Rows of plain MPI calls have no method and belong to no pair. */
    const bool step = row->kind == NEREUS_SAMPLE_STEP && row->method.has_data;
    return (is_reconfiguration || step) && row->ns == pair->ns && row->nt == pair->nt;
}

bool nereus_pair_was_measured(const struct nereus_samples *samples, const char *cluster,
                              const struct nereus_size_pair *pair)
{
    for (int64_t i = 0; i < samples->count; i++)
        if (strcmp(samples->rows[i].cluster, cluster) == 0 && is_of_pair(&samples->rows[i], pair))
            return true;
    return false;
}

static int add_size(int64_t *sizes, int count, int64_t size, int64_t slots)
{
    if (size < 1 || (slots > 0 && size > slots))
        return count;
    for (int i = 0; i < count; i++)
        if (sizes[i] == size)
            return count;
    sizes[count] = size;
    return count + 1;
}

int nereus_pairs_list_held_out(int64_t cores, int64_t slots, const struct nereus_samples *samples,
                               const char *cluster, struct nereus_size_pair *pairs, int capacity)
{
    const int64_t tried[] = {1, 2, 3, (cores + 1) / 2, cores, cores + (cores + 1) / 2, 2 * cores};
    enum { TRIED = NEREUS_COUNT_OF(tried) };
    int64_t sizes[TRIED];
    int size_count = 0, count = 0;
    for (int i = 0; i < TRIED; i++)
        size_count = add_size(sizes, size_count, tried[i], slots);
    for (int measured = 0; measured < 2; measured++) {
        for (int i = 0; i < size_count * size_count && count < capacity; i++) {
            const struct nereus_size_pair pair = {sizes[i / size_count], sizes[i % size_count]};
            if (pair.ns != pair.nt &&
                nereus_pair_was_measured(samples, cluster, &pair) == (measured == 1))
                pairs[count++] = pair;
        }
    }
    return count;
}

/* Copy the members that describe the machine and the measurement. A fit sets some of them too, but
 * from the rows alone: cores per node, and the campaigns of a machine of unknown kind. */
static void copy_provenance(const struct nereus_profile *base, struct nereus_profile *profile)
{
    memcpy(profile->host, base->host, sizeof profile->host);
    memcpy(profile->date, base->date, sizeof profile->date);
    memcpy(profile->mpi, base->mpi, sizeof profile->mpi);
    memcpy(profile->launcher, base->launcher, sizeof profile->launcher);
    memcpy(profile->machine_kind, base->machine_kind, sizeof profile->machine_kind);
    profile->campaign_log_sd = base->campaign_log_sd;
    profile->campaign_of_shrinks_log_sd = base->campaign_of_shrinks_log_sd;
    profile->cores_per_node = base->cores_per_node;
    profile->nodes = base->nodes;
}

enum nereus_status nereus_held_out_fit(const struct nereus_samples *samples,
                                       const struct nereus_size_pair *pairs, int count,
                                       const struct nereus_profile *base,
                                       struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_samples kept_samples = {
        .rows = calloc((size_t)samples->count + 1, sizeof *kept_samples.rows)};
    NEREUS_TRY_MEMORY(kept_samples.rows, err, "for %lld samples", (long long)samples->count);
    for (int64_t i = 0; i < samples->count; i++) {
        bool out = false;
        for (int p = 0; p < count; p++)
            out = out || is_of_pair(&samples->rows[i], &pairs[p]);
        if (!out)
            kept_samples.rows[kept_samples.count++] = samples->rows[i];
    }
    memset(profile, 0, sizeof *profile);
    const enum nereus_status status =
        nereus_profile_fit(&kept_samples, base->cluster, profile, err);
    if (status == NEREUS_OK)
        copy_provenance(base, profile);
    nereus_samples_fini(&kept_samples);
    return status;
}
