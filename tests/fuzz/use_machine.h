/**
 * @file use_machine.h
 * A machine that a parser has accepted: its numbers have to agree with each other.
 */
#pragma once

#include "fuzz.h"
#include "nereus/layout.h"

static inline void use_machine(struct nereus_machine *machine)
{
    const int64_t n = 5;
    int64_t cores = 0, processes = 0;
    for (int64_t node = 0; node < machine->node_count; node++) {
        FUZZ_CHECK(machine->nodes[node].name[0] != '\0');
        FUZZ_CHECK(nereus_machine_cores(machine, node) >= 1);
        cores += nereus_machine_cores(machine, node);
        processes += nereus_machine_node_processes(machine, 0, n, node);
    }
    FUZZ_CHECK(cores == nereus_machine_total_cores(machine));
    FUZZ_CHECK(processes == n);
    FUZZ_CHECK(nereus_machine_count_nodes(machine, n) <= machine->node_count);
    for (int64_t rank = 0; rank < n; rank++)
        FUZZ_CHECK(nereus_machine_node_of(machine, rank) < machine->node_count);
    nereus_machine_fini(machine);
}
