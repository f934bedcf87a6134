/** @file plan_words.c  Names roles, steps and the basis of a price in words. */

#include "nereus/plan.h"
#include "priced_plan.h"

static const struct {
    unsigned role;
    const char *name;
} roles[] = {{NEREUS_STAYING, "staying"},
             {NEREUS_LEAVING, "leaving"},
             {NEREUS_WOKEN, "woken"},
             {NEREUS_SPAWNED, "spawned"},
             {NEREUS_RELEASING, "releasing"}};

char *nereus_roles_text(unsigned set, char text[64])
{
    text[0] = '\0';
    for (size_t i = 0; i < NEREUS_COUNT_OF(roles); i++)
        if (set & roles[i].role)
            nereus_append(text, 64, "%s%s", text[0] != '\0' ? "+" : "", roles[i].name);
    return text;
}

const char *nereus_role_name(unsigned role)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(roles); i++)
        if (roles[i].role == role)
            return roles[i].name;
    return NULL;
}

char *nereus_step_label(const struct nereus_step *step, char text[96])
{
    char place[32];
    text[0] = '\0';
    nereus_append(text, 96, "%s%s%s", nereus_step_name(step->kind),
                  nereus_step_position(step->kind, step->level, place),
                  step->thread == NEREUS_AUXILIARY_THREAD ? " (thread)"
                  : step->thread == NEREUS_AT_POINTS      ? " (at points)"
                                                          : "");
    if (step->repeat > 1)
        nereus_append(text, 96, " x %lld", (long long)step->repeat);
    if (step->times > 1)
        nereus_append(text, 96, ", %lld times", (long long)step->times);
    return text;
}

const char *nereus_step_price_basis(const struct nereus_step_price *price)
{
    switch (price->basis) {
    case NEREUS_BASIS_FITTED:
        return price->extrapolated ? "extrapolated" : "fitted";
    case NEREUS_BASIS_PRIOR:
        return "prior";
    case NEREUS_BASIS_CONTAINED:
        return "contained";
    case NEREUS_BASIS_NONE:
        break;
    }
    return "none";
}
