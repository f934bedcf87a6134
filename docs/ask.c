/* ask.c: asks what a change from NS to NT processes costs on the machine of a profile. */
#include <nereus/goal.h>
#include <nereus/scaling.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *who, const struct nereus_prediction *best)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    printf("%s: %s, RT %.4g s (90 %%: %.4g to %.4g), T_ex %.4g s\n", who,
           nereus_method_format(&best->method, method), best->rt_s.value, best->rt_s.low,
           best->rt_s.high, best->t_ex_s);
}

/* 100 iterations of 0.2 s on NS processes, which scale within the cores; 3 before the change. */
static int ask(const struct nereus_profile *profile, const struct nereus_machine *machine,
               int64_t ns, int64_t nt)
{
    const struct nereus_scaling strong = {.law = NEREUS_SCALING_STRONG, .machine = machine};
    double t_iter_nt_s;
    if (nereus_scaling_apply(&strong, ns, 0.2, nt, &t_iter_nt_s, NULL) != NEREUS_OK)
        return EXIT_FAILURE;
    const struct nereus_scenario scenario = {.machine = machine,
                                             .ns = ns,
                                             .nt = nt,
                                             .t_iter_ns_s = 0.2,
                                             .t_iter_nt_s = t_iter_nt_s,
                                             .iterations_before = 3,
                                             .iterations_after = 97};
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    const struct nereus_goal_question question = {profile, &scenario, &ranking};
    const int methods = (int)profile->method_count;
    struct nereus_prediction best[2], *room = calloc((size_t)methods, sizeof *room);
    const int possible =
        room != NULL ? nereus_predict_best(&question, profile->methods, methods, room, best) : 0;
    if (possible > 0) {
        print("application", &best[0]);
        print("system", &best[1]);
    }
    free(room);
    return possible > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static struct nereus_profile profile;
    struct nereus_machine machine = {0};
    struct nereus_error err;
    const int64_t ns = argc == 4 ? atoll(argv[2]) : 0, nt = argc == 4 ? atoll(argv[3]) : 0;
    if (argc != 4) {
        fprintf(stderr, "usage: ask PROFILE.json NS NT\n");
        return EXIT_FAILURE;
    }
    int status = EXIT_FAILURE;
    if (nereus_profile_read(argv[1], &profile, &err) != NEREUS_OK ||
        nereus_profile_machine(&profile, &machine, &err) != NEREUS_OK ||
        nereus_machine_check_size(&machine, "NS", ns, &err) != NEREUS_OK ||
        nereus_machine_check_size(&machine, "NT", nt, &err) != NEREUS_OK)
        fprintf(stderr, "ask: %s\n", err.text);
    else
        status = ask(&profile, &machine, ns, nt);
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
    return status;
}
