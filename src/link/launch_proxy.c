/**
 * @file launch_proxy.c
 * Ends an initial process with the launcher's proxy that started it (launched processes have guards
 * for that).
 */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "launch.h"
#include "model/util/process.h"
#include "src/mpi/process_manager.h"

/* Is the parent a proxy? A proxy lives as long as its processes and starts them from its only
 * thread, so that PR_SET_PDEATHSIG refers to the proxy. The kernel stores 15 characters of its
 * name. */
static bool is_proxy(pid_t pid)
{
    enum { NAME_MAX_IN_KERNEL = 15 };
    const char *proxy = nereus_process_manager()->proxy;
    struct nereus_process_stat process;
    return proxy != NULL && nereus_process_read(pid, &process) &&
           strncmp(process.name, proxy, NAME_MAX_IN_KERNEL) == 0;
}

void nereus_launch_end_with_proxy(void)
{
    const pid_t parent = getppid();
    if (!is_proxy(parent) || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return;
    if (getppid() != parent)
        raise(SIGKILL); /* the proxy has ended meanwhile */
}
