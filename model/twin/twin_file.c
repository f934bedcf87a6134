/**
 * @file twin_file.c
 * Writes a program's iterations as a configuration of the synthetic application (INI).
 */

#include "messages.h"
#include "twin.h"

/* Relative difference below which computing times count as equal. It is small, because the slowest
 * process determines the iteration. */
static const double imbalance_min = 0.01;

/* Longest table of shares; others are described by their deviation. */
enum { IMBALANCE_TEXT = 180 };

static bool is_unequal(const double *seconds, int count, double mean_s)
{
    double max = 0;
    for (int r = 0; r < count; r++)
        max = fmax(max, fabs(seconds[r] / mean_s - 1));
    return max >= imbalance_min;
}

/* Append a share.
 * @return false: there is no room */
static bool add_table(const double *seconds, int count, double mean_s, char text[IMBALANCE_TEXT])
{
    size_t offset = strlen(text);
    for (int r = 0; r < count && offset < IMBALANCE_TEXT; r++) {
        offset += (size_t)nereus_snprintf(text + offset, IMBALANCE_TEXT - offset, "%s%.4g",
                                          r > 0 ? "," : "", seconds[r] / mean_s);
    }
    return offset < IMBALANCE_TEXT;
}

/* Write random shares with the same standard deviation, where a table would be too long. */
static void describe_randomly(const double *seconds, int count, double mean_s,
                              char text[IMBALANCE_TEXT])
{
    double sum = 0;
    for (int r = 0; r < count; r++)
        sum += pow(seconds[r] / mean_s - 1, 2);
    nereus_snprintf(text, IMBALANCE_TEXT, "normal:%.3g", fmin(1, sqrt(sum / count)));
}

bool nereus_twin_has_same_stages(const struct nereus_twin *a, const struct nereus_twin *b)
{
    bool alike = a->stage_count == b->stage_count;
    for (int k = 0; k < a->stage_count && alike; k++)
        alike = strcmp(a->stages[k].type, b->stages[k].type) == 0;
    return alike;
}

/* Write FactorS for each watched size; if stages differ, by the total computing time. */
static void write_imbalance(const struct nereus_twin *twin, const struct nereus_twin *next_twin,
                            int i, FILE *stream)
{
    char text[IMBALANCE_TEXT] = "";
    const bool same_stages = next_twin != NULL && nereus_twin_has_same_stages(twin, next_twin);
    const struct nereus_twin_stage *stage = &twin->stages[i],
                                   *later_stage = same_stages ? &next_twin->stages[i] : NULL;
    const double *then_s = later_stage != NULL ? later_stage->by_rank_s
                           : next_twin != NULL ? next_twin->total_s
                                               : NULL,
                 mean_s = later_stage != NULL ? later_stage->compute_s
                          : next_twin != NULL ? next_twin->times.compute_s
                                              : 0;
    const bool is_unequal_now = is_unequal(stage->by_rank_s, twin->processes, stage->compute_s),
               is_unequal_then =
                   next_twin != NULL && is_unequal(then_s, next_twin->processes, mean_s);
    if (!is_unequal_now && !is_unequal_then)
        return;
    bool fits = twin->processes <= NEREUS_TWIN_RANKS_MAX &&
                add_table(stage->by_rank_s, twin->processes, stage->compute_s, text);
    if (fits && next_twin != NULL) {
        nereus_snprintf(text + strlen(text), IMBALANCE_TEXT - strlen(text), " | ");
        fits = next_twin->processes <= NEREUS_TWIN_RANKS_MAX &&
               add_table(then_s, next_twin->processes, mean_s, text);
    }
    if (!fits && (is_unequal_now || next_twin == NULL))
        describe_randomly(stage->by_rank_s, twin->processes, stage->compute_s, text);
    else if (!fits)
        describe_randomly(then_s, next_twin->processes, mean_s, text);
    nereus_fprintf(stream, "imbalance = %s\n", text);
}

static void write_stage(const struct nereus_twin *twin, const struct nereus_twin_job *job, int i,
                        FILE *stream)
{
    const struct nereus_twin_stage *stage = &twin->stages[i];
    nereus_fprintf(stream, "\n[stage%d]\ntype = %s\n", i, stage->type);
    if (fabs(stage->interval_iterations - 1) > 1e-9)
        nereus_fprintf(stream, "every = %.6g\n", stage->interval_iterations);
    if (stage->by_rank_s != NULL) { /* on one process; FactorS is 1 / processes */
        nereus_fprintf(stream, "time_s = %.6g\n", stage->compute_s * twin->processes);
        write_imbalance(twin, job->next_twin, i, stream);
    } else if (strcmp(stage->type, "barrier") != 0 && strcmp(stage->type, "wait") != 0) {
        nereus_fprintf(stream, "bytes = %lld\n", (long long)stage->bytes);
    }
    if (stage->processes > 0)
        nereus_fprintf(stream, "processes = %d\n", stage->processes);
    if (stage->root > 0)
        nereus_fprintf(stream, "root = %d\n", stage->root);
    if (stage->message_count > 0) {
        char text[NEREUS_MESSAGES_TEXT];
        const bool listed = nereus_messages_list(stage, twin->processes, text);
        nereus_fprintf(stream, "neighbours = %s\n", listed ? text : job->messages);
    }
}

static void write_general(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                          const char *command, FILE *stream)
{
    nereus_fprintf(
        stream,
        "# Twin of: %s\n# %lld iteration%s of %.4g s on %d process%s were seen; %.0f %% of an "
        "iteration is computing.\n",
        command, (long long)twin->iterations, nereus_plural_s(twin->iterations),
        twin->times.iteration_s, twin->processes, nereus_plural_es(twin->processes),
        100 * twin->times.compute_s / twin->times.iteration_s);
    if (job->next_twin != NULL) {
        nereus_fprintf(stream, "# And of %.4g s on %d process%s: FactorS of group1.\n",
                       job->next_twin->times.iteration_s, job->next_twin->processes,
                       nereus_plural_es(job->next_twin->processes));
    }
    /* the times are those of this machine, and so must T_op be */
    fputs("\n[general]\nGranularity = 20\nT_op = measured\n", stream);
    if (twin->lacks_thread_multiple &&
        job->nt == 0) /* a change of size may be asynchronous, and then needs more */
        fputs("threads = single\n", stream);
    if (job->constant_bytes + job->variable_bytes > 0) {
        nereus_fprintf(stream, "constant_bytes = %lld\nvariable_bytes = %lld\n",
                       (long long)job->constant_bytes, (long long)job->variable_bytes);
    }
}

static void write_groups(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                         FILE *stream)
{
    const long long iterations_before = job->iterations > 0 ? (long long)job->iterations
                                                            : (long long)twin->iterations,
                    iterations_after = job->iterations_after > 0 ? (long long)job->iterations_after
                                                                 : iterations_before;
    nereus_fprintf(stream, "\n[group0]\niterations = %lld\nprocesses = %d\n", iterations_before,
                   twin->processes);
    if (job->nt == 0)
        return;
    nereus_fprintf(stream, "\n[group1]\niterations = %lld\nprocesses = %lld\nmethod = %s\n",
                   iterations_after, (long long)job->nt,
                   job->method != NULL ? job->method : "merge/coll");
    if (job->next_twin != NULL && twin->times.compute_s > 0) {
        nereus_fprintf(stream, "FactorS = %.6g\n",
                       job->next_twin->times.compute_s / (twin->times.compute_s * twin->processes));
    }
}

void nereus_twin_write(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                       const char *command, FILE *stream)
{
    write_general(twin, job, command, stream);
    for (int i = 0; i < twin->stage_count; i++)
        write_stage(twin, job, i, stream);
    write_groups(twin, job, stream);
}
