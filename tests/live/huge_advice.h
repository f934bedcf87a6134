/** @file huge_advice.h  Has the kernel been advised to use huge pages for an address? */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/** Can this kernel be advised at all? */
static inline bool kernel_has_huge_pages(void)
{
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

/** By the flag "hg" of its mapping in /proc/self/smaps (proc(5)). */
static inline bool has_huge_advice(const void *address)
{
    char line[1024];
    bool here = false, advised = false;
    FILE *file = fopen("/proc/self/smaps", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        uintptr_t first, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
            here = (uintptr_t)address >= first && (uintptr_t)address < end;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            advised = strstr(line, " hg") != NULL;
    }
    if (file != NULL)
        fclose(file);
    return advised;
}
