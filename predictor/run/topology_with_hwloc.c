/** @file topology_with_hwloc.c  Describes this machine's cores and caches, by hwloc. */
#include <hwloc.h>

#include "this_machine.h"

void nereus_this_machine_topology(char *text, size_t bytes)
{
    hwloc_topology_t topology;
    text[0] = '\0';
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
        int numa = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
        int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        int threads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L3CACHE, 0);
        int length =
            snprintf(text, bytes, "packages: %d, NUMA nodes: %d, cores: %d, hardware threads: %d",
                     packages, numa, cores, threads);
        if (cache != NULL && length > 0 && (size_t)length < bytes) {
            snprintf(text + length, bytes - (size_t)length, ", L3: %.0f MiB",
                     (double)cache->attr->cache.size / (1024.0 * 1024.0));
        }
    }
    hwloc_topology_destroy(topology);
}
