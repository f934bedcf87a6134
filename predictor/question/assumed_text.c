/** @file assumed_text.c  What was assumed, as one text. */
#include "assumed_text.h"

#include "model/util/text.h"

void nereus_assumption_text(const struct nereus_assumption *assumption, char *text, size_t bytes)
{
    const bool has_reason = assumption->reason != NULL;
    nereus_append(text, bytes, "--%s %s%s%s%s", assumption->option, assumption->value,
                  has_reason ? " (" : "", has_reason ? assumption->reason : "",
                  has_reason ? ")" : "");
}

void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes)
{
    for (int i = 0; i < question->assumed_count; i++) {
        nereus_append(text, bytes, i == 0 ? "Assumed: " : ", ");
        nereus_assumption_text(&question->assumed[i], text, bytes);
    }
    if (question->assumed_count > 0) {
        nereus_append(text, bytes, ".");
    }
}
