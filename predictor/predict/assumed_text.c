/** @file assumed_text.c  What was assumed, as one text. */
#include "assumed_text.h"

#include <stdarg.h>
#include <string.h>

void nereus_append(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes)
{
    for (int i = 0; i < question->assumed_count; i++) {
        const struct nereus_assumption *assumption = &question->assumed[i];
        nereus_append(text, bytes, "%s--%s %s%s%s%s", i == 0 ? "Assumed: " : ", ",
                      assumption->option, assumption->value, assumption->reason != NULL ? " (" : "",
                      assumption->reason != NULL ? assumption->reason : "",
                      assumption->reason != NULL ? ")" : "");
    }
    if (question->assumed_count > 0) {
        nereus_append(text, bytes, ".");
    }
}
