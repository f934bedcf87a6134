/** @file launch_hosts.c  The hosts of a machine, for the launcher. */
#include "launch_hosts.h"

#include <stdio.h>
#include <string.h>

#include "model/util/file.h"
#include "model/util/try.h"
#include "this_machine.h"

enum nereus_status nereus_launch_hosts_write(const struct nereus_machine *machine, const char *path,
                                             struct nereus_error *err)
{
    struct nereus_file_replace file;
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    file.transient = true;
    for (int64_t node = 0; node < machine->node_count;) {
        char name[NEREUS_NODE_NAME_MAX], other[NEREUS_NODE_NAME_MAX];
        int64_t cores = 0;
        nereus_node_host(machine, node, name);
        do {
            cores += machine->nodes[node++].cores;
            nereus_node_host(machine, node < machine->node_count ? node : 0, other);
        } while (node < machine->node_count && strcmp(name, other) == 0);
        fprintf(file.stream, "%s:%lld\n", name, (long long)cores);
    }
    return nereus_file_replace_commit(&file, err);
}
