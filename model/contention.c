/*
 * Iterations beside threads: what a calibration measured of them, as a price.
 *
 *   T(L) = T_iter (1 + u (L-1)+) + d (L-1)+      u, d for each stage, beside waiting and beside communicating threads
 *
 * with L = (processes + threads) / cores. A reconfiguration beside the application adds both kinds: new processes on the sources' nodes
 * work or spin, so that they count as communicating; auxiliary threads sleep (waiting) while processes start, and move
 * data (communicating) where a method's data moves by a thread:
 *
 *   omega T_iter = T_iter + communicating(L_p) + company(L_all) - company(L_p)
 *
 * L_p: old and new processes alone.
 */
#include "contention.h"

#include <math.h>
#include <string.h>

#include "overlap.h"

#define WORD(e, word, help) [e] = word,
static const char *const stages[NEREUS_STAGE_COUNT] = {NEREUS_STAGE_LIST(WORD)};
static const char *const companies[NEREUS_COMPANY_COUNT] = {NEREUS_COMPANY_LIST(WORD)};
#undef WORD
static const char *const names[NEREUS_CONTENTION_COUNT] = {"compute/waiting",    "compute/communicating",
                                                           "memory/waiting",     "memory/communicating",
                                                           "collective/waiting", "collective/communicating"};

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

static const struct nereus_linear_model *model_of(const struct nereus_profile *profile,
                                                  enum nereus_stage stage, enum nereus_company company)
{
    return &profile->contention[(int)stage * NEREUS_COMPANY_COUNT + (int)company];
}

bool nereus_contention_known(const struct nereus_profile *profile, const struct nereus_overlap_input *in)
{
    const bool both =
        model_of(profile, in->stage, NEREUS_COMPANY_WAITING)->basis == NEREUS_BASIS_FITTED &&
        model_of(profile, in->stage, NEREUS_COMPANY_COMMUNICATING)->basis == NEREUS_BASIS_FITTED;
    /* Iterations beside whole reconfigurations of this kind, at such a load, say more. */
    const bool seen = profile->omega.basis == NEREUS_BASIS_FITTED && !in->communicates &&
                      in->stage == NEREUS_STAGE_COMPUTE && in->load.load <= profile->omega.max_load;
    return both && !seen;
}

/* What an iteration takes longer at a load. */
static double extra_s(const struct nereus_linear_model *model, const struct nereus_overlap_input *in,
                      double load)
{
    struct nereus_overlap_input at = *in;
    at.group = NEREUS_ASYNC_PLAIN;
    at.load.load_all = load;
    return nereus_overlap_value(model, &at, NULL);
}

double nereus_contention_iteration_s(const struct nereus_profile *profile,
                                     const struct nereus_overlap_input *in)
{
    const struct nereus_linear_model *processes = model_of(profile, in->stage, NEREUS_COMPANY_COMMUNICATING);
    const struct nereus_linear_model *threads =
        in->communicates ? processes : model_of(profile, in->stage, NEREUS_COMPANY_WAITING);
    /* Without new processes on the sources' nodes there are as many threads as processes on them. */
    const double load = in->load.shared_nodes > 0 ? in->load.load : 0.5 * in->load.load_all;
    const double all = fmax(load, in->load.load_all);
    return in->t_iter_s + extra_s(processes, in, load) + extra_s(threads, in, all) -
           extra_s(threads, in, load);
}
