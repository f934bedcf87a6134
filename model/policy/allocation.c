/**
 * @file allocation.c
 * Computes with allocations, which are numbers of processes by node class: power, price, validity,
 * text.
 */

#include "model/util/suggest.h"
#include "model/util/values.h"
#include "nereus/computational_model.h"

int64_t nereus_allocation_processes(const struct nereus_computational_model *model,
                                    const struct nereus_allocation *allocation)
{
    int64_t sum = 0;
    for (int k = 0; k < model->class_count; k++)
        sum += allocation->processes[k];
    return sum;
}

double nereus_allocation_power(const struct nereus_computational_model *model,
                               const struct nereus_allocation *allocation)
{
    double sum = 0;
    for (int k = 0; k < model->class_count; k++)
        sum += (double)allocation->processes[k] * model->classes[k].power;
    return sum;
}

double nereus_allocation_price(const struct nereus_computational_model *model,
                               const struct nereus_allocation *allocation)
{
    double sum = 0;
    for (int k = 0; k < model->class_count; k++)
        sum += (double)allocation->processes[k] * model->classes[k].price_per_core_hour;
    return sum;
}

bool nereus_allocation_fits(const struct nereus_computational_model *model,
                            const struct nereus_allocation *allocation)
{
    for (int k = 0; k < model->class_count; k++)
        if (allocation->processes[k] < 0 || allocation->processes[k] > model->classes[k].max)
            return false;
    return nereus_allocation_processes(model, allocation) > 0;
}

bool nereus_allocation_contains(const struct nereus_computational_model *model,
                                const struct nereus_allocation *larger,
                                const struct nereus_allocation *smaller)
{
    for (int k = 0; k < model->class_count; k++)
        if (larger->processes[k] < smaller->processes[k])
            return false;
    return true;
}

bool nereus_allocation_equal(const struct nereus_computational_model *model,
                             const struct nereus_allocation *a, const struct nereus_allocation *b)
{
    return nereus_allocation_contains(model, a, b) && nereus_allocation_contains(model, b, a);
}

char *nereus_allocation_text(const struct nereus_computational_model *model,
                             const struct nereus_allocation *allocation, char *text,
                             size_t capacity)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < model->class_count && length < capacity; k++)
        if (allocation->processes[k] != 0)
            length += (size_t)snprintf(text + length, capacity - length, "%s%s:%lld",
                                       length > 0 ? "," : "", model->classes[k].name,
                                       (long long)allocation->processes[k]);
    return text;
}

enum { NOT_NAMED = -1 };

static enum nereus_status parse_one(const struct nereus_computational_model *model,
                                    const char *what, char *entry,
                                    struct nereus_allocation *allocation, struct nereus_error *err)
{
    const char *names[NEREUS_NODE_CLASSES_MAX];
    char suggestion[NEREUS_SUGGEST_TEXT], place[128];
    char *number = strchr(entry, ':');
    if (number == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: '%.160s' is no CLASS:PROCESSES", what,
                           entry);
    *number++ = '\0';
    for (int k = 0; k < model->class_count; k++)
        names[k] = model->classes[k].name;
    const size_t found = nereus_word_index(entry, names, (size_t)model->class_count);
    if (found == (size_t)model->class_count)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT, "%s: there is no class '%.160s'%s", what, entry,
            nereus_suggest_text(entry, names, (size_t)model->class_count, suggestion));
    if (allocation->processes[found] != NOT_NAMED)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: the class '%.160s' is named twice", what,
                           entry);
    snprintf(place, sizeof place, "%.60s: %.40s", what, entry);
    return nereus_value_parse_integer(place, number, 0, &allocation->processes[found], err);
}

enum nereus_status nereus_allocation_parse(const struct nereus_computational_model *model,
                                           const char *what, const char *text,
                                           struct nereus_allocation *allocation,
                                           struct nereus_error *err)
{
    struct nereus_allocation read = {{0}};
    char copy[1024], *rest = copy, *entry, all_names[1024];
    if (strlen(text) >= sizeof copy)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: the text is too long", what);
    strcpy(copy, text);
    for (int k = 0; k < model->class_count; k++)
        read.processes[k] = NOT_NAMED;
    while ((entry = strsep(&rest, ",")) != NULL)
        NEREUS_TRY(parse_one(model, what, entry, &read, err));
    for (int k = 0; k < model->class_count; k++)
        if (read.processes[k] == NOT_NAMED)
            read.processes[k] = 0;
    if (!nereus_allocation_fits(model, &read)) {
        struct nereus_allocation max = {{0}};
        for (int k = 0; k < model->class_count; k++)
            max.processes[k] = model->classes[k].max;
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s: '%.100s' is not between one process and all that there are: %.200s",
                           what, text,
                           nereus_allocation_text(model, &max, all_names, sizeof all_names));
    }
    *allocation = read;
    return NEREUS_OK;
}
