/**
 * @file data_memory.c
 * Memory: the target reads from the source's process, and touches new pages.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "data_operations.h"
#include "task.h"

static bool read_source(const struct nereus_data_pair *pair, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        struct iovec local = {pair->buffer + done, bytes - done};
        struct iovec remote = {(void *)(uintptr_t)((unsigned long long)pair->address + done),
                               bytes - done};
        const ssize_t got = process_vm_readv((pid_t)pair->process, &local, 1, &remote, 1, 0);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Try to read a byte, which the system may refuse: other users, ptrace_scope, seccomp, PID
 * namespaces. */
static bool meet_source(struct nereus_data_pair *pair)
{
    long long where[2] = {getpid(), (long long)(intptr_t)pair->buffer};
    MPI_Bcast(where, 2, MPI_LONG_LONG, 0, pair->both);
    pair->process = where[0];
    pair->address = where[1];
    int works = pair->is_source || read_source(pair, 1);
    MPI_Bcast(&works, 1, MPI_INT, 1, pair->both);
    return works != 0;
}

static void run_shared_round(struct nereus_data_pair *pair, size_t bytes)
{
    if (!pair->is_source && !read_source(pair, bytes))
        nereus_task_abort("the memory of the source cannot be read any more");
}

/* Large parts of the library's data are of this size on few processes; larger is not advised. */
enum { LARGEST_TOUCH_BYTES = 64 << 20 };

/* advice: MADV_NORMAL or MADV_HUGEPAGE, which a kernel without huge pages refuses: then it is
 * measured all the same, and found not to pay. */
static void touch_pages(struct nereus_data_pair *pair, size_t bytes, int advice)
{
    if (pair->is_source)
        return;
    pair->fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pair->fresh == MAP_FAILED)
        nereus_task_abort("no memory for new pages");
    madvise(pair->fresh, bytes, advice);
    const long page = sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < bytes; at += (size_t)page)
        *((volatile unsigned char *)pair->fresh + at) = 1;
}

static void touch_round(struct nereus_data_pair *pair, size_t bytes)
{
    touch_pages(pair, bytes, MADV_NORMAL);
}

static void touch_huge_round(struct nereus_data_pair *pair, size_t bytes)
{
    touch_pages(pair, bytes, MADV_HUGEPAGE);
}

static void unmap_pages(struct nereus_data_pair *pair, size_t bytes)
{
    if (pair->fresh != NULL)
        munmap(pair->fresh, bytes);
    pair->fresh = NULL;
}

const struct nereus_data_operation nereus_data_shared = {
    .operation = NEREUS_OPERATION_SHARED, .begin = meet_source, .round = run_shared_round};
const struct nereus_data_operation nereus_data_touch = {.operation = NEREUS_OPERATION_TOUCH,
                                                        .largest_bytes = LARGEST_TOUCH_BYTES,
                                                        .round = touch_round,
                                                        .after = unmap_pages};
const struct nereus_data_operation nereus_data_touch_huge = {.operation =
                                                                 NEREUS_OPERATION_TOUCH_HUGE,
                                                             .largest_bytes = LARGEST_TOUCH_BYTES,
                                                             .round = touch_huge_round,
                                                             .after = unmap_pages};
