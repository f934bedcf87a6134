/**
 * @file trace_check.c
 * Compares a trace with the plan of each reconfiguration in it; findings name their line.
 */
#include "trace_check.h"

/* Relative difference that is accepted, because numbers in files have nine digits. */
static const double tolerance = 1e-6;

static void add_finding(struct nereus_trace_findings *findings, int64_t line, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

static void add_finding(struct nereus_trace_findings *findings, int64_t line, const char *format,
                        ...)
{
    char sentence[320];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    findings->count++;
    findings->report(findings->user, line, sentence);
}

static bool is_outside_changes(enum nereus_trace_kind kind)
{
    return kind == NEREUS_TRACE_ITERATIONS || kind == NEREUS_TRACE_SIZE ||
           kind == NEREUS_TRACE_RESTART;
}

bool nereus_trace_next_change(const struct nereus_trace *trace, struct nereus_trace_change *change)
{
    int64_t index = change->end;
    const struct nereus_trace_change previous_change = *change;
    while (index < trace->count && is_outside_changes(trace->events[index].kind))
        index++;
    if (index >= trace->count)
        return false;
    change->first = index;
    change->number = trace->events[index].reconfiguration;
    change->whole = NULL;
    /* In a change by restart, the restart comes between its steps. */
    for (; index < trace->count && change->whole == NULL &&
           (trace->events[index].reconfiguration == change->number ||
            trace->events[index].kind == NEREUS_TRACE_RESTART);
         index++)
        if (trace->events[index].kind == NEREUS_TRACE_RECONFIGURATION)
            change->whole = &trace->events[index];
    change->end = index;
    change->job = previous_change.job +
                  (previous_change.job == 0 || change->number <= previous_change.number);
    return true;
}

static int64_t get_line(const struct nereus_trace *trace, const struct nereus_trace_change *change)
{
    return change->whole != NULL ? change->whole->line : trace->events[change->end - 1].line;
}

static void check_value(struct nereus_trace_findings *findings,
                        const struct nereus_trace_event *event, const char *key, int64_t is,
                        int64_t planned)
{
    if (is != planned) {
        add_finding(findings, event->line,
                    "reconfiguration %lld: %s of step %lld (%s) is %lld, the plan says %lld",
                    (long long)event->reconfiguration, key, (long long)event->step,
                    nereus_step_name(event->step_kind), (long long)is, (long long)planned);
    }
}

static void check_step(const struct nereus_trace_event *event, const struct nereus_step *step,
                       struct nereus_trace_findings *findings)
{
    if (event->step_kind != step->kind) {
        add_finding(findings, event->line,
                    "reconfiguration %lld: step %lld is %s, the plan says %s",
                    (long long)event->reconfiguration, (long long)event->step,
                    nereus_step_name(event->step_kind), nereus_step_name(step->kind));
        return;
    }
    check_value(findings, event, "level", event->level, step->level);
    check_value(findings, event, "repeat", event->repeat, step->repeat);
    check_value(findings, event, "times", event->times, step->times);
    check_value(findings, event, "old_processes", event->old_processes, step->old_processes);
    check_value(findings, event, "new_processes", event->new_processes, step->new_processes);
    check_value(findings, event, "bytes", isnan(event->bytes) ? -1 : (int64_t)event->bytes,
                step->constant_bytes + step->variable_bytes + step->replicated_bytes);
    if (event->critical_s > event->time_s * (1 + tolerance)) {
        add_finding(
            findings, event->line,
            "reconfiguration %lld: step %lld takes %.4g s, and %.4g s of it lie on the critical "
            "path",
            (long long)event->reconfiguration, (long long)event->step, event->time_s,
            event->critical_s);
    }
}

/* Check that each step occurs once, in rising order; `line_counts` counts the lines of each. */
static void check_lines(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                        const struct nereus_plan *plan, int64_t *line_counts,
                        struct nereus_trace_findings *findings)
{
    const struct nereus_trace_event *previous_event = NULL;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind != NEREUS_TRACE_STEP)
            continue;
        const char *name = nereus_step_name(event->step_kind);
        if (event->step < 0 || event->step >= plan->step_count) {
            add_finding(
                findings, event->line,
                "reconfiguration %lld: there is a step %lld (%s), the plan has steps 0 to %d",
                (long long)change->number, (long long)event->step, name, plan->step_count - 1);
            continue;
        }
        if (++line_counts[event->step] > 1) {
            add_finding(findings, event->line,
                        "reconfiguration %lld: step %lld (%s) is there twice",
                        (long long)change->number, (long long)event->step, name);
        } else if (previous_event != NULL && event->step < previous_event->step) {
            add_finding(findings, event->line,
                        "reconfiguration %lld: step %lld (%s) comes after step %lld (%s)",
                        (long long)change->number, (long long)event->step, name,
                        (long long)previous_event->step,
                        nereus_step_name(previous_event->step_kind));
        }
        check_step(event, &plan->steps[event->step], findings);
        previous_event = event;
    }
}

/* Must the trace have a line of the step? Launched processes need no synchronisation up, which has
 * no line (src/steps/step_synchronise.c). */
static bool has_trace_line(const struct nereus_step *step)
{
    return !(step->kind == NEREUS_STEP_SYNCHRONISE && step->level > 0 &&
             step->channel == NEREUS_CHANNEL_LINES);
}

static void check_missing(const struct nereus_trace *trace,
                          const struct nereus_trace_change *change, const struct nereus_plan *plan,
                          const int64_t *line_counts, struct nereus_trace_findings *findings)
{
    for (int i = 0; i < plan->step_count; i++) {
        if (line_counts[i] == 0 && has_trace_line(&plan->steps[i])) {
            add_finding(findings, get_line(trace, change),
                        "reconfiguration %lld: step %d (%s) of the plan is missing",
                        (long long)change->number, i, nereus_step_name(plan->steps[i].kind));
        }
    }
}

static void check_group(const struct nereus_trace_event *event,
                        const struct nereus_tree_group *group,
                        struct nereus_trace_findings *findings)
{
    if (event->processes != group->processes || event->level != group->level ||
        event->parent_group != group->parent || event->parent_rank != group->parent_rank) {
        add_finding(
            findings, event->line,
            "reconfiguration %lld: group %lld has %lld process%s at level %lld, started by rank "
            "%lld of group %lld; the plan says %lld at %lld, by rank %lld of group %lld",
            (long long)event->reconfiguration, (long long)event->group, (long long)event->processes,
            nereus_plural_es(event->processes), (long long)event->level,
            (long long)event->parent_rank, (long long)event->parent_group,
            (long long)group->processes, (long long)group->level, (long long)group->parent_rank,
            (long long)group->parent);
    }
}

static void check_groups(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                         const struct nereus_plan *plan, struct nereus_trace_findings *findings)
{
    int64_t count = 0;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind != NEREUS_TRACE_GROUP)
            continue;
        if (event->group != count || count >= plan->tree.group_count) {
            add_finding(findings, event->line,
                        "reconfiguration %lld: group %lld is not expected here",
                        (long long)change->number, (long long)event->group);
        } else {
            check_group(event, &plan->tree.groups[count], findings);
        }
        count++;
    }
    if (count < plan->tree.group_count) {
        add_finding(findings, get_line(trace, change),
                    "reconfiguration %lld: %lld of %lld group%s %s there",
                    (long long)change->number, (long long)count, (long long)plan->tree.group_count,
                    nereus_plural_s(plan->tree.group_count),
                    nereus_choose_plural(count, "is", "are"));
    }
}

static void check_sum(const struct nereus_trace_event *whole, const char *what, double sum_s,
                      double said_s, struct nereus_trace_findings *findings)
{
    if (fabs(sum_s - said_s) > tolerance * whole->rt_s) {
        add_finding(findings, whole->line,
                    "reconfiguration %lld: %s is %.9g s by its steps, and is said to be %.9g s",
                    (long long)whole->reconfiguration, what, sum_s, said_s);
    }
}

/* Check a sum of times; missing times are NAN, which counts as right. */
static void check_sums(const struct nereus_trace *trace, const struct nereus_trace_change *change,
                       struct nereus_trace_findings *findings)
{
    const struct nereus_trace_event *whole = change->whole;
    double critical_s = 0, waits_s = 0, latest_s = 0;
    for (int64_t i = change->first; i < change->end; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP) {
            critical_s += event->critical_s;
            waits_s += event->wait_s;
            latest_s = fmax(latest_s, event->start_s + event->time_s);
        }
    }
    check_sum(whole, "the critical path", critical_s, whole->critical_s, findings);
    check_sum(whole, "waiting", waits_s, whole->waits_s, findings);
    check_sum(whole, "critical path + waits + not attributed time",
              critical_s + waits_s + whole->not_attributed_s, whole->rt_s, findings);
    if (latest_s > whole->rt_s * (1 + tolerance)) {
        add_finding(findings, whole->line,
                    "reconfiguration %lld: its steps last until %.9g s, and RT is %.9g s",
                    (long long)change->number, latest_s, whole->rt_s);
    }
}

void nereus_trace_check_change(const struct nereus_trace *trace,
                               const struct nereus_trace_change *change,
                               const struct nereus_plan *plan,
                               struct nereus_trace_findings *findings)
{
    int64_t *line_counts = calloc((size_t)plan->step_count + 1, sizeof *line_counts);
    if (line_counts == NULL) {
        add_finding(findings, get_line(trace, change), "no memory to check %d steps",
                    plan->step_count);
        return;
    }
    check_lines(trace, change, plan, line_counts, findings);
    check_missing(trace, change, plan, line_counts, findings);
    check_groups(trace, change, plan, findings);
    if (change->whole != NULL)
        check_sums(trace, change, findings);
    free(line_counts);
}

static void check_carried_out(const struct nereus_trace *trace,
                              const struct nereus_trace_change *change,
                              struct nereus_trace_findings *findings,
                              struct nereus_trace_checked *checked)
{
    struct nereus_plan plan;
    struct nereus_error err;
    if (change->whole->request < 0) {
        checked->unplanned++;
        return;
    }
    if (nereus_plan_make(&trace->requests[change->whole->request], &plan, &err) != NEREUS_OK) {
        add_finding(findings, change->whole->line, "reconfiguration %lld cannot be planned: %s",
                    (long long)change->number, err.text);
        return;
    }
    checked->compared_count++;
    nereus_trace_check_change(trace, change, &plan, findings);
    nereus_plan_fini(&plan);
}

static bool has_steps(const struct nereus_trace *trace, const struct nereus_trace_change *change)
{
    for (int64_t i = change->first; i < change->end; i++) {
        const enum nereus_trace_kind kind = trace->events[i].kind;
        if (kind == NEREUS_TRACE_STEP || kind == NEREUS_TRACE_GROUP)
            return true;
    }
    return false;
}

/* Check a request that was not carried out: it has an error message and no steps, but may have the
 * choice of the method, and a start. */
static void check_answered(const struct nereus_trace *trace,
                           const struct nereus_trace_change *change,
                           struct nereus_trace_findings *findings)
{
    if (has_steps(trace, change)) {
        add_finding(findings, trace->events[change->first].line,
                    "reconfiguration %lld: has steps, and its outcome is %s",
                    (long long)change->number, change->whole->outcome);
    }
    if (strchr(change->whole->sentence, ' ') == NULL) {
        add_finding(findings, change->whole->line,
                    "reconfiguration %lld: no sentence says why its outcome is %s",
                    (long long)change->number, change->whole->outcome);
    }
}

void nereus_trace_check(const struct nereus_trace *trace, struct nereus_trace_findings *findings,
                        struct nereus_trace_checked *checked)
{
    struct nereus_trace_change change = {0};
    *checked = (struct nereus_trace_checked){0};
    while (nereus_trace_next_change(trace, &change)) {
        checked->changes++;
        if (change.whole == NULL) {
            add_finding(findings, get_line(trace, &change),
                        "reconfiguration %lld: its steps are not followed by a line of its own",
                        (long long)change.number);
        } else if (strcmp(change.whole->outcome, "resized") == 0) {
            check_carried_out(trace, &change, findings, checked);
        } else {
            check_answered(trace, &change, findings);
        }
    }
}
