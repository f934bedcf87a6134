/** @file sim_record.c  Collects what a picture of a simulation shows, change by change. */
#include "sim_record.h"

enum nereus_status nereus_sim_record_init(int32_t nodes, double from_s, double until_s,
                                          struct nereus_sim_record *record,
                                          struct nereus_error *err)
{
    *record = (struct nereus_sim_record){.nodes = nodes, .from_s = from_s, .until_s = until_s};
    record->holders = calloc((size_t)nodes, sizeof *record->holders);
    NEREUS_TRY_MEMORY(record->holders, err, "for the picture of %d nodes", nodes);
    for (int32_t i = 0; i < nodes; i++)
        record->holders[i].job = NEREUS_SIM_NONE;
    return NEREUS_OK;
}

void nereus_sim_record_fini(struct nereus_sim_record *record)
{
    free(record->holders);
    free(record->bars);
    free(record->uses);
    *record = (struct nereus_sim_record){0};
}

static bool is_in_window(const struct nereus_sim_record *record, double begin_s, double end_s)
{
    return end_s > begin_s && (record->until_s <= record->from_s ||
                               (end_s > record->from_s && begin_s < record->until_s));
}

static void add_bar(struct nereus_sim_record *record, const struct nereus_sim_bar *bar)
{
    if (!is_in_window(record, bar->begin_s, bar->end_s))
        return;
    if (record->bar_count < NEREUS_SIM_BARS_MAX) {
        struct nereus_sim_bar *bars =
            nereus_grow(record->bars, record->bar_count, sizeof *record->bars);
        record->no_memory |= bars == NULL;
        if (bars == NULL)
            return;
        record->bars = bars;
        bars[record->bar_count] = *bar;
    }
    record->bar_count++;
}

static bool is_same_holder(const struct nereus_sim_holder *a, const struct nereus_sim_holder *b)
{
    return a->job == b->job && a->since_s == b->since_s && a->resizing == b->resizing;
}

/* Add bars for the nodes that a job, or with NEREUS_SIM_NONE every job, has held until now. */
static void close_bars(struct nereus_sim_record *record, int32_t job)
{
    for (int32_t i = 0; i < record->nodes;) {
        const struct nereus_sim_holder first = record->holders[i];
        struct nereus_sim_bar bar = {first.job, i, 0, first.since_s, record->now_s, first.resizing};
        while (i < record->nodes && is_same_holder(&record->holders[i], &first)) {
            if (first.job == job)
                record->holders[i].job = NEREUS_SIM_NONE;
            bar.count++;
            i++;
        }
        if (first.job != NEREUS_SIM_NONE && (first.job == job || job == NEREUS_SIM_NONE))
            add_bar(record, &bar);
    }
}

static void add_use(struct nereus_sim_record *record, int32_t held)
{
    struct nereus_sim_use *last =
        record->use_count > 0 ? &record->uses[record->use_count - 1] : NULL;
    if (last != NULL && last->time_s == record->now_s) {
        last->held = held;
        return;
    }
    struct nereus_sim_use *uses =
        nereus_grow(record->uses, record->use_count, sizeof *record->uses);
    record->no_memory |= uses == NULL;
    if (uses != NULL) {
        record->uses = uses;
        uses[record->use_count++] = (struct nereus_sim_use){record->now_s, held};
    }
}

void nereus_sim_record_change(struct nereus_sim_record *record, const struct nereus_sim *sim,
                              int32_t job_index)
{
    const struct nereus_sim_job *job = &sim->jobs[job_index];
    record->now_s = sim->now_s;
    close_bars(record, job_index);
    for (int32_t node = job->first_node; node != NEREUS_SIM_NONE; node = sim->cluster.next[node])
        record->holders[node] = (struct nereus_sim_holder){job_index, sim->now_s, job->resizing};
    add_use(record, sim->cluster.nodes - sim->cluster.free - sim->cluster.down);
}

void nereus_sim_record_finish(struct nereus_sim_record *record)
{
    close_bars(record, NEREUS_SIM_NONE);
}
