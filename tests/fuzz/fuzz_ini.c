/** @file fuzz_ini.c  Reads configurations of the synthetic application. */
#include <stdlib.h>

#include "fuzz.h"
#include "sam/synthetic/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sam_config config;
    struct nereus_error err = {NEREUS_OK, ""};
    char *text = fuzz_text(data, size);
    if (fuzz_accepted(sam_config_parse("app.ini", text, &config, &err), &err)) {
        const int64_t last = sam_config_first_iteration(&config, config.group_count) - 1;
        FUZZ_CHECK(config.group_count >= 1 && config.group_count <= SAM_GROUPS_MAX);
        FUZZ_CHECK(config.stage_count >= 0 && config.stage_count <= SAM_STAGES_MAX);
        FUZZ_CHECK(sam_config_find_group(&config, last) < config.group_count);
        for (int64_t s = 0; s < config.stage_count; s++)
            FUZZ_CHECK(sam_config_operations(&config.stages[s], config.groups[0].factor, 1e-3) >=
                       1);
    }
    free(text);
    return 0;
}
