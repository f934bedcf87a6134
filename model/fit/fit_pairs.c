/* Hockney pieces (fit_pieces.c) of each pair class and of each operation that moves data. */
#include <stdlib.h>

#include "fit.h"

/* Is it a row of this pair class, or of this operation? */
static bool is_of(const struct nereus_sample *row, enum nereus_sample_kind kind, int which)
{
    return row->kind == kind &&
           (kind == NEREUS_SAMPLE_PINGPONG ? (int)row->pair : (int)row->operation) == which;
}

static enum nereus_status fit_classes(const struct nereus_fit_rows *rows,
                                      enum nereus_sample_kind kind, int count,
                                      struct nereus_hockney *classes, struct nereus_error *err)
{
    const struct nereus_sample **some = malloc((rows->count + 1) * sizeof *some);
    enum nereus_status status = NEREUS_OK;
    if (some == NULL)
        return nereus_fit_no_memory(rows, err);
    for (int which = 0; which < count && status == NEREUS_OK; which++) {
        size_t n = 0;
        /* Two processes that share a core measure the scheduler: used only if there are no other
         * rows. */
        for (int over = 0; over < 2 && n == 0; over++)
            for (size_t i = 0; i < rows->count; i++)
                if (is_of(rows->rows[i], kind, which) &&
                    rows->rows[i]->oversubscribed == (over == 1))
                    some[n++] = rows->rows[i];
        if (n > 0)
            status = nereus_fit_hockney(some, n, &classes[which], err);
    }
    free(some);
    return status;
}

enum nereus_status nereus_fit_pairs(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    enum nereus_status status =
        fit_classes(rows, NEREUS_SAMPLE_PINGPONG, NEREUS_PAIR_CLASS_COUNT, profile->pairs, err);
    if (status == NEREUS_OK)
        status = fit_classes(rows, NEREUS_SAMPLE_OPERATION, NEREUS_OPERATION_COUNT,
                             profile->operations, err);
    return status;
}
