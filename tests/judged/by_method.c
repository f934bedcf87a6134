/** @file by_method.c  Errors, method by method. */
#include "by_method.h"

#include <stdio.h>
#include <string.h>

struct scores *by_method_of(struct by_method *by, const struct nereus_method *method)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int m = 0;
    nereus_method_format(method, text);
    while (m < by->count && strcmp(by->names[m], text) != 0)
        m++;
    if (m == by->count && m < BY_METHOD_MAX - 1)
        snprintf(by->names[by->count++], sizeof by->names[0], "%s", text);
    return &by->scores[m];
}

void by_method_print(const struct by_method *by)
{
    for (int m = 0; m < by->count; m++)
        printf(" %s %.1f", by->names[m], 100 * scores_quantile(&by->scores[m], 0.5));
}

void by_method_fini(struct by_method *by)
{
    for (int m = 0; m < BY_METHOD_MAX; m++)
        scores_fini(&by->scores[m]);
}
