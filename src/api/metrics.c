/* nereus_metrics: monitored times and counters of a process. */
#include "src/monitor/monitor.h"

enum nereus_status nereus_metrics(const nereus_job *job, int rank, struct nereus_metrics *metrics)
{
    return nereus_monitor_metrics(job, rank, metrics);
}
