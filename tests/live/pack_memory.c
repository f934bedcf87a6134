/**
 * @file pack_memory.c
 * Messages of src/util/pack_buffer.h where one process lacks memory: collective ones fail in all
 * processes, those from rank 0 to rank 1 as pack_buffer.h says; and the next ones work.
 *
 *   pack_memory broadcast|gather|send RANK broken|limited     under nereus-mpiexec -n NP
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

enum { SENDER = 0, TAG = 7 };
/* A receiver fails after this time; the test's own time limit is shorter. */
static const double limit_s = 1000;

/* How the bytes move: all to rank 0, from it to all, or from rank 0 to rank 1. */
struct message {
    enum { BROADCAST, GATHER, SEND } kind;
    int rank, size;
    MPI_Comm between; /* SEND: inter-communicator of ranks 0 and 1 */
};

static bool sends(const struct message *message)
{
    return message->kind == GATHER || message->rank == SENDER;
}

static enum nereus_status transfer(const struct message *message, struct pack_buffer *pack,
                                   struct nereus_error *err)
{
    if (message->kind == BROADCAST)
        return nereus_pack_broadcast(pack, MPI_COMM_WORLD, err);
    if (message->kind == GATHER)
        return nereus_pack_gather(pack, MPI_COMM_WORLD, err);
    if (message->rank == SENDER)
        return nereus_pack_send(pack, message->between, TAG, err);
    return nereus_pack_receive(pack, message->between, TAG, NEREUS_WAIT_AWAKE, limit_s, err);
}

/* All processes must fail; but a sender does not learn of a receiver without memory. */
static bool fails(const struct message *message, bool broken, bool lacks)
{
    struct nereus_error error = {0};
    struct pack_buffer pack = {0};
    if (!broken && sends(message))
        pack.bytes = LARGE_BYTES / (size_t)(message->kind == GATHER ? message->size : 1);
    if (message->kind == SEND && pack.bytes > 0 && (pack.data = calloc(pack.bytes, 1)) == NULL)
        abort();
    pack.broken = broken && lacks;
    if (!broken && lacks)
        limit_memory();
    const enum nereus_status status = transfer(message, &pack, &error),
                             expected = message->kind == SEND && sends(message) && !lacks
                                            ? NEREUS_OK
                                            : NEREUS_ERR_MEMORY;
    restore_memory();
    if (status == expected && pack.data == NULL)
        return true;
    printf("rank %d: status %d (%s), data %p\n", message->rank, (int)status, error.text,
           (void *)pack.data);
    return false;
}

/* Then the same kind of message must work. */
static bool works(const struct message *message)
{
    struct nereus_error error = {0};
    struct pack_buffer pack = {0};
    int64_t sum = 0, value = message->rank + 1;
    const int64_t size = message->size,
                  expected = message->kind == GATHER
                                 ? message->rank == 0 ? size * (size + 1) / 2 : 0
                             : message->rank == SENDER && message->kind == SEND ? 0
                                                                                : 1;
    if (sends(message))
        NEREUS_PACK(&pack, value);
    const enum nereus_status status = transfer(message, &pack, &error);
    if (message->kind == BROADCAST && message->rank == 0)
        pack = (struct pack_buffer){.data = pack.data, .bytes = pack.bytes, .reading = true};
    while (status == NEREUS_OK && pack.reading && pack.read_offset < pack.bytes && !pack.broken) {
        NEREUS_PACK(&pack, value);
        sum += value;
    }
    free(pack.data);
    if (status == NEREUS_OK && sum == expected)
        return true;
    printf("rank %d: status %d (%s), sum %lld\n", message->rank, (int)status, error.text,
           (long long)sum);
    return false;
}

int main(int argc, char **argv)
{
    struct message message = {0};
    MPI_Init(&argc, &argv);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &message.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &message.size);
    message.kind = strcmp(argv[1], "broadcast") == 0 ? BROADCAST
                   : strcmp(argv[1], "gather") == 0  ? GATHER
                                                     : SEND;
    if (message.kind == SEND)
        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - message.rank, TAG,
                             &message.between);
    const bool broken = strcmp(argv[3], "broken") == 0, lacks = message.rank == atoi(argv[2]);
    const bool ok = fails(&message, broken, lacks) && works(&message);
    if (message.kind == SEND)
        MPI_Comm_free(&message.between);
    MPI_Finalize();
    return ok ? 0 : 1;
}
