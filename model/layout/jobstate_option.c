/**
 * @file jobstate_option.c
 * Reads the file of the option --job-state, for all commands, and checks that it fits the machine.
 */

#include "jobstate_segments.h"
#include "model/util/suggest.h"
#include "nereus/jobstate.h"

/* Check that the state fits this machine and has ns processes. */
static enum nereus_status check_fits(const char *path, const struct nereus_jobstate *state,
                                     const struct nereus_machine *machine, int64_t ns,
                                     struct nereus_error *err)
{
    int64_t processes = nereus_jobstate_processes(state);
    if (processes != ns) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "job state '%.200s' is of %lld active process%s, not of %lld: ask for --ns %lld", path,
            (long long)processes, nereus_plural_es(processes), (long long)ns, (long long)processes);
    }
    if (state->cores_per_node != 0 && state->cores_per_node != machine->cores_per_node) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "job state '%.200s' is of nodes with %lld core%s, not %lld: ask for "
                           "--cores-per-node %lld",
                           path, (long long)state->cores_per_node,
                           nereus_plural_s(state->cores_per_node),
                           (long long)machine->cores_per_node, (long long)state->cores_per_node);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_jobstate_from_option(const char *option,
                                               const struct nereus_machine *machine, int64_t ns,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err)
{
    static const char *const words[] = {"initial", "per-node"};
    if (strcmp(option, words[0]) == 0)
        return nereus_jobstate_initial(machine, ns, state, err);
    if (strcmp(option, words[1]) == 0)
        return nereus_jobstate_per_node(machine, ns, state, err);
    struct nereus_jobstate read;
    struct nereus_error read_err;
    enum nereus_status status = nereus_jobstate_read_on(option, machine, &read, &read_err);
    if (status == NEREUS_ERR_IO && strcmp(option, "-") != 0 && strpbrk(option, "./") == NULL) {
        /* without dot and slash the user meant a word, not a path */
        char suggestion[NEREUS_SUGGEST_TEXT];
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "job state '%.160s' is neither 'initial', 'per-node' nor a file%s",
                           option, nereus_suggest_text(option, words, 2, suggestion));
    }
    if (status != NEREUS_OK)
        return nereus_fail(err, status, "%s", read_err.text);
    status = check_fits(option, &read, machine, ns, err);
    if (status == NEREUS_OK)
        *state = read;
    else
        nereus_jobstate_fini(&read);
    return status;
}
