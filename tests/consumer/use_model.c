/* Uses the model from its installed headers: a method's text survives parsing and printing, and a
 * pair of sizes is predicted as a scheduler asks for it. */
#include <nereus/goal.h>
#include <nereus/method.h>
#include <nereus/plan.h>
#include <stdio.h>
#include <string.h>

static int print_method(void)
{
    static const char text[] = "merge-single-async/coll-waittargets";
    struct nereus_method method;
    struct nereus_error error;
    char printed[NEREUS_METHOD_TEXT_MAX];
    if (nereus_method_parse(text, &method, &error) != NEREUS_OK) {
        fprintf(stderr, "use_model: %s\n", error.text);
        return 1;
    }
    nereus_method_format(&method, printed);
    printf("use_model: %s\n", printed);
    return strcmp(printed, text) != 0;
}

/* A synthetic machine on which each step takes 10 ms: merge has fewer of them than baseline. */
static int predict(void)
{
    static struct nereus_profile profile = {.cores_per_node = 4};
    const struct nereus_method methods[] = {{.process = NEREUS_BASELINE},
                                            {.process = NEREUS_MERGE}};
    const struct nereus_machine machine = {.cores_per_node = 4};
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = 2,
                                             .nt = 6,
                                             .t_iter_ns_s = 0.3,
                                             .t_iter_nt_s = 0.1,
                                             .iterations_before = 3,
                                             .iterations_after = 97};
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    const struct nereus_goal_question question = {&profile, &scenario, &ranking};
    struct nereus_prediction room[2], best[2];
    int k;
    for (k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        struct nereus_linear_model *step = &profile.steps[k];
        step->basis = NEREUS_BASIS_FITTED;
        step->terms = 1;
        step->rows = 10;
        step->coefficients[0] = 0.01;
        strcpy(step->names[0], "const");
    }
    if (nereus_profile_prepare(&profile, NULL) != NEREUS_OK ||
        nereus_predict_best(&question, methods, 2, room, best) != 2) {
        fprintf(stderr, "use_model: no prediction\n");
        return 1;
    }
    printf("use_model: RT %g s, T_ex %g s\n", best[0].rt_s.value, best[0].t_ex_s);
    nereus_profile_fini(&profile);
    return best[0].method.process != NEREUS_MERGE || best[1].method.process != NEREUS_MERGE;
}

int main(void)
{
    return print_method() != 0 || predict() != 0;
}
