/**
 * @file data_swap.c
 * Swaps double buffers: two arrays of one shape exchange their pointers. The application may swap
 * between the reservation of memory and the transfer. move/exchange.c therefore reads the pointers
 * at the transfer, so that each part moves under its name at that time.
 */

#include "data.h"

/* Of types that are not predefined only the size of the elements can be compared. */
static bool have_same_shape(const struct datum *a, const struct datum *b)
{
    return a->entry.element_bytes == b->entry.element_bytes && a->entry.count == b->entry.count &&
           a->entry.shape == b->entry.shape && a->entry.undistributed == b->entry.undistributed &&
           a->entry.partition == b->entry.partition &&
           (a->type == b->type || a->type == TYPE_NOT_PREDEFINED || b->type == TYPE_NOT_PREDEFINED);
}

static enum nereus_status fail_swap(const struct datum *a, const struct datum *b,
                                    struct nereus_error *err)
{
    char one[120], other[120];
    const char *why = "";
    nereus_entry_format(&a->entry, one, sizeof one);
    nereus_entry_format(&b->entry, other, sizeof other);
    if (strcmp(one, other) == 0)
        why = a->entry.partition != b->entry.partition ? ", in two partitions"
                                                       : ", with elements of two types";
    return nereus_fail(
        err, NEREUS_ERR_MISMATCH,
        "'%s' and '%s' cannot be swapped: %s and %s%s; type, shape and partition must "
        "be the same",
        a->entry.name, b->entry.name, one, other, why);
}

enum nereus_status nereus_swap(nereus_job *job, int a, int b)
{
    const unsigned dense =
        1u << NEREUS_ARRAY | 1u << NEREUS_BY_ROWS | 1u << NEREUS_BY_COLUMNS | 1u << NEREUS_FIELD;
    struct datum *one = nereus_datum_of(job, a, dense), *other = nereus_datum_of(job, b, dense);
    NEREUS_TRY(nereus_callback_check_outside("nereus_swap", &job->error));
    if (one == NULL || other == NULL)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "nereus_swap: %d is not the id of an array, a dense matrix or a field",
                           one == NULL ? a : b);
    if (one->entry.kind != NEREUS_VARIABLE || other->entry.kind != NEREUS_VARIABLE)
        return nereus_fail(
            &job->error, NEREUS_ERR_ARGUMENT,
            "'%s' is constant and cannot be swapped, as it may be on its way to other "
            "processes: register it as NEREUS_VARIABLE",
            one->entry.kind != NEREUS_VARIABLE ? one->entry.name : other->entry.name);
    if (!have_same_shape(one, other))
        return fail_swap(one, other, &job->error);
    unsigned char *part = one->part;
    one->part = other->part;
    other->part = part;
    nereus_part_name(one->part, one->entry.name, job->rank);
    nereus_part_name(other->part, other->entry.name, job->rank);
    job->registry.swaps++;
    return NEREUS_OK;
}
