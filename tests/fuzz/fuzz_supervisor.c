/**
 * @file fuzz_supervisor.c
 * Sends nereus-supervise (supervisor.h) the paragraphs of the input, which end with empty lines,
 * each from a further process; then all connections close. The token is t. No launcher is started,
 * and no process is ended or looked at: the functions for this are those below.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "model/util/clock.h"
#include "src/guard/processes.h"
#include "src/supervise/launcher.h"
#include "src/supervise/peers.h"

/* No process has this number: above Linux' largest one. */
enum { NOBODY = 1 << 30, PEERS_MAX = 8 };

pid_t launcher_start(const struct launcher_order *order, char **mpiexec, const int ends[2],
                     char *sentence, size_t size)
{
    (void)mpiexec;
    (void)ends;
    FUZZ_CHECK(order->host != NULL && order->command != NULL && order->argv[0] != NULL);
    if (order->processes > 0)
        return NOBODY;
    strncpy(sentence, "no processes", size);
    return -1;
}

int processes_end_children(pid_t parent, int signal_number)
{
    (void)signal_number;
    FUZZ_CHECK(parent == NOBODY);
    return 0;
}

int processes_running_below(pid_t parent)
{
    FUZZ_CHECK(parent == NOBODY);
    return 0;
}

bool processes_has_seen_one_end(pid_t pid)
{
    FUZZ_CHECK(pid == NOBODY);
    return true;
}

/* As nereus-supervise takes up a connection.
 * @return the connection's end of the line */
static int visit(struct supervisor *supervisor)
{
    int ends[2];
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    struct peer *peer = peer_new(supervisor);
    FUZZ_CHECK(peer != NULL);
    nereus_connection_init(&peer->connection, ends[0], 2048);
    peer->deadline_s = nereus_monotonic_s() + 60;
    return ends[1];
}

static void look(const struct supervisor *supervisor)
{
    size_t count;
    struct pollfd *fds = supervisor_list_descriptors(supervisor, &count);
    FUZZ_CHECK(fds != NULL && count == supervisor->peer_count + supervisor->group_count + 1);
    free(fds);
    FUZZ_CHECK(supervisor_next_deadline_s(supervisor) > 0);
    FUZZ_CHECK(!supervisor->end.broken || supervisor->end.sentence[0] != '\0');
}

/* All connections have gone, then the launcher of the first group, then mpiexec. */
static void end(struct supervisor *supervisor, int *connections, int count)
{
    for (int i = 0; i < count; i++)
        close(connections[i]);
    supervisor_serve(supervisor);
    supervisor_serve(supervisor);
    look(supervisor);
    while (supervisor_handle_child_end(supervisor, NOBODY, 0))
        ;
    supervisor_handle_mpiexec_end(supervisor, 1);
    supervisor_end_all(supervisor);
    FUZZ_CHECK(!supervisor_is_busy(supervisor));
    supervisor_close(supervisor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *mpiexec[] = {"mpiexec", "-wdir", "d", "job", "a b", NULL};
    static struct output direct = {.runs = false};
    struct supervisor supervisor = {
        .listener = -1, .address.token = "t", .mpiexec = mpiexec, .output = &direct};
    int connections[PEERS_MAX], count = 0;
    for (const uint8_t *last = data + size; data < last && count < PEERS_MAX; count++) {
        const uint8_t *blank = memmem(data, (size_t)(last - data), "\n\n", 2);
        const uint8_t *next = blank != NULL ? blank + 1 : last;
        connections[count] = visit(&supervisor);
        FUZZ_CHECK(write(connections[count], data, (size_t)(next - data)) == next - data);
        supervisor_serve(&supervisor);
        look(&supervisor);
        data = next + (next < last);
    }
    end(&supervisor, connections, count);
    return 0;
}
