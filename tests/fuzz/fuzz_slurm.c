/**
 * @file fuzz_slurm.c
 * Reads the variables of a Slurm allocation, one per line: nodes, CPUs per node, CPUs on this node,
 * tasks per node, CPUs per task. An empty line is a variable that is not set.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "model/layout/slurm.h"

static const char *variable(char **text)
{
    const char *field = fuzz_field(text);
    return field[0] != '\0' ? field : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_machine around = {0};
    char *copy = fuzz_text(data, size), *position = copy, *hosts = NULL;
    struct nereus_slurm slurm = {0};
    slurm.nodes = fuzz_field(&position);
    slurm.cpus_per_node = variable(&position);
    slurm.cpus_on_node = variable(&position);
    slurm.tasks_per_node = variable(&position);
    slurm.cpus_per_task = atoll(fuzz_field(&position));
    if (fuzz_accepted(nereus_slurm_hosts(&slurm, 0, &hosts, &err), &err)) {
        FUZZ_CHECK(hosts != NULL);
        free(hosts);
    }
    if (fuzz_accepted(nereus_machine_from_environment(&slurm, "here", 4, &around, &err), &err)) {
        FUZZ_CHECK(nereus_machine_cores_per_process(&around) >= 1);
        nereus_machine_fini(&around);
    }
    free(copy);
    return 0;
}
