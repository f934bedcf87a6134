/**
 * @file scaling_stages.c
 * Computes iteration times from stages: computation, which all processes share, and measured
 * collectives (cost_collective.c).
 *
 *   T(n) = sum of work / n + sum of t(collective, n, bytes of one process' part)   t(.., 1, ..) = 0
 *
 * This is the prediction of Martín et al. (2015), section 4.5, with measured collectives instead of
 * formulas. Oversubscribed nodes are not modelled.
 */
#include "scaling_stages.h"

#include "model/price/cost_data.h"
#include "nereus/collective.h"

static enum nereus_status fail_at_stage(const char *word, size_t length, struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_PARSE,
        "'%.*s' is no stage: compute:SECONDS (of one process alone), barrier, bcast:BYTES, "
        "reduce:, allreduce:, gatherv:, allgather: or alltoall:BYTES (of one process' part), as in "
        "stages:compute:0.8,allreduce:8",
        (int)length, word);
}

static enum nereus_status parse_stage(const char *word, size_t length,
                                      struct nereus_scaling_stage *stage, struct nereus_error *err)
{
    char name[24];
    const size_t named = strcspn(word, ":,");
    if (named >= sizeof name)
        return fail_at_stage(word, length, err);
    memcpy(name, word, named);
    name[named] = '\0';
    stage->collective = nereus_collective_from_name(name);
    stage->amount = 0;
    const bool computes = strcmp(name, "compute") == 0;
    const bool known = stage->collective != NEREUS_COLLECTIVE_NONE &&
                       (nereus_collective_has_bytes(stage->collective) ||
                        stage->collective == NEREUS_COLLECTIVE_BARRIER);
    const bool has_amount = computes || (known && nereus_collective_has_bytes(stage->collective));
    if ((!computes && !known) || has_amount != (word[named] == ':'))
        return fail_at_stage(word, length, err);
    if (!has_amount)
        return NEREUS_OK;
    char *end;
    stage->amount = nereus_strtod(word + named + 1, &end);
    return end == word + length && end > word + named + 1 && isfinite(stage->amount) &&
                   stage->amount >= 0
               ? NEREUS_OK
               : fail_at_stage(word, length, err);
}

enum nereus_status nereus_scaling_stages_parse(const char *text, struct nereus_scaling *scaling,
                                               struct nereus_error *err)
{
    for (const char *word = text;; word++) {
        const size_t length = strcspn(word, ",");
        if (scaling->stage_count == NEREUS_SCALING_STAGES_MAX)
            return nereus_fail(err, NEREUS_ERR_PARSE, "more than %d stages",
                               (int)NEREUS_SCALING_STAGES_MAX);
        NEREUS_TRY(parse_stage(word, length, &scaling->stages[scaling->stage_count++], err));
        word += length;
        if (*word == '\0')
            return NEREUS_OK;
    }
}

static enum nereus_status compute_stage_s(const struct nereus_scaling *scaling,
                                          const struct nereus_scaling_stage *stage, int64_t n,
                                          double *time_s, struct nereus_error *err)
{
    const struct nereus_collective_call call = {stage->collective, n, stage->amount};
    *time_s = 0;
    if (stage->collective == NEREUS_COLLECTIVE_NONE) {
        *time_s = stage->amount / (double)n;
        return NEREUS_OK;
    }
    if (n == 1)
        return NEREUS_OK;
    if (scaling->profile == NULL ||
        nereus_cost_collective_s(scaling->profile, scaling->machine, &call, time_s) != NEREUS_OK)
        return nereus_fail(
            err, NEREUS_ERR_NO_BASIS,
            "the profile has no times of '%s': measure it with nereus calibrate, or leave the "
            "stage out",
            nereus_collective_name(stage->collective));
    return NEREUS_OK;
}

enum nereus_status nereus_scaling_stages_s(const struct nereus_scaling *scaling, int64_t n,
                                           double *t_iter_s, struct nereus_error *err)
{
    double sum_s = 0;
    for (int64_t i = 0; i < scaling->stage_count; i++) {
        double one_s;
        NEREUS_TRY(compute_stage_s(scaling, &scaling->stages[i], n, &one_s, err));
        sum_s += one_s;
    }
    if (!(sum_s > 0))
        return nereus_fail(
            err, NEREUS_ERR_NO_BASIS,
            "an iteration of %s takes no time with %lld process%s: add a stage compute",
            scaling->source, (long long)n, nereus_plural_es(n));
    *t_iter_s = sum_s;
    return NEREUS_OK;
}
