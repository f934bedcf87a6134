/**
 * @file profile_words.c
 * Holds the names of everything that profiles and samples name, in tables made from the lists of
 * the headers.
 */
#include "profile_words.h"

#include "model/util/suggest.h"

#define NAME(e, name, ...) [e] = name,
const char *const nereus_step_names[NEREUS_STEP_KIND_COUNT] = {NEREUS_STEP_LIST(NAME)};
const char *const nereus_operation_names[NEREUS_OPERATION_COUNT] = {NEREUS_OPERATION_LIST(NAME)};
const char *const nereus_collective_names[NEREUS_COLLECTIVE_COUNT] = {NEREUS_COLLECTIVE_LIST(NAME)};
const char *const nereus_term_names[NEREUS_TERM_COUNT] = {NEREUS_TERM_LIST(NAME)};
const char *const nereus_overlap_term_names[NEREUS_OVERLAP_TERM_COUNT] = {
    NEREUS_OVERLAP_TERM_LIST(NAME)};
static const char *const stages[NEREUS_STAGE_COUNT] = {NEREUS_STAGE_LIST(NAME)};
static const char *const companies[NEREUS_BACKGROUND_COUNT] = {NEREUS_BACKGROUND_LIST(NAME)};
#undef NAME
/* A profile with a name that was cut could not be read again. */
#define FITS(e, name, formula)                                                                     \
    _Static_assert(sizeof name <= sizeof((struct nereus_linear_model *)0)->names[0],               \
                   "a term's name has at most 23 characters: " name);
NEREUS_TERM_LIST(FITS)
NEREUS_OVERLAP_TERM_LIST(FITS)
#undef FITS

const char *const nereus_basis_names[NEREUS_BASIS_COUNT] = {
    [NEREUS_BASIS_NONE] = "none",
    [NEREUS_BASIS_PRIOR] = "fallback", /* the file format's word for a prior */
    [NEREUS_BASIS_FITTED] = "fitted",
    [NEREUS_BASIS_CONTAINED] = "contained",
};
const char *const nereus_sample_kind_names[NEREUS_SAMPLE_KIND_COUNT] = {
    "reconfiguration", "",      "pingpong",       "", "", "core-contention", "program-start",
    "program-join",    "stage", "redistribution",
};
const char *const nereus_unattributed_names[NEREUS_UNATTRIBUTED_COUNT] = {
    "merge",
    "baseline",
    "shrink",
    "merge oversubscribed",
    "baseline oversubscribed",
    "shrink oversubscribed",
};
const char *const nereus_moves_names[NEREUS_MOVES_COUNT] = {
    "rma",
    "rma apart",
    "shared",
    "shared apart",
    "rma oversubscribed",
    "rma apart oversubscribed",
    "shared oversubscribed",
    "shared apart oversubscribed",
};
#define ORIGINS(way, overlap) way overlap, way " apart" overlap, way " two groups" overlap
#define WAYS(overlap)                                                                              \
    ORIGINS("p2p", overlap), ORIGINS("coll", overlap), ORIGINS("rma", overlap),                    \
        ORIGINS("shared", overlap)
const char *const nereus_between_names[NEREUS_BETWEEN_COUNT] = {WAYS(""), WAYS(" overlapped")};
#undef WAYS
#undef ORIGINS
const char *const nereus_pair_class_names[NEREUS_PAIR_CLASS_COUNT] = {
    "same-world/same-node",
    "same-world/different-nodes",
    "different-worlds/same-node",
    "different-worlds/different-nodes",
};
const char *const nereus_contention_names[NEREUS_CONTENTION_COUNT] = {
    "compute/waiting",    "compute/communicating",    "compute/starting",
    "memory/waiting",     "memory/communicating",     "memory/starting",
    "collective/waiting", "collective/communicating", "collective/starting",
};

/* Name of a value; NULL: out of range. */
static const char *get_name(const char *const *names, size_t count, unsigned index)
{
    return index < count ? names[index] : NULL;
}

const char *nereus_pair_class_name(enum nereus_pair_class pair)
{
    return get_name(nereus_pair_class_names, NEREUS_PAIR_CLASS_COUNT, (unsigned)pair);
}

const char *nereus_operation_name(enum nereus_operation operation)
{
    return get_name(nereus_operation_names, NEREUS_OPERATION_COUNT, (unsigned)operation);
}

const char *nereus_operation_help(enum nereus_operation operation)
{
#define HELP(e, name, help) [e] = help,
    static const char *const helps[NEREUS_OPERATION_COUNT] = {NEREUS_OPERATION_LIST(HELP)};
#undef HELP
    return get_name(helps, NEREUS_OPERATION_COUNT, (unsigned)operation);
}

enum nereus_operation nereus_operation_from_name(const char *word)
{
    return (enum nereus_operation)nereus_word_index(word, nereus_operation_names,
                                                    NEREUS_OPERATION_COUNT);
}

const char *nereus_collective_name(enum nereus_collective collective)
{
    return get_name(nereus_collective_names, NEREUS_COLLECTIVE_COUNT, (unsigned)collective);
}

enum nereus_collective nereus_collective_from_name(const char *word)
{
    return (enum nereus_collective)nereus_word_index(word, nereus_collective_names,
                                                     NEREUS_COLLECTIVE_COUNT);
}

int nereus_collective_has_bytes(enum nereus_collective collective)
{
#define HAS_BYTES(e, name, has_bytes, help) [e] = has_bytes,
    static const int sized[NEREUS_COLLECTIVE_COUNT] = {NEREUS_COLLECTIVE_LIST(HAS_BYTES)};
#undef HAS_BYTES
    return (unsigned)collective < NEREUS_COLLECTIVE_COUNT ? sized[collective] : 0;
}

const char *nereus_stage_name(enum nereus_stage stage)
{
    return get_name(stages, NEREUS_STAGE_COUNT, (unsigned)stage);
}

const char *nereus_background_name(enum nereus_background background)
{
    return get_name(companies, NEREUS_BACKGROUND_COUNT, (unsigned)background);
}

const char *nereus_contention_name(int index)
{
    return get_name(nereus_contention_names, NEREUS_CONTENTION_COUNT, (unsigned)index);
}

int nereus_contention_from_name(const char *name)
{
    return (int)nereus_word_index(name, nereus_contention_names, NEREUS_CONTENTION_COUNT);
}

const char *nereus_term_name(enum nereus_term term)
{
    return get_name(nereus_term_names, NEREUS_TERM_COUNT, (unsigned)term);
}

enum nereus_term nereus_term_from_name(const char *name)
{
    return (enum nereus_term)nereus_word_index(name, nereus_term_names, NEREUS_TERM_COUNT);
}

const char *nereus_overlap_term_name(enum nereus_overlap_term term)
{
    return get_name(nereus_overlap_term_names, NEREUS_OVERLAP_TERM_COUNT, (unsigned)term);
}

enum nereus_overlap_term nereus_overlap_term_from_name(const char *name)
{
    return (enum nereus_overlap_term)nereus_word_index(name, nereus_overlap_term_names,
                                                       NEREUS_OVERLAP_TERM_COUNT);
}
