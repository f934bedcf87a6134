/**
 * @file cmd_offer.c
 * nereus offer: offers a node to a running job.
 */
#include <string.h>

#include "ask.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

static enum nereus_status read_words(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err)
{
    const char *word = words->items[1], *colon = strrchr(word, ':');
    const size_t length = colon != NULL ? (size_t)(colon - word) : 0;
    if (length == 0 || length >= NEREUS_JOB_NODE_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%.80s' is no offer: it takes NODE:CORES, as in node5:20", word);
    }
    memcpy(request->nodes[0], word, length);
    request->node_count = 1;
    return nereus_value_integer("CORES", colon + 1, 1, &request->cores, err);
}

static const char help[] =
    "Offers a node to a running job. Today every job refuses and says why: a running job knows the "
    "nodes of the host file that it was started with, and no others.";

static int run(int argc, char **argv)
{
    const struct nereus_ask_command command = {.what = NEREUS_JOB_ASK_OFFER,
                                               .arguments_help = "JOB NODE:CORES",
                                               .help = help,
                                               .max_arguments = 2,
                                               .read_words = read_words};
    return nereus_ask_change(&command, argc, argv);
}

const struct command nereus_cmd_offer = {"offer", "offer a node to a running job", run};
