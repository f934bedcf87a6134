/**
 * @file spread.c
 * Makes the spread placement, with as few processes per node as possible (Martín-Álvarez et al.
 * (2024b), section 4.4, Dist).
 */
#include "model/util/base.h"
#include "nereus/layout.h"

enum nereus_status nereus_machine_spread(const struct nereus_machine *machine, int64_t processes,
                                         int64_t *on_node, struct nereus_error *err)
{
    int64_t left = processes;
    for (int64_t node = 0; node < machine->node_count; node++)
        on_node[node] = 0;
    for (int64_t round = 0, before = left + 1; left > 0 && left < before; round++) {
        before = left;
        for (int64_t node = 0; node < machine->node_count && left > 0; node++) {
            const int64_t takes = machine->nodes[node].cores > round ? 1 : 0;
            on_node[node] += takes;
            left -= takes;
        }
    }
    return left == 0 ? NEREUS_OK
                     : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                                   "%lld process%s cannot be spread over nodes that have room for "
                                   "%lld",
                                   (long long)processes, nereus_plural_es(processes),
                                   (long long)(processes - left));
}
