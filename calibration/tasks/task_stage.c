/**
 * @file task_stage.c
 * One operation of a stage of nereus-sam that computes: T_op (Martin-Alvarez et al. (2024b),
 * section 4.4), by the application's own code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/values.h"
#include "nereus/profile.h"
#include "sam/synthetic/compute.h"
#include "task.h"

static bool fail_with(const char *sentence)
{
    fprintf(stderr, "nereus-calibrate: stage: %s\n", sentence);
    return false;
}

static bool run_task(struct nereus_task_run *run)
{
    struct sam_work work;
    struct nereus_error err;
    const char *stage = run->stage != NULL ? run->stage : "";
    const bool pi = strncmp(stage, "pi:", 3) == 0;
    int64_t granularity = 0;
    if (!nereus_stage_has_granularity(stage) || (!pi && strncmp(stage, "matrix:", 7) != 0))
        return fail_with("--stage must be a stage and its granularity, as pi:100 or matrix:100");
    if (nereus_value_parse_integer("the granularity", strchr(stage, ':') + 1, 1, &granularity,
                                   &err) != NEREUS_OK)
        return fail_with(err.text);
    nereus_task_bind(run);
    if (sam_work_init(&work, pi ? SAM_PI : SAM_MATRIX, granularity, run->rank, &err) != NEREUS_OK)
        return fail_with(err.text);
    const double t_op_s = sam_work_measure(&work);
    sam_work_fini(&work);
    return nereus_task_write_stage(run, t_op_s);
}

const struct nereus_task nereus_task_stage = {
    .name = "stage",
    .help = "one operation of a stage that computes: --stage pi:GRANULARITY or matrix:GRANULARITY",
    .threads = false,
    .run = run_task,
};
