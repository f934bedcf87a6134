/** @file test_properties.c  What holds for every prediction, whatever is asked: random scenarios,
 * with the odd ones among them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "nereus/goal.h"
#include "tests/unit/note_of.h"
#include "tests/unit/random.h"

enum { METHODS_MAX = 160, SCENARIOS = 1500 };

static double one_of(const double *values, size_t count)
{
    return values[random_bits() % count];
}

/* All that are legal with no data part, with messages and with each overlap. */
static int list_methods(struct nereus_method *methods)
{
    int count = 0;
    for (unsigned i = 0;
         i < NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * 2 * NEREUS_SHRINK_COUNT &&
         count < METHODS_MAX - 1;
         i++)
        for (int data = 0; data < 2; data++) {
            const struct nereus_method m = {
                .process = (enum nereus_process)(i % NEREUS_PROCESS_COUNT),
                .strategy =
                    (enum nereus_strategy)(i / NEREUS_PROCESS_COUNT % NEREUS_STRATEGY_COUNT),
                .async = i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT % 2 != 0,
                .shrink =
                    (enum nereus_shrink)(i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT / 2),
                .has_data = data == 1,
                .data = (enum nereus_data)(i % NEREUS_DATA_COUNT),
                .overlap = (enum nereus_overlap)(i / 3 % NEREUS_OVERLAP_COUNT)};
            if (nereus_method_check(&m, NULL) == NEREUS_OK)
                methods[count++] = m;
        }
    return count;
}

static struct nereus_scenario draw_scenario(const struct nereus_machine *machines)
{
    static const double times_s[] = {1e-9, 1e-4, 0.1, 4, 1e6}, bytes[] = {0, 0, 1, 1e6, 3e12},
                        iterations[] = {0, 1, 2.5, 97, 1e9},
                        sizes[] = {1, 1, 2, 3, 7, 20, 64, 333, 5000};
    return (struct nereus_scenario){.machine = &machines[random_below(3)],
                                    .ns = (int64_t)one_of(sizes, 9),
                                    .nt = (int64_t)one_of(sizes, 9),
                                    .constant_bytes = one_of(bytes, 5),
                                    .variable_bytes = one_of(bytes, 5),
                                    .t_iter_ns_s = one_of(times_s, 5),
                                    .t_iter_nt_s = one_of(times_s, 5),
                                    .iterations_before = one_of(iterations, 5),
                                    .iterations_after = one_of(iterations, 5)};
}

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds >= 0;
}

/* alpha is overlapped RT over the synchronous counterpart's RT, on either side of 1. */
static void check_prediction(const struct nereus_scenario *s, const struct nereus_prediction *p)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    nereus_method_format(&p->method, text);
    const long long ns = s->ns, nt = s->nt;
    cr_assert(is_time(p->rt_s.low) && is_time(p->rt_s.value) && is_time(p->rt_s.high),
              "%s %lld -> %lld", text, ns, nt);
    cr_assert(p->rt_s.low <= p->rt_s.value && p->rt_s.value <= p->rt_s.high, "%s %lld -> %lld",
              text, ns, nt);
    cr_assert(is_time(p->rt_sync_s) && is_time(p->ct_s) && is_time(p->wait_s) &&
                  is_time(p->t_ex_s) && is_time(p->t_ex_expected_s) && is_time(p->alpha) &&
                  is_time(p->omega),
              "%s %lld -> %lld", text, ns, nt);
    cr_assert(p->iterations <= s->iterations_after && p->iterations_expected <= s->iterations_after,
              "%s %lld -> %lld: It %g of %g", text, ns, nt, p->iterations, s->iterations_after);
    cr_assert(p->overlapped ||
              (p->alpha == 1 && p->omega == 1 && p->ct_s == 0 && p->iterations == 0));
    cr_assert(!p->overlapped || p->iterations >= 1 || p->iterations_capped, "%s %lld -> %lld", text,
              ns, nt);
    /* Each doubtful prediction has a reason. */
    cr_assert(p->source != NEREUS_EXTRAPOLATED || note_of(*p)[0] != '\0', "%s %lld -> %lld", text,
              ns, nt);
    cr_assert(!p->iterations_capped || strstr(note_of(*p), "after the last iteration") != NULL ||
                  strlen(note_of(*p)) > 100,
              "%s: note '%s'", text, note_of(*p));
}

/* Some starts of published tables overlap in less time than they take alone; nothing does in a
 * calibration. */
static void check_profile(const char *path, bool is_below_1)
{
    static const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    static struct nereus_prediction predictions[METHODS_MAX];
    struct nereus_method methods[METHODS_MAX];
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    struct nereus_node nodes[2] = {{.name = "a", .cores = 3}, {.name = "b", .cores = 5}};
    cr_assert(nereus_profile_read(path, &profile, &err) == NEREUS_OK, "%s", err.text);
    const struct nereus_machine machines[] = {
        {.cores_per_node = profile.cores_per_node},
        {.cores_per_node = 5, .node_count = 2, .nodes = nodes},
        {.cores_per_node = 1}};
    const int count = list_methods(methods);
    int64_t predicted = 0, capped = 0, above = 0, below = 0;
    for (int i = 0; i < SCENARIOS; i++) {
        const struct nereus_scenario s = draw_scenario(machines);
        const int n = nereus_predict_all(&(struct nereus_goal_question){&profile, &s, &ranking},
                                         methods, count, predictions);
        for (int k = 0; k < n; k++) {
            check_prediction(&s, &predictions[k]);
            capped += predictions[k].iterations_capped;
            above += predictions[k].alpha > 1;
            below += predictions[k].alpha < 1;
        }
        predicted += n;
    }
    cr_expect(predicted > 10 * SCENARIOS && capped > 100 && above > 100 &&
                  (below > 0) == is_below_1,
              "%lld predictions, %lld capped, alpha above 1: %lld, below: %lld",
              (long long)predicted, (long long)capped, (long long)above, (long long)below);
    nereus_profile_fini(&profile);
}

Test(properties, of_a_profile_of_whole_reconfigurations)
{
    check_profile(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", true);
}

Test(properties, of_a_calibrated_profile)
{
    check_profile(NEREUS_SOURCE_DIR "/tests/unit/data/calibrated.json", false);
}
