/**
 * @file fuzz_jobstate.c
 * Reads state files of a job, with and without the machine that it runs on.
 */
#include "fuzz.h"
#include "model/layout/jobstate_segments.h"
#include "nereus/jobstate.h"

static void use(struct nereus_jobstate *state)
{
    struct nereus_jobstate copy;
    struct nereus_error err;
    const int64_t n = nereus_jobstate_processes(state);
    FUZZ_CHECK(n >= 0 && nereus_jobstate_zombies(state) >= 0);
    FUZZ_CHECK(nereus_jobstate_node_of(state, n) == -1);
    if (n > 0)
        FUZZ_CHECK(nereus_jobstate_find_world(state, nereus_jobstate_world_of(state, n - 1)) >= 0);
    if (nereus_jobstate_copy(state, &copy, &err) == NEREUS_OK)
        nereus_jobstate_fini(&copy);
    nereus_jobstate_fini(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_jobstate state;
    const char *path = fuzz_file(data, size);
    if (machine.node_count == 0)
        FUZZ_CHECK(nereus_machine_from_text("a:2,b:3,c:4", &machine, &err) == NEREUS_OK);
    if (fuzz_accepted(nereus_jobstate_read(path, &state, &err), &err))
        use(&state);
    if (fuzz_accepted(nereus_jobstate_read_on(path, &machine, &state, &err), &err))
        use(&state);
    if (fuzz_accepted(nereus_jobstate_from_option(path, &machine, 4, &state, &err), &err))
        use(&state);
    return 0;
}
