/** @file assumed_text.c  What was assumed, as one text. */
#include "assumed_text.h"

#include "model/util/text.h"

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
