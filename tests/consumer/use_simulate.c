/* A workload of a program's own on a simulated cluster of eight nodes, with backfilling: the second
 * and third job wait for the first, and then run beside each other. */
#include <math.h>
#include <nereus/simulate.h>
#include <stdio.h>

static enum nereus_status simulate(struct nereus_workload *workload, double *wait_s,
                                   struct nereus_error *err)
{
    static const struct nereus_workload_line lines[] = {
        {.line = 1, .number = 1, .processors = 8, .submit_s = 0, .run_s = 10, .requested_s = -1},
        {.line = 2, .number = 2, .processors = 4, .submit_s = 1, .run_s = 10, .requested_s = -1},
        {.line = 3, .number = 3, .processors = 4, .submit_s = 2, .run_s = 5, .requested_s = -1}};
    const struct nereus_sim_settings settings = {.machine = {.nodes = 8, .cores_per_node = 1},
                                                 .scheduler = nereus_sim_schedulers[1]};
    struct nereus_sim_summary summary;
    bool interrupted;
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < 3 && status == NEREUS_OK; i++)
        status = nereus_workload_add(workload, &lines[i], err);
    if (status == NEREUS_OK)
        status = nereus_workload_prepare(workload, &settings.machine, err);
    if (status == NEREUS_OK)
        status = nereus_simulate(&settings, workload, &interrupted, err);
    nereus_sim_summarise(workload, settings.machine.nodes, NULL, &summary);
    *wait_s = summary.mean_wait_s;
    return status;
}

int main(void)
{
    struct nereus_workload workload = {0};
    struct nereus_error err;
    double wait_s;
    const enum nereus_status status = simulate(&workload, &wait_s, &err);
    nereus_workload_fini(&workload);
    if (status != NEREUS_OK) {
        fprintf(stderr, "use_simulate: %s\n", err.text);
        return 1;
    }
    printf("use_simulate: mean wait %g s\n", wait_s);
    return fabs(wait_s - 17. / 3) < 1e-9 ? 0 : 1; /* (0 + 9 + 8) / 3 */
}
