/**
 * @file cmd_release.c
 * nereus job release: asks a running job to give nodes back.
 */
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "predictor/cli/command.h"

static enum nereus_status read_words(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err)
{
    for (int i = 1; i < words->count; i++) {
        const char *name = words->items[i];
        if (name[0] == '\0' || strlen(name) >= NEREUS_JOB_NODE_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%.160s' is no name of a node: 1 to %d characters", name,
                               NEREUS_JOB_NODE_MAX - 1);
        }
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", name);
    }
    return NEREUS_OK;
}

static const char help[] =
    "Asks a running job to give nodes back, and waits for that: all processes on them leave; the "
    "others stay or are started anew, as the job's state decides. The job's machine then has these "
    "nodes no more, unless --keep says so: later requests do not use them, until they are offered "
    "again. Nodes have the names that they have in the job's host file.";

int nereus_cmd_job_release(int argc, char **argv)
{
    const struct nereus_ask_command command = {.what = NEREUS_JOB_ASK_RELEASE,
                                               .arguments_help = "JOB NODE...",
                                               .help = help,
                                               .max_arguments = 1 + NEREUS_JOB_NODES_MAX,
                                               .with = ASK_WITH_KEEP,
                                               .read_words = read_words};
    return nereus_ask_change(&command, argc, argv);
}
