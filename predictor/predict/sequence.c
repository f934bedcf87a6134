/** @file sequence.c  Parses and answers several changes of size in a row. */
#include "sequence.h"

#include "model/util/values.h"

/* Parse one change; the text is modified. */
static enum nereus_status parse_change(char *entry, struct nereus_change *change,
                                       struct nereus_error *err)
{
    char what[96];
    char *iteration = strchr(entry, '@');
    if (iteration == NULL) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "--sequence takes SIZE@ITERATION[:METHOD],..., as 448@100,224@150:merge-ts, not '%s'",
            entry);
    }
    snprintf(what, sizeof what, "--sequence: '%s':", entry);
    if (iteration == entry) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "--sequence: '%s': the size that the job changes to has to stand before '@', as "
            "448%s (it begins on --ns processes)",
            entry, entry);
    }
    *iteration++ = '\0';
    char *method = strchr(iteration, ':');
    if (method != NULL)
        *method++ = '\0';
    NEREUS_TRY(nereus_value_parse_integer(what, entry, 1, &change->nt, err));
    NEREUS_TRY(nereus_value_parse_integer(what, iteration, 0, &change->iteration,
                                          err)); /* 0: before the first one */
    if (change->nt > NEREUS_PROCESSES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s at most %lld processes are possible", what,
                           (long long)NEREUS_PROCESSES_MAX);
    }
    change->named = method != NULL;
    if (!change->named)
        return NEREUS_OK;
    NEREUS_TRY(nereus_method_parse(method, &change->method, err));
    return nereus_method_check(&change->method, err);
}

static enum nereus_status parse_changes(char *rest, struct nereus_sequence *sequence,
                                        struct nereus_error *err)
{
    char *entry;
    while ((entry = strsep(&rest, ",")) != NULL) {
        struct nereus_change *change = &sequence->changes[sequence->count];
        NEREUS_TRY(parse_change(entry, change, err));
        if (sequence->count > 0 && change->iteration <= change[-1].iteration) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--sequence: iterations must ascend, and %lld follows %lld",
                               (long long)change->iteration, (long long)change[-1].iteration);
        }
        sequence->count++;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_sequence_parse(const char *text, struct nereus_sequence *sequence,
                                         struct nereus_error *err)
{
    const size_t capacity = strlen(text) + 1;
    char *copy = strdup(text);
    *sequence = (struct nereus_sequence){.changes = calloc(capacity, sizeof *sequence->changes),
                                         .answers = calloc(capacity, sizeof *sequence->answers)};
    enum nereus_status status =
        copy == NULL || sequence->changes == NULL || sequence->answers == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for --sequence")
            : parse_changes(copy, sequence, err);
    free(copy);
    if (status != NEREUS_OK)
        nereus_sequence_fini(sequence);
    return status;
}

void nereus_sequence_fini(struct nereus_sequence *sequence)
{
    for (int i = 0; i < sequence->count && sequence->answers != NULL; i++)
        nereus_answer_fini(&sequence->answers[i].answer);
    free(sequence->changes);
    free(sequence->answers);
    *sequence = (struct nereus_sequence){0};
}

/* Record the scaling law as the assumption, not the iteration time on the first target size. */
static void assume_law(const char *scaling, struct nereus_question *question)
{
    for (int i = 0; i < question->assumed_count; i++) {
        struct nereus_assumption *assumption = &question->assumptions[i];
        if (strcmp(assumption->option, "t-iter-nt") != 0)
            continue;
        if (scaling == NULL)
            *assumption = (struct nereus_assumption){.option = "scaling", .value = "strong"};
        else
            *assumption = question->assumptions[--question->assumed_count];
        return;
    }
}

enum nereus_status nereus_sequence_check(const struct nereus_settings *settings,
                                         struct nereus_error *err)
{
    const char *option, *hint = "";
    if (settings->nt != 0) {
        option = "nt";
    } else if (settings->iterations_before >= 0) {
        option = "iterations-before";
    } else if (settings->t_iter_nt_s > 0) {
        option = "t-iter-nt";
        hint = " (times of other sizes: --scaling)";
    } else {
        return NEREUS_OK;
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--sequence replaces --%s: leave it out%s", option,
                       hint);
}

enum nereus_status nereus_sequence_question(const struct nereus_sequence *sequence,
                                            const struct nereus_settings *settings,
                                            const struct nereus_profile *profile,
                                            struct nereus_question *question,
                                            struct nereus_error *err)
{
    struct nereus_settings first = *settings;
    first.nt = sequence->changes[0].nt;
    first.iterations_before = sequence->changes[0].iteration;
    NEREUS_TRY(nereus_question_make(&first, profile, question, err));
    enum nereus_status status = NEREUS_OK;
    assume_law(settings->scaling, question);
    for (int i = 1; i < sequence->count && status == NEREUS_OK; i++) {
        status = nereus_machine_check_size(&question->machine, "--sequence",
                                           sequence->changes[i].nt, err);
    }
    if (status != NEREUS_OK)
        nereus_question_fini(question);
    return status;
}

/* Start of the job: size, iteration time on it, and iterations after the last change. */
struct start {
    int64_t size;
    double t_iter_s, after_last;
};

static enum nereus_status make_scenario(const struct nereus_sequence *sequence, int number,
                                        const struct start *start, struct nereus_question *question,
                                        struct nereus_error *err)
{
    struct nereus_scenario *s = &question->scenario;
    const struct nereus_change *change = &sequence->changes[number];
    s->ns = number == 0 ? start->size : change[-1].nt;
    s->nt = change->nt;
    s->iterations_before = number == 0 ? (double)change->iteration : 0;
    s->iterations_after = number + 1 < sequence->count
                              ? (double)(change[1].iteration - change->iteration)
                              : start->after_last;
    NEREUS_TRY(nereus_scaling_apply(&question->scaling, start->size, start->t_iter_s, s->ns,
                                    &s->t_iter_ns_s, err));
    return nereus_scaling_apply(&question->scaling, start->size, start->t_iter_s, s->nt,
                                &s->t_iter_nt_s, err);
}

/* Apply the best prediction that can be placed to the job state. */
static enum nereus_status apply_best(const struct nereus_answer *answer,
                                     struct nereus_question *question,
                                     struct nereus_change_answer *taken_change,
                                     struct nereus_error *err)
{
    const struct nereus_scenario *s = &question->scenario;
    enum nereus_status status = NEREUS_ERR_NO_BASIS;
    for (int i = 0; i < answer->count; i++) {
        struct nereus_prediction *p = &answer->predictions[i];
        status = nereus_predict_nodes(s, &answer->ranking.power, p, err);
        if (status == NEREUS_OK) {
            const struct nereus_method method = nereus_prediction_method(p);
            status = nereus_jobstate_reconfigure(s->machine, s->ns, s->nt, &method,
                                                 &question->state, err);
        }
        if (status == NEREUS_OK) {
            taken_change->prediction = *p;
            taken_change->best = i == 0;
            taken_change->t_ex_s = nereus_answer_interval(s, answer, i, NEREUS_QUANTITY_T_EX);
            taken_change->scenario = *s;
            taken_change->scenario.state = NULL;
            taken_change->worlds = question->state.world_count;
            taken_change->zombies = nereus_jobstate_zombies(&question->state);
            return NEREUS_OK;
        }
    }
    return status;
}

static enum nereus_status answer_change(const struct nereus_candidates *candidates,
                                        const struct nereus_change *change,
                                        struct nereus_question *question,
                                        struct nereus_change_answer *taken_change,
                                        struct nereus_error *err)
{
    struct nereus_method named = change->method;
    const struct nereus_methods only_named = {.items = &named, .count = 1};
    struct nereus_candidates these = *candidates;
    these.methods = change->named ? &only_named : these.methods;
    NEREUS_TRY(nereus_answer_make(&these, question, &taken_change->answer, err));
    return apply_best(&taken_change->answer, question, taken_change, err);
}

enum nereus_status nereus_sequence_answer(const struct nereus_candidates *candidates,
                                          struct nereus_question *question,
                                          struct nereus_sequence *sequence,
                                          struct nereus_error *err)
{
    const struct nereus_scenario *s = &question->scenario;
    const struct start start = {s->ns, s->t_iter_ns_s, s->iterations_after};
    struct nereus_error why;
    double t_ex_s = 0, node_s = 0;
    for (int i = 0; i < sequence->count; i++) {
        struct nereus_change_answer *taken_change = &sequence->answers[i];
        enum nereus_status status = make_scenario(sequence, i, &start, question, &why);
        if (status == NEREUS_OK)
            status = answer_change(candidates, &sequence->changes[i], question, taken_change, &why);
        if (status != NEREUS_OK) {
            return nereus_fail(err, status, "--sequence, change %d (%lld -> %lld): %s", i + 1,
                               (long long)s->ns, (long long)s->nt, why.text);
        }
        taken_change->t_ex_total_s = t_ex_s += taken_change->prediction.t_ex_s;
        taken_change->node_total_s = node_s += taken_change->prediction.node_s;
    }
    return NEREUS_OK;
}
