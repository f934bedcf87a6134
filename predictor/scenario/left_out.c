/** @file left_out.c  Collects the methods that could not be predicted for some cases, and why. */
#include "left_out.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/util/text.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"

static struct nereus_omission *find_or_add(struct nereus_omissions *all,
                                           const struct nereus_method *method)
{
    for (int i = 0; i < all->count; i++)
        if (nereus_method_equal(&all->items[i].method, method))
            return &all->items[i];
    struct nereus_omission *more = realloc(all->items, (size_t)(all->count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    all->items = more;
    more[all->count] = (struct nereus_omission){.method = *method};
    return &more[all->count++];
}

static struct nereus_omission_reason *find_or_add_reason(struct nereus_omission *omission,
                                                         int64_t line, const char *why)
{
    for (int i = 0; i < omission->reason_count; i++)
        if (nereus_cli_is_same_but_numbers(omission->reasons[i].text, why))
            return &omission->reasons[i];
    const size_t count = (size_t)omission->reason_count + 1;
    struct nereus_omission_reason *more = realloc(omission->reasons, count * sizeof *more);
    if (more == NULL)
        return NULL;
    omission->reasons = more;
    more += omission->reason_count++;
    *more = (struct nereus_omission_reason){.first_line = line};
    snprintf(more->text, sizeof more->text, "%s", why);
    return more;
}

enum nereus_status nereus_omissions_add(struct nereus_omissions *all,
                                        const struct nereus_method *method, int64_t line,
                                        const char *why, struct nereus_error *err)
{
    struct nereus_omission *omission = find_or_add(all, method);
    struct nereus_omission_reason *reason =
        omission == NULL ? NULL : find_or_add_reason(omission, line, why);
    NEREUS_TRY_MEMORY(reason, err, "for what is left out of line %lld", (long long)line);
    omission->cases++;
    reason->cases++;
    return NEREUS_OK;
}

void nereus_omissions_fini(struct nereus_omissions *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->items[i].reasons);
    free(all->items);
    *all = (struct nereus_omissions){0};
}

char *nereus_omission_make_sentence(const struct nereus_omission *omission, int64_t cases)
{
    char method[NEREUS_METHOD_TEXT_MAX], *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "%s is left out of %lld of %lld case%s",
            nereus_method_print(&omission->method, method), (long long)omission->cases,
            (long long)cases, nereus_plural_s(cases));
    for (int i = 0; i < omission->reason_count; i++) {
        const struct nereus_omission_reason *reason = &omission->reasons[i];
        fprintf(stream, "; line %lld", (long long)reason->first_line);
        if (omission->reason_count > 1 && reason->cases > 1)
            fprintf(stream, " and %lld more", (long long)(reason->cases - 1));
        fprintf(stream, ": %s", reason->text);
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
