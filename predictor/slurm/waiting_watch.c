/** @file waiting_watch.c  Finds jobs that wait although idle nodes would be enough for them. */
#include "waiting_watch.h"

#include "predictor/cli/command.h"

static int64_t count_reads(const struct nereus_waiting_watch *watch, const char *id)
{
    for (int64_t i = 0; i < watch->count; i++)
        if (strcmp(watch->seen[i].id, id) == 0)
            return watch->seen[i].reads;
    return 0;
}

static void note_left_out(const struct nereus_slurm_waiting *waiting,
                          const struct nereus_slurm_queue *queue)
{
    nereus_cli_note(
        "job %s waits although %lld node%s %s idle, and it needs %lld: for a while no job "
        "gives up nodes for it, or keeps from growing",
        waiting->id, (long long)queue->idle_nodes, nereus_plural_s(queue->idle_nodes),
        nereus_choose_plural(queue->idle_nodes, "is", "are"),
        (long long)nereus_slurm_count_needed_nodes(waiting, queue));
}

enum nereus_status nereus_waiting_watch_update(struct nereus_waiting_watch *watch,
                                               struct nereus_slurm_queue *queue,
                                               struct nereus_error *err)
{
    struct nereus_waiting_watch now = {
        .seen = calloc((size_t)queue->waiting_count + 1, sizeof *now.seen)};
    NEREUS_TRY_MEMORY(now.seen, err, "for the jobs that wait");
    int64_t idle = queue->idle_nodes;
    for (int64_t i = 0; i < queue->waiting_count; i++) {
        struct nereus_slurm_waiting *waiting = &queue->waiting[i];
        const int64_t needed = nereus_slurm_count_needed_nodes(waiting, queue),
                      reads = count_reads(watch, waiting->id) + 1;
        const bool was_left_out = reads > NEREUS_WAITING_LOOKS;
        if ((needed > idle && !was_left_out) ||
            reads > NEREUS_WAITING_LOOKS + NEREUS_WAITING_LOOKS_OUT)
            continue;
        struct nereus_waiting_seen *seen = &now.seen[now.count++];
        memcpy(seen->id, waiting->id, sizeof seen->id);
        seen->reads = reads;
        waiting->is_left_out = reads >= NEREUS_WAITING_LOOKS;
        idle -= waiting->is_left_out ? 0 : needed;
        if (reads == NEREUS_WAITING_LOOKS)
            note_left_out(waiting, queue);
    }
    nereus_waiting_watch_fini(watch);
    *watch = now;
    return NEREUS_OK;
}

void nereus_waiting_watch_fini(struct nereus_waiting_watch *watch)
{
    free(watch->seen);
    *watch = (struct nereus_waiting_watch){.count = 0};
}
