/**
 * @file stamps.c
 * Packs stamps as one array of doubles, so that one message or reduction carries those of all
 * steps.
 */
#include "stamps.h"

#include "src/util/clock.h"

int64_t nereus_stamps_count_doubles(const struct nereus_plan *plan)
{
    return PACKED_HEAD + PACKED_PER_STEP * plan->step_count;
}

enum nereus_status nereus_stamps_begin(nereus_job *job, const struct nereus_plan *plan,
                                       struct nereus_error *err)
{
    free(job->times.stamps);
    memset(&job->times, 0, sizeof job->times);
    job->times.stamps = calloc((size_t)plan->step_count + 1, sizeof *job->times.stamps);
    NEREUS_TRY_MEMORY(job->times.stamps, err, "for the times of %d steps", plan->step_count);
    return NEREUS_OK;
}

void nereus_stamps_pack(const nereus_job *job, const struct nereus_plan *plan, double *packed_times)
{
    const struct step_times *times = &job->times;
    const double correction_s = nereus_clock_correction_s();
    packed_times[PACKED_START] =
        times->stamps[0].taken ? times->stamps[0].arrival_s + correction_s : NAN;
    packed_times[PACKED_END] = times->end_s > 0 ? times->end_s + correction_s : NAN;
    packed_times[PACKED_THREAD] = times->thread_s;
    packed_times[PACKED_THREAD_CPU] = times->thread_cpu_s;
    packed_times[PACKED_MOVED_BYTES] = (double)job->registry.coming_bytes;
    packed_times[PACKED_KEPT_BYTES] = (double)job->registry.staying_bytes;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_stamp *stamp = &times->stamps[i];
        double *row = packed_times + PACKED_HEAD + i * PACKED_PER_STEP;
        row[0] = stamp->arrival_s + correction_s;
        row[1] = stamp->departure_s + correction_s;
        row[2] = stamp->taken ? 1 : 0;
    }
}
