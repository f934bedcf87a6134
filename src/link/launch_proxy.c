/* Ends an initial process with the launcher's proxy that started it (launched processes have guards
 * for that). */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "launch.h"
#include "model/util/process.h"

/* Only for Hydra's proxy, which lives as long as its processes and starts them from its only
 * thread: PR_SET_PDEATHSIG then refers to the proxy. */
static bool is_proxy(pid_t pid)
{
    struct nereus_process_stat process;
    return nereus_process_read(pid, &process) && strncmp(process.name, "hydra_pmi_proxy", 15) == 0;
}

void nereus_launch_end_with_proxy(void)
{
    const pid_t parent = getppid();
    if (!is_proxy(parent) || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return;
    if (getppid() != parent)
        raise(SIGKILL); /* the proxy has ended meanwhile */
}
