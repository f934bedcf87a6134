/** @file fuzz_profile.c  Reads profiles, and predicts from those that are accepted. */
#include <stdlib.h>

#include "fuzz.h"
#include "nereus/goal.h"
#include "nereus/profile.h"

static void predict(const struct nereus_profile *profile, const struct nereus_machine *machine,
                    int64_t ns, int64_t nt)
{
    const struct nereus_scenario scenario = {.machine = machine,
                                             .ns = ns,
                                             .nt = nt,
                                             .t_iter_ns_s = 0.2,
                                             .t_iter_nt_s = 0.3,
                                             .iterations_before = 3,
                                             .iterations_after = 97};
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    const int methods = (int)profile->method_count;
    struct nereus_prediction best[2], *room = calloc((size_t)methods + 1, sizeof *room);
    struct nereus_error err;
    if (room != NULL && nereus_machine_check_size(machine, "NS", ns, &err) == NEREUS_OK &&
        nereus_machine_check_size(machine, "NT", nt, &err) == NEREUS_OK)
        nereus_predict_best(&(struct nereus_goal_question){profile, &scenario, &ranking},
                            profile->methods, methods, room, best);
    free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct nereus_profile profile;
    struct nereus_machine machine = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    if (!fuzz_accepted(nereus_profile_read(fuzz_file(data, size), &profile, &err), &err))
        return 0;
    if (fuzz_accepted(nereus_profile_machine(&profile, &machine, &err), &err)) {
        predict(&profile, &machine, 2, 4);
        predict(&profile, &machine, 60, 20);
    }
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
    return 0;
}
