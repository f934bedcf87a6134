/*
 * Names and formulas of the terms in a profile, and the value of a Hockney model.
 */
#include "features.h"

#include <string.h>

#define NEREUS_NAME(e, name, formula) [e] = name,
static const char *const names[NEREUS_FEATURE_COUNT] = {NEREUS_FEATURE_LIST(NEREUS_NAME)};
#undef NEREUS_NAME
#define NEREUS_FORMULA(e, name, formula) [e] = formula,
static const char *const formulas[NEREUS_FEATURE_COUNT] = {NEREUS_FEATURE_LIST(NEREUS_FORMULA)};
#undef NEREUS_FORMULA

#define NEREUS_NAME(e, name, formula) [e] = name,
static const char *const overlap_names[NEREUS_OVERLAP_FEATURE_COUNT] = {
    NEREUS_OVERLAP_FEATURE_LIST(NEREUS_NAME)};
#undef NEREUS_NAME

const char *nereus_feature_name(enum nereus_feature feature)
{
    return (unsigned)feature < NEREUS_FEATURE_COUNT ? names[feature] : NULL;
}

const char *nereus_feature_formula(enum nereus_feature feature)
{
    return (unsigned)feature < NEREUS_FEATURE_COUNT ? formulas[feature] : NULL;
}

enum nereus_feature nereus_feature_from_name(const char *name)
{
    for (int f = 0; f < NEREUS_FEATURE_COUNT; f++)
        if (strcmp(names[f], name) == 0)
            return (enum nereus_feature)f;
    return NEREUS_FEATURE_COUNT;
}

const char *nereus_overlap_feature_name(enum nereus_overlap_feature feature)
{
    return (unsigned)feature < NEREUS_OVERLAP_FEATURE_COUNT ? overlap_names[feature] : NULL;
}

enum nereus_overlap_feature nereus_overlap_feature_from_name(const char *name)
{
    for (int f = 0; f < NEREUS_OVERLAP_FEATURE_COUNT; f++)
        if (strcmp(overlap_names[f], name) == 0)
            return (enum nereus_overlap_feature)f;
    return NEREUS_OVERLAP_FEATURE_COUNT;
}

double nereus_hockney_s(const struct nereus_hockney *pair, double bytes)
{
    int piece = 0;
    while (piece + 1 < pair->pieces && bytes >= pair->from_bytes[piece + 1])
        piece++;
    return pair->alpha_s[piece] + pair->beta_s_per_byte[piece] * bytes;
}
