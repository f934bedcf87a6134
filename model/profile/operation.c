/* The words for operations. */
#include "nereus/operation.h"

#include <string.h>

static const struct {
    const char *word, *help;
} operations[NEREUS_OPERATION_COUNT] = {
#define ROW(e, word, help) [e] = {word, help},
    NEREUS_OPERATION_LIST(ROW)
#undef ROW
};

const char *nereus_operation_name(enum nereus_operation operation)
{
    return (unsigned)operation < NEREUS_OPERATION_COUNT ? operations[operation].word : 0;
}

const char *nereus_operation_help(enum nereus_operation operation)
{
    return (unsigned)operation < NEREUS_OPERATION_COUNT ? operations[operation].help : 0;
}

enum nereus_operation nereus_operation_from_name(const char *word)
{
    for (int i = 0; i < NEREUS_OPERATION_COUNT; i++)
        if (strcmp(word, operations[i].word) == 0)
            return (enum nereus_operation)i;
    return NEREUS_OPERATION_COUNT;
}
