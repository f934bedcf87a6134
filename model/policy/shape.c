/** @file shape.c  Reads the recorded work of an irregular application (Martín et al. (2015),
 * section 4.5.1), and gives the share of it in an interval. */

#include "model/util/values.h"
#include "nereus/computational_model.h"

enum nereus_status nereus_work_shape_parse(const char *what, const char *text,
                                           struct nereus_work_shape *shape,
                                           struct nereus_error *err)
{
    char copy[NEREUS_SHAPE_TEXT_MAX], *rest = copy, *word;
    struct nereus_work_shape read = {.count = 0};
    double sum = 0;
    if (strlen(text) >= sizeof copy)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%.250s has more than %d characters", what,
                           NEREUS_SHAPE_TEXT_MAX - 1);
    strcpy(copy, text);
    while ((word = strsep(&rest, " ,")) != NULL) {
        if (word[0] == '\0')
            continue;
        double *value = &read.relative_work[read.count];
        NEREUS_TRY(nereus_value_parse_number(what, word, value, err));
        sum += *value;
        read.count++;
    }
    if (read.count > 0 && !(sum > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%.250s is 0 everywhere", what);
    for (int i = 0; i < read.count; i++)
        read.relative_work[i] *= read.count / sum;
    *shape = read;
    return NEREUS_OK;
}

double nereus_work_shape_done_share(const struct nereus_work_shape *shape, double run)
{
    const double share = fmin(1, fmax(0, run));
    if (shape->count == 0)
        return share;
    const double parts = share * shape->count;
    const int complete = (int)fmin(floor(parts), shape->count);
    double sum = 0;
    for (int i = 0; i < complete; i++)
        sum += shape->relative_work[i];
    if (complete < shape->count)
        sum += (parts - complete) * shape->relative_work[complete];
    return sum / shape->count;
}

double nereus_work_shape_interval_share(const struct nereus_work_shape *shape, double all,
                                        double from, double to)
{
    return all > 0 ? nereus_work_shape_done_share(shape, to / all) -
                         nereus_work_shape_done_share(shape, from / all)
                   : 0;
}
