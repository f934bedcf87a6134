/**
 * @file cmd_change.c
 * The commands nereus job resize, release and offer: request another size of a running job, a
 * release of nodes, or that it takes nodes.
 */

#include "change.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

static enum nereus_status read_size(const struct nereus_arguments *words,
                                    struct nereus_job_request *request, struct nereus_error *err)
{
    return nereus_value_parse_integer("PROCESSES", words->items[1], 1, &request->size, err);
}

static const char size_help[] =
    "Asks a running job for another number of processes, and waits until that is carried out, has "
    "failed, or was given up at its deadline. JOB is the name that it was started with "
    "(nereus-mpiexec --job NAME). A size that the application cannot take is refused, with those "
    "that it would take. With --slurm a job that becomes larger than its nodes gets an allocation "
    "of Slurm's for each further node (a minute is waited for, or --deadline), and one that "
    "becomes smaller gives whole nodes back. Example: `nereus job resize solver 8 --deadline 30 "
    "--no-wait`.";

int nereus_cmd_job_resize(int argc, char **argv)
{
    const struct nereus_change_command command = {.kind = NEREUS_JOB_REQUEST_RESIZE,
                                                  .arguments_help = "JOB PROCESSES",
                                                  .help = size_help,
                                                  .max_arguments = 2,
                                                  .change_kind = NEREUS_CHANGE_WITH_SLURM,
                                                  .read_words = read_size};
    return nereus_change_run(&command, argc, argv);
}

static enum nereus_status read_nodes(const struct nereus_arguments *words,
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

static const char nodes_help[] =
    "Asks a running job to give nodes back, and waits for that: all processes on them leave; the "
    "others stay or are started anew, as the job's state decides. The job's machine then has these "
    "nodes no more, unless --keep says so: later requests do not use them, until they are offered "
    "again. Nodes have the names that they have in the job's host file.";

int nereus_cmd_job_release(int argc, char **argv)
{
    const struct nereus_change_command command = {.kind = NEREUS_JOB_REQUEST_RELEASE,
                                                  .arguments_help = "JOB NODE...",
                                                  .help = nodes_help,
                                                  .max_arguments = 1 + NEREUS_JOB_NODES_MAX,
                                                  .change_kind = NEREUS_CHANGE_WITH_KEEP,
                                                  .read_words = read_nodes};
    return nereus_change_run(&command, argc, argv);
}

static enum nereus_status read_offers(const struct nereus_arguments *words,
                                      struct nereus_job_request *request, struct nereus_error *err)
{
    for (int i = 1; i < words->count; i++) {
        const char *word = words->items[i], *colon = strchr(word, ':');
        char cores[NEREUS_JOB_ENTRY_MAX];
        int64_t ignored;
        if (colon == NULL || colon == word || strlen(word) >= NEREUS_JOB_ENTRY_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%.160s' is no offer: it takes NODE:CORES, as in node5:20", word);
        }
        snprintf(cores, sizeof cores, "%.*s", (int)strcspn(colon + 1, "@"), colon + 1);
        NEREUS_TRY(nereus_value_parse_integer("CORES", cores, 1, &ignored, err));
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", word);
    }
    return NEREUS_OK;
}

static const char offers_help[] =
    "Offers nodes to a running job: its machine has them from the next malleability point on, and "
    "later requests may use them. With --size the job takes them and has so many processes then, "
    "or neither. A node of another allocation of Slurm is NODE:CORES@slurm:NUMBER (or --allocation "
    "slurm:NUMBER for all that are named); processes start there by launch only.";

int nereus_cmd_job_offer(int argc, char **argv)
{
    const struct nereus_change_command command = {.kind = NEREUS_JOB_REQUEST_OFFER,
                                                  .arguments_help = "JOB NODE:CORES...",
                                                  .help = offers_help,
                                                  .max_arguments = 1 + NEREUS_JOB_OFFER_MAX,
                                                  .change_kind = NEREUS_CHANGE_WITH_SIZE,
                                                  .read_words = read_offers};
    return nereus_change_run(&command, argc, argv);
}
