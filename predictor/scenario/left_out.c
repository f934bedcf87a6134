/** @file left_out.c  Collects the methods that could not be predicted for some cases, and why. */
#include "left_out.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/util/text.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"

static struct nereus_left_out *find_or_add(struct nereus_left_outs *all,
                                           const struct nereus_method *method)
{
    for (int i = 0; i < all->count; i++)
        if (nereus_method_equal(&all->items[i].method, method))
            return &all->items[i];
    struct nereus_left_out *more = realloc(all->items, (size_t)(all->count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    all->items = more;
    more[all->count] = (struct nereus_left_out){.method = *method};
    return &more[all->count++];
}

static struct nereus_left_out_reason *find_or_add_reason(struct nereus_left_out *left_out,
                                                         int64_t line, const char *why)
{
    for (int i = 0; i < left_out->reason_count; i++)
        if (nereus_cli_is_same_but_numbers(left_out->reasons[i].text, why))
            return &left_out->reasons[i];
    const size_t count = (size_t)left_out->reason_count + 1;
    struct nereus_left_out_reason *more = realloc(left_out->reasons, count * sizeof *more);
    if (more == NULL)
        return NULL;
    left_out->reasons = more;
    more += left_out->reason_count++;
    *more = (struct nereus_left_out_reason){.first_line = line};
    snprintf(more->text, sizeof more->text, "%s", why);
    return more;
}

enum nereus_status nereus_left_outs_add(struct nereus_left_outs *all,
                                        const struct nereus_method *method, int64_t line,
                                        const char *why, struct nereus_error *err)
{
    struct nereus_left_out *left_out = find_or_add(all, method);
    struct nereus_left_out_reason *reason =
        left_out == NULL ? NULL : find_or_add_reason(left_out, line, why);
    NEREUS_TRY_MEMORY(reason, err, "for what is left out of line %lld", (long long)line);
    left_out->cases++;
    reason->cases++;
    return NEREUS_OK;
}

void nereus_left_outs_fini(struct nereus_left_outs *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->items[i].reasons);
    free(all->items);
    *all = (struct nereus_left_outs){0};
}

char *nereus_left_out_make_sentence(const struct nereus_left_out *left_out, int64_t cases)
{
    char method[NEREUS_METHOD_TEXT_MAX], *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "%s is left out of %lld of %lld case%s",
            nereus_method_print(&left_out->method, method), (long long)left_out->cases,
            (long long)cases, nereus_plural_s(cases));
    for (int i = 0; i < left_out->reason_count; i++) {
        const struct nereus_left_out_reason *reason = &left_out->reasons[i];
        fprintf(stream, "; line %lld", (long long)reason->first_line);
        if (left_out->reason_count > 1 && reason->cases > 1)
            fprintf(stream, " and %lld more", (long long)(reason->cases - 1));
        fprintf(stream, ": %s", reason->text);
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
