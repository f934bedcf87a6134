/** @file launch_hosts.c  The hosts of a machine, for the launcher. */
#include "launch_hosts.h"

#include <stdio.h>
#include <string.h>

#include "this_machine.h"

enum nereus_status nereus_launch_hosts_write(const struct nereus_machine *machine, const char *path,
                                             struct nereus_error *err)
{
    FILE *file = fopen(path, "we");
    for (int64_t node = 0; file != NULL && node < machine->node_count;) {
        char name[NEREUS_NODE_NAME_MAX], other[NEREUS_NODE_NAME_MAX];
        int64_t cores = 0;
        nereus_node_host(machine, node, name);
        do {
            cores += machine->nodes[node++].cores;
            nereus_node_host(machine, node < machine->node_count ? node : 0, other);
        } while (node < machine->node_count && strcmp(name, other) == 0);
        fprintf(file, "%s:%lld\n", name, (long long)cores);
    }
    return file != NULL && fclose(file) == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be written", path);
}
