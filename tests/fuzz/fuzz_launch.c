/**
 * @file fuzz_launch.c
 * Sends the root of a launch (src/link/launch.c) the paragraphs of the input, which end with empty
 * lines: the first as nereus-supervise, each further one as a process that announces itself.
 * The secret is s, the launch is called n, and has two groups.
 */
#include <stdarg.h>

#include "fuzz.h"
#include "model/util/clock.h"
#include "src/link/launch.c"

enum { GROUPS = 2, ENDS_MAX = 8 };

void nereus_log(const char *format, ...)
{
    (void)format;
}

/* A line to the launch on which this has been said, and which has ended then. */
static void say(struct nereus_connection *connection, const uint8_t *text, size_t size,
                size_t limit)
{
    int ends[2];
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    FUZZ_CHECK(write(ends[1], text, size) == (ssize_t)size);
    close(ends[1]);
    nereus_connection_init(connection, ends[0], limit);
}

static struct nereus_launch *begin(void)
{
    struct nereus_launch *launch = calloc(1, sizeof *launch);
    FUZZ_CHECK(launch != NULL);
    launch->groups = calloc(GROUPS, sizeof *launch->groups);
    FUZZ_CHECK(launch->groups != NULL);
    launch->group_count = GROUPS;
    launch->listener = -1;
    strcpy(launch->secret, "s");
    strcpy(launch->address.token, "n");
    launch->deadline_s = nereus_monotonic_s() + 60;
    for (int i = 0; i < GROUPS; i++)
        nereus_connection_init(&launch->groups[i].connection, -1, 0);
    return launch;
}

static void check(const struct nereus_launch *launch)
{
    struct nereus_error err = {NEREUS_OK, ""};
    fuzz_accepted(nereus_launch_failure(launch, &err), &err);
    for (int i = 0; i < GROUPS; i++) {
        FUZZ_CHECK(launch->groups[i].state <= NEREUS_LAUNCH_FAILED);
        if (launch->groups[i].state == NEREUS_LAUNCH_READY)
            FUZZ_CHECK(nereus_launch_port(launch, i) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_launch *launch = begin();
    bool first = true;
    for (const uint8_t *last = data + size; data < last && launch->connection_count < ENDS_MAX;) {
        const uint8_t *blank = memmem(data, (size_t)(last - data), "\n\n", 2);
        const uint8_t *next = blank != NULL ? blank + 1 : last;
        say(first ? &launch->supervisor : &launch->connections[launch->connection_count++], data,
            (size_t)(next - data), first ? 1 << 20 : ANNOUNCEMENT_BYTES);
        first = false;
        data = next + (next < last);
    }
    if (first)
        nereus_connection_init(&launch->supervisor, -1, 0);
    nereus_launch_poll(launch);
    check(launch);
    nereus_launch_poll(launch);
    check(launch);
    nereus_launch_free(launch);
    return 0;
}
