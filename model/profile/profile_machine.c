/* The machine that a profile was measured on. */
#include "nereus/profile.h"

enum nereus_status nereus_profile_machine(const struct nereus_profile *profile,
                                          struct nereus_machine *machine, struct nereus_error *err)
{
    struct nereus_error why;
    const enum nereus_status status =
        nereus_machine_equal_nodes(profile->nodes, profile->cores_per_node, machine, &why);
    return status == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, status, "the profile of '%s': %s", profile->cluster, why.text);
}
