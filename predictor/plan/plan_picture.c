/**
 * @file plan_picture.c
 * Draws a plan as a time line: a lane for each role, a row for each step, and below them the spawn
 * tree, if any.
 */

#include "plan_print.h"
#include "predictor/picture/chart.h"
#include "predictor/scenario/scenario.h"

enum { LANES = 0, STEPS = 1, NATURAL_WIDTH = 800, TREE_SHARE_MIN = 2 };

/* Steps of one purpose have one colour. */
enum purpose { AGREE, START, CONNECT, DATA, LEAVE };
static const struct {
    const char *what;
    int series;
} purposes[] = {[AGREE] = {"agree", 0},
                [START] = {"start processes", 3},
                [CONNECT] = {"connect", 4},
                [DATA] = {"data", 2},
                [LEAVE] = {"leave", 5}};

static enum purpose get_purpose(enum nereus_step_kind kind)
{
    switch (kind) {
    case NEREUS_STEP_DECIDE:
    case NEREUS_STEP_AGREE:
    case NEREUS_STEP_COMMIT:
        return AGREE;
    case NEREUS_STEP_WAKE:
    case NEREUS_STEP_SPAWN:
    case NEREUS_STEP_LAUNCH:
    case NEREUS_STEP_JOIN:
    case NEREUS_STEP_START:
        return START;
    case NEREUS_STEP_ALLOCATE:
    case NEREUS_STEP_REDISTRIBUTE:
    case NEREUS_STEP_WRITE:
    case NEREUS_STEP_READ:
        return DATA;
    case NEREUS_STEP_SLEEP:
    case NEREUS_STEP_TERMINATE:
    case NEREUS_STEP_DISCONNECT:
    case NEREUS_STEP_END:
        return LEAVE;
    default:
        return CONNECT;
    }
}

enum nereus_ink nereus_step_ink(enum nereus_step_kind kind)
{
    return nereus_ink_series(purposes[get_purpose(kind)].series);
}

static struct nereus_style choose_step_style(const struct nereus_step *step)
{
    return (struct nereus_style){.ink = nereus_step_ink(step->kind)};
}

/* ---- lanes: the steps of each role ---- */

/* One lane: the processes of a role, with one of their threads. */
struct lane {
    unsigned role;
    bool auxiliary;
};

static bool is_taking_part(const struct lane *lane, const struct nereus_step *step)
{
    const bool auxiliary =
        step->thread == NEREUS_AUXILIARY_THREAD && (lane->role & NEREUS_SOURCES) != 0;
    return (step->roles & lane->role) != 0 && auxiliary == lane->auxiliary;
}

static int64_t count_processes(const struct nereus_plan *plan, unsigned role)
{
    switch (role) {
    case NEREUS_STAYING:
        return plan->ns - plan->leaving;
    case NEREUS_LEAVING:
        return plan->leaving;
    case NEREUS_WOKEN:
        return plan->woken;
    case NEREUS_SPAWNED:
        return plan->spawned;
    default:
        return 0;
    }
}

/* Draw the main threads of the sources, which compute while overlapped steps run. */
static void add_application(struct nereus_panel *panel, const struct nereus_priced_plan *priced,
                            const struct lane *lane, double row)
{
    double from_s = INFINITY, to_s = 0;
    for (int i = 0; i < priced->plan.step_count; i++) {
        if (nereus_step_is_overlapped(&priced->plan.steps[i])) {
            from_s = fmin(from_s, priced->prices[i].start_s);
            to_s = fmax(to_s, priced->prices[i].end_s);
        }
    }
    if ((lane->role & NEREUS_SOURCES) != 0 && !lane->auxiliary && to_s > from_s) {
        nereus_panel_add_area(panel, nereus_box_make(from_s, row + 0.1, to_s, row + 0.9),
                              (struct nereus_style){.ink = NEREUS_INK_GRID}, "application",
                              "the application goes on");
    }
}

static void add_lane(struct nereus_panel *panel, const struct nereus_priced_plan *priced,
                     const struct lane *lane)
{
    const int64_t processes = count_processes(&priced->plan, lane->role);
    const double row = (double)panel->y.name_count;
    char name[96] = "", label[96], text[16], hint[160], time[32];
    nereus_append(name, sizeof name, "%s%s", nereus_role_name(lane->role),
                  lane->auxiliary ? ", auxiliary thread" : "");
    if (processes > 0)
        nereus_append(name, sizeof name, " (%lld)", (long long)processes);
    nereus_axis_set_name(&panel->y, name, NULL);
    add_application(panel, priced, lane, row);
    for (int i = 0; i < priced->plan.step_count; i++) {
        const struct nereus_step *step = &priced->plan.steps[i];
        const struct nereus_step_price *price = &priced->prices[i];
        if (is_taking_part(lane, step) && price->end_s > price->start_s) {
            snprintf(text, sizeof text, "%d", i + 1);
            snprintf(hint, sizeof hint, "%d %s: %s", i + 1, nereus_step_label(step, label),
                     nereus_axis_seconds_text(price->time_s.value, time));
            struct nereus_style style = choose_step_style(step);
            style.frame = true;
            nereus_panel_add_area(
                panel, nereus_box_make(price->start_s, row + 0.1, price->end_s, row + 0.9), style,
                text, hint);
        }
    }
}

static void add_lanes(struct nereus_panel *panel, const struct nereus_priced_plan *priced)
{
    for (unsigned role = NEREUS_STAYING; role <= NEREUS_RELEASING; role *= 2) {
        for (int auxiliary = 0; auxiliary < 2; auxiliary++) {
            const struct lane lane = {role, auxiliary != 0};
            bool used = false;
            for (int i = 0; i < priced->plan.step_count; i++)
                used = used || is_taking_part(&lane, &priced->plan.steps[i]);
            if (used)
                add_lane(panel, priced, &lane);
        }
    }
}

/* ---- rows: how long each step takes ---- */

static void add_step(struct nereus_panel *panel, const struct nereus_priced_plan *priced, int i)
{
    const struct nereus_step *step = &priced->plan.steps[i];
    const struct nereus_step_price *price = &priced->prices[i];
    const double row = (double)panel->y.name_count;
    char name[112], label[96], note[112] = "", text[32];
    snprintf(name, sizeof name, "%d %s", i + 1, nereus_step_label(step, label));
    if (price->basis == NEREUS_BASIS_CONTAINED)
        nereus_append(note, sizeof note, "in another step");
    else
        nereus_append(note, sizeof note, "%s", nereus_axis_seconds_text(price->time_s.value, text));
    if (price->time_s.high > price->time_s.low) {
        nereus_append(note, sizeof note, " (%s", nereus_axis_seconds_text(price->time_s.low, text));
        nereus_append(note, sizeof note, " to %s)",
                      nereus_axis_seconds_text(price->time_s.high, text));
    }
    nereus_axis_set_name(&panel->y, name, note);
    nereus_panel_add_area(panel,
                          nereus_box_make(price->start_s, row + 0.15, price->end_s, row + 0.85),
                          choose_step_style(step), NULL, nereus_step_help(step->kind));
}

/* Draw a part of RT that belongs to no step, which may be negative, after the last step.
 * @return its end */
static double add_part(struct nereus_panel *panel, double from_s, double time_s, const char *what,
                       const char *why)
{
    const double row = (double)panel->y.name_count;
    char note[32];
    nereus_axis_set_name(&panel->y, what, nereus_axis_seconds_text(time_s, note));
    nereus_panel_add_area(panel, nereus_box_make(from_s, row + 0.15, from_s + time_s, row + 0.85),
                          (struct nereus_style){.ink = NEREUS_INK_EMPTY, .hatch = NEREUS_INK_MUTED},
                          NULL, why);
    return from_s + time_s;
}

static void add_steps(struct nereus_panel *panel, const struct nereus_priced_plan *priced)
{
    const int count = priced->plan.step_count;
    double end_s = 0;
    for (int i = 0; i < count; i++) {
        add_step(panel, priced, i);
        end_s = fmax(end_s, priced->prices[i].end_s);
    }
    if (priced->has_unattributed) {
        end_s = add_part(panel, end_s, priced->unattributed_s.value, "unattributed",
                         "median RT minus the sum of the medians of the steps");
    }
    for (int i = 0; i < priced->correction_count; i++) {
        const struct nereus_correction *c = &priced->corrections[i];
        end_s = add_part(panel, end_s, c->time_s, c->what, c->why);
    }
}

static void add_texts(struct nereus_chart *chart, const struct nereus_priced_plan *priced,
                      const struct nereus_question *question)
{
    char method[NEREUS_METHOD_TEXT_MAX], rt[32], low[32], high[32];
    const struct nereus_prediction *p = &priced->prediction;
    nereus_append(chart->title, sizeof chart->title, "%s: %lld to %lld process%s",
                  nereus_method_format(&priced->method, method), (long long)question->scenario.ns,
                  (long long)question->scenario.nt, nereus_plural_es(question->scenario.nt));
    if (priced->plan.step_count == 0) {
        nereus_append(chart->description, sizeof chart->description,
                      "Nothing to do: the job has this size already.");
        return;
    }
    if (priced->plan.method.process != priced->method.process) {
        nereus_append(chart->description, sizeof chart->description, "Carried out as %s. ",
                      nereus_method_format(&priced->plan.method, method));
    }
    nereus_append(chart->description, sizeof chart->description, "RT %s",
                  nereus_axis_seconds_text(priced->rt_s.value, rt));
    if (priced->rt_s.high > priced->rt_s.low) {
        nereus_append(chart->description, sizeof chart->description, " (90 %%: %s to %s)",
                      nereus_axis_seconds_text(priced->rt_s.low, low),
                      nereus_axis_seconds_text(priced->rt_s.high, high));
    }
    nereus_append(chart->description, sizeof chart->description,
                  "; %lld spawned, %lld woken, %lld leaving.", (long long)priced->plan.spawned,
                  (long long)priced->plan.woken, (long long)priced->plan.leaving);
    if (p->overlapped) {
        nereus_append(chart->description, sizeof chart->description,
                      " Overlapped: %.0f iteration%s, %.3g times as long; CT %s.", p->iterations,
                      nereus_plural_s((int64_t)p->iterations), p->omega,
                      nereus_axis_seconds_text(p->ct_s, rt));
    }
    if (priced->extrapolated)
        nereus_append(chart->note, sizeof chart->note, "Extrapolated: %s. ",
                      priced->extrapolations);
    nereus_question_assumed_text(question, chart->note, sizeof chart->note);
}

static void add_keys(struct nereus_chart *chart, const struct nereus_plan *plan)
{
    bool used[NEREUS_COUNT_OF(purposes)] = {false};
    for (int i = 0; i < plan->step_count; i++)
        used[get_purpose(plan->steps[i].kind)] = true;
    for (size_t i = 0; i < NEREUS_COUNT_OF(purposes); i++) {
        if (used[i]) {
            nereus_chart_add_key(
                chart, NEREUS_MARK_AREA,
                (struct nereus_style){.ink = nereus_ink_series(purposes[i].series)},
                purposes[i].what, NULL);
        }
    }
}

static void fill_chart(struct nereus_chart *chart, const struct nereus_priced_plan *priced,
                       const struct nereus_question *question)
{
    nereus_chart_init(chart, priced->plan.step_count > 0 ? 2 : 0);
    chart->stacked = true;
    add_texts(chart, priced, question);
    for (int i = 0; i < chart->panel_count; i++) {
        struct nereus_panel *panel = &chart->panels[i];
        nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "time");
        nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
        panel->x.seconds = panel->grid = panel->y.every_name = true;
        panel->row_height = i == STEPS ? 17 : 26;
        snprintf(panel->title, sizeof panel->title, "%s",
                 i == STEPS ? "How long each step takes (90 % interval)"
                            : "Who takes part (numbers of processes and of steps)");
    }
    if (chart->panel_count > 0) {
        add_lanes(&chart->panels[LANES], priced);
        add_steps(&chart->panels[STEPS], priced);
        nereus_axis_include(&chart->panels[LANES].x, chart->panels[STEPS].x.max);
        nereus_axis_include(&chart->panels[LANES].x, chart->panels[STEPS].x.min);
        add_keys(chart, &priced->plan);
    }
}

/* Scale the tree to the width of the page, and to half of its height if that is given. */
static double compute_tree_scale(const struct nereus_drawing *tree, double width, double height)
{
    double scale = fmin(1, width / tree->width);
    return height > 0 ? fmin(scale, height / TREE_SHARE_MIN / tree->height) : scale;
}

static enum nereus_status draw_with_tree(struct nereus_chart *chart,
                                         const struct nereus_drawing *tree,
                                         const struct nereus_picture_settings *settings,
                                         struct nereus_error *err)
{
    struct nereus_drawing drawing;
    double width, height, scale = 1;
    nereus_picture_size(settings, &width, &height);
    chart->width = fmax(NATURAL_WIDTH, fmin(tree->width, 2 * NATURAL_WIDTH));
    if (tree->count > 0) {
        scale = compute_tree_scale(tree, width > 0 ? width : chart->width, height);
        chart->free_below = scale * tree->height;
    }
    NEREUS_TRY(nereus_chart_draw(chart, width, height, &drawing, err));
    nereus_drawing_append(&drawing, tree, 0, drawing.height - chart->free_below, scale);
    const enum nereus_status status = nereus_picture_write(settings, &drawing, chart->title, err);
    nereus_drawing_fini(&drawing);
    return status;
}

enum nereus_status nereus_plan_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question,
                                    const struct nereus_picture_settings *settings,
                                    struct nereus_error *err)
{
    struct nereus_chart chart;
    struct nereus_drawing tree;
    const struct nereus_tree_view view = nereus_priced_plan_tree(priced, question);
    nereus_drawing_init(&tree, 0, 0);
    enum nereus_status status = NEREUS_OK;
    if (priced->plan.tree.group_count > 0)
        status = nereus_tree_draw(&view, &tree, err);
    fill_chart(&chart, priced, question);
    if (status == NEREUS_OK)
        status = draw_with_tree(&chart, &tree, settings, err);
    nereus_chart_fini(&chart);
    nereus_drawing_fini(&tree);
    return status;
}
