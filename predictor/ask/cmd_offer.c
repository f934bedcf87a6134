/**
 * @file cmd_offer.c
 * nereus job offer: offers nodes to a running job.
 */
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "model/util/try.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

static enum nereus_status read_words(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err)
{
    for (int i = 1; i < words->count; i++) {
        const char *word = words->items[i], *colon = strchr(word, ':');
        char cores[32];
        int64_t ignored;
        if (colon == NULL || colon == word || strlen(word) >= NEREUS_JOB_ENTRY_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%.160s' is no offer: it takes NODE:CORES, as in node5:20", word);
        }
        snprintf(cores, sizeof cores, "%.*s", (int)strcspn(colon + 1, "@"), colon + 1);
        NEREUS_TRY(nereus_value_integer("CORES", cores, 1, &ignored, err));
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", word);
    }
    return NEREUS_OK;
}

static const char help[] =
    "Offers nodes to a running job: its machine has them from the next malleability point on, and "
    "later requests may use them. With --size the job takes them and has so many processes then, or "
    "neither. A node of another allocation of Slurm is NODE:CORES@slurm:NUMBER (or --allocation "
    "slurm:NUMBER for all that are named); processes start there by launch only.";

int nereus_cmd_job_offer(int argc, char **argv)
{
    const struct nereus_ask_command command = {.what = NEREUS_JOB_ASK_OFFER,
                                               .arguments_help = "JOB NODE:CORES...",
                                               .help = help,
                                               .max_arguments = 1 + NEREUS_JOB_OFFER_MAX,
                                               .with = ASK_WITH_SIZE,
                                               .read_words = read_words};
    return nereus_ask_change(&command, argc, argv);
}
