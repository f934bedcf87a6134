/* A process of the initial world ends with the proxy that started it: see launch.h. (For launched
 * processes their guards do that.) */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "launch.h"

/* Only Hydra's proxy is known to live as long as its processes, and to start them from its only
 * thread, whose end the kernel takes for the parent's. */
static bool is_proxy(pid_t pid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const bool known =
        fgets(name, sizeof name, file) != NULL && strncmp(name, "hydra_pmi_proxy", 15) == 0;
    fclose(file);
    return known;
}

void nereus_launch_end_with_proxy(void)
{
    const pid_t parent = getppid();
    if (!is_proxy(parent) || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return;
    if (getppid() != parent)
        raise(SIGKILL); /* it ended meanwhile */
}
