/**
 * @file pack_memory.c
 * Messages of src/util/pack_buffer.h where one process lacks memory: they fail in all processes,
 * and the next ones work.
 *
 *   pack_memory broadcast|gather RANK broken|limited     under nereus-mpiexec -n NP
 *
 * broken: that process had no memory to pack its record. limited: it has none to receive 1 GiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/util/pack_buffer.h"

enum { LARGE_BYTES = 1 << 30, SPARE_BYTES = 256 << 20 };

/* Limit the address space to what this process has, and some for MPI's own messages. */
static void limit_memory(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld", &pages) != 1)
        abort();
    fclose(file);
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + SPARE_BYTES;
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
}

static void restore_memory(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

static enum nereus_status send(bool broadcasts, struct pack_buffer *pack, struct nereus_error *err)
{
    return broadcasts ? nereus_pack_broadcast(pack, MPI_COMM_WORLD, err)
                      : nereus_pack_gather(pack, MPI_COMM_WORLD, err);
}

/* All processes must fail. */
static bool fails(bool broadcasts, bool broken, bool lacks, int rank, int size)
{
    struct nereus_error error = {0};
    struct pack_buffer pack = {0};
    pack.bytes = broken        ? 0
                 : !broadcasts ? LARGE_BYTES / (size_t)size
                 : rank == 0   ? LARGE_BYTES
                               : 0;
    pack.broken = broken && lacks;
    if (!broken && lacks)
        limit_memory();
    const enum nereus_status status = send(broadcasts, &pack, &error);
    restore_memory();
    if (status == NEREUS_ERR_MEMORY && pack.data == NULL)
        return true;
    printf("rank %d: status %d (%s), data %p\n", rank, (int)status, error.text, (void *)pack.data);
    return false;
}

/* Then the same kind of message must work. */
static bool works(bool broadcasts, int rank, int size)
{
    struct nereus_error error = {0};
    struct pack_buffer pack = {0};
    int64_t sum = 0, value = rank + 1;
    if (!broadcasts || rank == 0)
        NEREUS_PACK(&pack, value);
    const enum nereus_status status = send(broadcasts, &pack, &error);
    const int64_t expected = broadcasts ? 1 : rank == 0 ? (int64_t)size * (size + 1) / 2 : 0;
    if (broadcasts && rank == 0)
        pack = (struct pack_buffer){.data = pack.data, .bytes = pack.bytes, .reading = true};
    while (status == NEREUS_OK && pack.read_offset < pack.bytes && !pack.broken) {
        NEREUS_PACK(&pack, value);
        sum += value;
    }
    free(pack.data);
    if (status == NEREUS_OK && sum == expected)
        return true;
    printf("rank %d: status %d (%s), sum %lld\n", rank, (int)status, error.text, (long long)sum);
    return false;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool broadcasts = strcmp(argv[1], "broadcast") == 0,
               broken = strcmp(argv[3], "broken") == 0;
    const bool ok = fails(broadcasts, broken, rank == atoi(argv[2]), rank, size) &&
                    works(broadcasts, rank, size);
    MPI_Finalize();
    return ok ? 0 : 1;
}
