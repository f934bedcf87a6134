/* Words of contention.h. */
#include "nereus/contention.h"

#include <string.h>

#define WORD(e, word, help) [e] = word,
static const char *const stages[NEREUS_STAGE_COUNT] = {NEREUS_STAGE_LIST(WORD)};
static const char *const companies[NEREUS_COMPANY_COUNT] = {NEREUS_COMPANY_LIST(WORD)};
#undef WORD
static const char *const names[NEREUS_CONTENTION_COUNT] = {
    "compute/waiting",    "compute/communicating",    "compute/starting",
    "memory/waiting",     "memory/communicating",     "memory/starting",
    "collective/waiting", "collective/communicating", "collective/starting"};

const char *nereus_stage_name(enum nereus_stage stage)
{
    return (unsigned)stage < NEREUS_STAGE_COUNT ? stages[stage] : NULL;
}

const char *nereus_company_name(enum nereus_company company)
{
    return (unsigned)company < NEREUS_COMPANY_COUNT ? companies[company] : NULL;
}

const char *nereus_contention_name(int which)
{
    return which >= 0 && which < NEREUS_CONTENTION_COUNT ? names[which] : NULL;
}

int nereus_contention_from_name(const char *name)
{
    int which = 0;
    while (which < NEREUS_CONTENTION_COUNT && strcmp(names[which], name) != 0)
        which++;
    return which;
}
