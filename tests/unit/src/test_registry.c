/**
 * @file test_registry.c
 * A registered datum must equal the record's in every member: one that differs in kind alone would
 * move in another part of the plan.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "src/move/registry.h"

static const struct nereus_data_entry registered = {.name = "u",
                                                    .element_bytes = 8,
                                                    .count = 37,
                                                    .kind = NEREUS_VARIABLE,
                                                    .placement = NEREUS_REPLICATED};

static enum nereus_status match(struct nereus_data_entry other, struct nereus_error *err)
{
    struct datum datum = {.entry = registered};
    struct registry registry = {.data = &datum, .count = 1};
    const struct nereus_request record = {.data = &other, .data_count = 1};
    return nereus_registry_match(&registry, &record, err);
}

Test(src_registry, every_member_of_an_entry_must_match)
{
    struct nereus_data_entry rows[] = {registered, registered, registered, registered, registered};
    strcpy(rows[0].name, "v");
    rows[1].element_bytes = 4;
    rows[2].count = 38;
    rows[3].kind = NEREUS_CONSTANT;
    rows[4].placement = NEREUS_DISTRIBUTED;
    struct nereus_error err;
    cr_expect(match(registered, &err) == NEREUS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect(match(rows[i], &err) == NEREUS_ERR_MISMATCH, "row %zu", i);
    cr_expect(match(rows[3], &err) == NEREUS_ERR_MISMATCH);
    cr_expect(strstr(err.text, "'u', a variable replicated list of 37 elements of 8 bytes, here") !=
                  NULL,
              "%s", err.text);
}
