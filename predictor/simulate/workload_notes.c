/** @file workload_notes.c  The first lines of each trouble by their numbers, and how many more. */
#include "workload_notes.h"

#include <inttypes.h>

#include "model/util/text.h"
#include "predictor/cli/command.h"

void nereus_workload_note_troubles(const char *name, const struct nereus_workload *workload)
{
    for (int t = 0; t < NEREUS_SIM_TROUBLE_COUNT; t++) {
        const int64_t count = workload->troubles[t].count;
        for (int64_t i = 0; i < count && i < NEREUS_SIM_LINES_NAMED; i++) {
            nereus_cli_note("%s:%" PRId64 ": %s", name, workload->troubles[t].lines[i],
                            nereus_sim_trouble_texts[t]);
        }
        if (count > NEREUS_SIM_LINES_NAMED) {
            nereus_cli_note("%s: %" PRId64 " more line%s: %s", name, count - NEREUS_SIM_LINES_NAMED,
                            nereus_plural_s(count - NEREUS_SIM_LINES_NAMED),
                            nereus_sim_trouble_texts[t]);
        }
    }
}
