/** @file answer_picture.c  Draws an answer, with a row per method. */

#include "predictions.h"
#include "predictor/picture/chart.h"
#include "predictor/scenario/scenario.h"

enum { METHODS_MAX = 40, RT = 0, T_EX = 1 };
enum { BEFORE = 4, RECONFIGURATION = 3, AFTER = 2 }; /* series: sky blue, vermillion, green */

/* Largest ratio of RTs on a linear axis; with more the axis is logarithmic. */
static const double linear_span = 30;

static const struct nereus_style basis_style[] = {
    [NEREUS_MEASURED] = {.ink = NEREUS_INK_SERIES, .symbol = NEREUS_SYMBOL_DISC},
    [NEREUS_MODELLED] = {.ink = NEREUS_INK_SERIES, .symbol = NEREUS_SYMBOL_DIAMOND},
    [NEREUS_EXTRAPOLATED] = {.ink = NEREUS_INK_SERIES + 3, .symbol = NEREUS_SYMBOL_TRIANGLE},
};

static int count_shown(const struct nereus_answer *answer)
{
    return answer->count < METHODS_MAX ? answer->count : METHODS_MAX;
}

static enum nereus_scale choose_rt_scale(const struct nereus_answer *answer)
{
    double min = INFINITY, max = 0;
    for (int i = 0; i < count_shown(answer); i++) {
        const struct nereus_interval *rt = &answer->predictions[i].rt_s;
        min = rt->low > 0 ? fmin(min, rt->low) : min;
        max = fmax(max, rt->high);
    }
    return max > linear_span * min ? NEREUS_SCALE_LOG : NEREUS_SCALE_LINEAR;
}

static void add_rt(struct nereus_panel *panel, const struct nereus_prediction *p, int row)
{
    char method[NEREUS_METHOD_TEXT_MAX], text[32], low[32], high[32], hint[256] = "";
    const double y = row + 0.5;
    nereus_axis_set_name(&panel->y, nereus_method_format(&p->method, method),
                         nereus_axis_seconds_text(p->rt_s.value, text));
    nereus_append(hint, sizeof hint, "%s: RT %s, 90 %%: %s to %s, %s", method, text,
                  nereus_axis_seconds_text(p->rt_s.low, low),
                  nereus_axis_seconds_text(p->rt_s.high, high), nereus_source_name(p->source));
    if (p->rt_s.high > p->rt_s.low) {
        nereus_panel_add_interval(panel, nereus_box_make(p->rt_s.low, y, p->rt_s.high, y),
                                  basis_style[p->source]);
    }
    nereus_panel_add_point(panel, p->rt_s.value, y, basis_style[p->source], hint);
}

/* Draw a part of T_ex.
 * @return its end */
static double add_part(struct nereus_panel *panel, int row, double from, double time_s, int series,
                       const char *what)
{
    char text[32], hint[96] = "";
    const double end = from + fmax(time_s, 0);
    nereus_append(hint, sizeof hint, "%s: %s", what, nereus_axis_seconds_text(time_s, text));
    if (end > from) {
        nereus_panel_add_area(panel, nereus_box_make(from, row + 0.18, end, row + 0.82),
                              (struct nereus_style){.ink = nereus_ink_series(series)},
                              series == RECONFIGURATION ? text : NULL, hint);
    }
    return end;
}

static void add_t_ex(struct nereus_panel *panel, const struct nereus_question *question,
                     const struct nereus_answer *answer, int row)
{
    const struct nereus_prediction *p = &answer->predictions[row];
    const struct nereus_scenario *scenario = &question->scenario;
    const struct nereus_interval interval =
        nereus_answer_interval(scenario, answer, row, NEREUS_QUANTITY_T_EX);
    const double before_s = scenario->iterations_before * scenario->t_iter_ns_s;
    char text[32];
    nereus_axis_set_name(&panel->y, "", nereus_axis_seconds_text(p->t_ex_s, text));
    double end = add_part(panel, row, 0, before_s, BEFORE, "before");
    end = add_part(panel, row, end, fmin(p->wait_s, p->t_ex_s - before_s), RECONFIGURATION,
                   "reconfiguration");
    add_part(panel, row, end, p->t_ex_s - end, AFTER, "after");
    if (interval.high > interval.low) {
        nereus_panel_add_interval(
            panel, nereus_box_make(interval.low, row + 0.5, interval.high, row + 0.5),
            (struct nereus_style){.ink = NEREUS_INK_TEXT});
    }
}

static void add_keys(struct nereus_chart *chart, const struct nereus_answer *answer)
{
    static const char *const names[] = {[NEREUS_MEASURED] = "RT, measured",
                                        [NEREUS_MODELLED] = "RT, modelled",
                                        [NEREUS_EXTRAPOLATED] = "RT, extrapolated"};
    for (int s = NEREUS_MEASURED; s <= NEREUS_EXTRAPOLATED; s++) {
        bool used = false;
        for (int i = 0; i < count_shown(answer); i++)
            used = used || (int)answer->predictions[i].source == s;
        if (used)
            nereus_chart_add_key(chart, NEREUS_MARK_POINT, basis_style[s], names[s], NULL);
    }
    nereus_chart_add_key(chart, NEREUS_MARK_INTERVAL, (struct nereus_style){.ink = NEREUS_INK_TEXT},
                         "90 % interval", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA,
                         (struct nereus_style){.ink = nereus_ink_series(BEFORE)},
                         "before the reconfiguration", NULL);
    nereus_chart_add_key(
        chart, NEREUS_MARK_AREA, (struct nereus_style){.ink = nereus_ink_series(RECONFIGURATION)},
        answer->later_predictions != NULL
            ? "expansion and later shrink (asynchronous: with the overlapped iterations)"
            : "reconfiguration (asynchronous: with the overlapped iterations)",
        NULL);
    nereus_chart_add_key(
        chart, NEREUS_MARK_AREA, (struct nereus_style){.ink = nereus_ink_series(AFTER)},
        answer->later_predictions != NULL ? "all other iterations" : "after it", NULL);
}

static void add_texts(struct nereus_chart *chart, const struct nereus_profile *profile,
                      const struct nereus_question *question, const struct nereus_answer *answer)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    nereus_append(chart->title, sizeof chart->title, "From %lld to %lld process%s, by method",
                  (long long)question->scenario.ns, (long long)question->scenario.nt,
                  nereus_plural_es(question->scenario.nt));
    nereus_append(chart->description, sizeof chart->description,
                  "Predicted for %s; the best for the goal %s first: %s", profile->cluster,
                  nereus_goal_choices[answer->ranking.goal],
                  nereus_method_format(&answer->predictions[0].method, method));
    if (answer->tie_count > 1) {
        nereus_append(chart->description, sizeof chart->description,
                      ". Its interval and those of %d other method%s overlap",
                      answer->tie_count - 1, nereus_plural_s(answer->tie_count - 1));
    }
    nereus_append(chart->description, sizeof chart->description, ".");
    if (count_shown(answer) < answer->count) {
        nereus_append(chart->note, sizeof chart->note, "The best %d of %d method%s. ",
                      count_shown(answer), answer->count, nereus_plural_s(answer->count));
    }
    nereus_question_assumed_text(question, chart->note, sizeof chart->note);
}

static void fill_chart(struct nereus_chart *chart, const struct nereus_profile *profile,
                       const struct nereus_question *question, const struct nereus_answer *answer)
{
    struct nereus_panel *rt = &chart->panels[RT], *t_ex = &chart->panels[T_EX];
    nereus_axis_init(&rt->x, choose_rt_scale(answer), "RT");
    nereus_axis_init(&t_ex->x, NEREUS_SCALE_LINEAR, "T_ex");
    nereus_axis_init(&rt->y, NEREUS_SCALE_NAMES, "");
    nereus_axis_init(&t_ex->y, NEREUS_SCALE_NAMES, "");
    rt->x.seconds = t_ex->x.seconds = rt->y.every_name = t_ex->y.every_name = true;
    rt->grid = t_ex->grid = t_ex->same_rows = true;
    snprintf(rt->title, sizeof rt->title, "Time of the reconfiguration, RT");
    snprintf(t_ex->title, sizeof t_ex->title, "Time of the whole application, T_ex");
    nereus_axis_include(&rt->x, 0);
    nereus_axis_include(&t_ex->x, 0);
    for (int i = 0; i < count_shown(answer); i++) {
        add_rt(rt, &answer->predictions[i], i);
        add_t_ex(t_ex, question, answer, i);
    }
    add_keys(chart, answer);
    add_texts(chart, profile, question, answer);
}

enum nereus_status nereus_answer_draw(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_answer *answer,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err)
{
    struct nereus_chart chart;
    nereus_chart_init(&chart, 2);
    chart.width = 860;
    fill_chart(&chart, profile, question, answer);
    return nereus_chart_write(&chart, settings, err);
}
