/** @file choices.c  Choices, held against what was measured. */
#include "choices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double before = 3;

void choice_scores_fini(struct choice_scores *scores)
{
    scores_fini(&scores->regret_application);
    scores_fini(&scores->regret_system);
    scores_fini(&scores->wrong_application);
    scores_fini(&scores->wrong_system);
}

void choice_scores_append(struct choice_scores *scores, const struct choice_scores *other)
{
    scores_append(&scores->regret_application, &other->regret_application);
    scores_append(&scores->regret_system, &other->regret_system);
    scores_append(&scores->wrong_application, &other->wrong_application);
    scores_append(&scores->wrong_system, &other->wrong_system);
}

double choices_t_ex_s(const struct nereus_sample *row, double after, double rt_s, double ct_s,
                      double iterations)
{
    const double t_ns = row->t_iter_ns_s, t_nt = row->t_iter_nt_s;
    return nereus_equation_7_s(before, t_ns, row->method.async ? ct_s : rt_s, 0, after,
                               row->method.async ? iterations : 0, t_nt);
}

static struct nereus_prediction ranked(const struct nereus_sample *row, double after, double rt_s,
                                       double ct_s, double iterations)
{
    return (struct nereus_prediction){
        .method = row->method,
        .wait_s = row->method.async ? ct_s : rt_s,
        .t_ex_expected_s = choices_t_ex_s(row, after, rt_s, ct_s, iterations),
    };
}

static int first(const struct nereus_prediction *p, int count, bool system)
{
    for (int i = 0; i < count; i++)
        if ((system ? p[i].rank_system : p[i].rank_application) == 1)
            return i;
    return 0;
}

static bool is_merge(const struct nereus_sample *row)
{
    return row->method.process == NEREUS_MERGE && row->method.strategy == NEREUS_PLAIN &&
           !row->method.async;
}

bool choices_judge(enum guesser guesser, const struct known *known,
                   const struct nereus_sample *const *rows, int count, struct choice_scores *scores)
{
    if (count < 1 || count > CHOICES_CELL_MAX)
        return false;
    struct nereus_prediction real[CHOICES_CELL_MAX], guessed[CHOICES_CELL_MAX];
    int from[CHOICES_CELL_MAX], n = 0, merge = 0;
    memset(real, 0, sizeof real);
    memset(guessed, 0, sizeof guessed);
    for (int i = 0; i < count; i++) {
        const struct nereus_sample *s = rows[i];
        const struct guess g = guess_row(guesser, known, s);
        real[i] = ranked(s, known->iterations_after, s->rt_s, s->ct_s, s->iterations);
        merge = is_merge(s) ? i : merge;
        if (g.any) {
            from[n] = i;
            guessed[n++] =
                ranked(s, known->iterations_after, g.rt_s, g.ct_expected_s, g.iterations_expected);
        }
    }
    nereus_rank_methods(real, count);
    nereus_rank_methods(guessed, n);
    const int best = first(real, count, false), best_system = first(real, count, true);
    const int chosen = n > 0 ? from[first(guessed, n, false)] : merge;
    const int mine_system = n > 0 ? from[first(guessed, n, true)] : merge;
    scores_add(&scores->regret_application,
               real[chosen].t_ex_expected_s / real[best].t_ex_expected_s - 1);
    scores_add(&scores->regret_system,
               fmax(0, real[mine_system].wait_s / real[best_system].wait_s - 1));
    scores_add(&scores->wrong_application, chosen != best);
    scores_add(&scores->wrong_system, mine_system != best_system);
    return true;
}

void choices_refuse(int count)
{
    fprintf(stderr, "judged: a cell has 1 to %d rows, not %d\n", CHOICES_CELL_MAX, count);
    exit(1);
}
