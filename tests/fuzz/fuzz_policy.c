/** @file fuzz_policy.c  Reads policy files, and requests to the policy follow. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "nereus/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_policy_settings settings;
    struct nereus_error err = {NEREUS_OK, ""};
    char asked[NEREUS_REQUESTED_MAX];
    const char *path = fuzz_file(data, size);
    if (!fuzz_accepted(nereus_policy_read(path, &settings, &err), &err))
        return 0;
    FUZZ_CHECK(settings.kind < NEREUS_POLICY_COUNT);
    FUZZ_CHECK(settings.class_count >= 0 && settings.class_count <= NEREUS_NODE_CLASSES_MAX);
    FUZZ_CHECK(!isnan(nereus_policy_goal_s(&settings, 10)));
    strcpy(settings.follow, path);
    nereus_policy_read_follow(&settings, asked);
    nereus_policy_settings_fini(&settings);
    return 0;
}
