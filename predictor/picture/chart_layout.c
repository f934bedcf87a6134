/**
 * @file chart_layout.c
 * Turns a chart into shapes: title, legend, panels with axes, notes, from top to bottom.
 *
 * All text is measured first; the plots share the rest of the page. If it is too small, the layout
 * is tried with larger pages, to report a size that suffices.
 */

#include "chart.h"

static const double margin = 16, gap = 10, tick_length = 4, natural_width = 760;
static const double min_width = 90, min_height = 60, min_row_height = 11.5;
static const struct nereus_font title_font = {.size = 14, .bold = true},
                                about_font = {.size = 11, .ink = NEREUS_INK_MUTED},
                                panel_font = {.size = 11.5, .bold = true}, tick_font = {.size = 10},
                                axis_font = {.size = 11}, key_font = {.size = 10.5};

/* Position of a panel; its gutters contain titles, ticks and names around the plot. */
struct frame {
    double left, right, top, bottom; /* gutters */
    double min_height, wanted_height;
    double x, y, width, height; /* the plot */
};

struct layout {
    struct nereus_chart *chart;
    struct nereus_drawing *drawing;
    double width, height;
    struct frame frames[NEREUS_PANELS_MAX];
};

/* ---- measuring ---- */

static double measure_widest(struct nereus_drawing *drawing, char *const *texts, int64_t count)
{
    double widest = 0;
    for (int64_t i = 0; i < count; i++)
        widest = fmax(widest, nereus_text_width(drawing, tick_font, texts[i]));
    return widest;
}

static double measure_widest_tick(struct nereus_drawing *drawing, const struct nereus_axis *axis)
{
    struct nereus_tick ticks[NEREUS_TICKS_MAX];
    double widest = 0;
    if (axis->scale == NEREUS_SCALE_NAMES)
        return measure_widest(drawing, axis->names, axis->name_count);
    const int count = nereus_axis_choose_ticks(axis, drawing, tick_font, 1000, true, ticks);
    for (int i = 0; i < count; i++)
        widest = fmax(widest, nereus_text_width(drawing, tick_font, ticks[i].text));
    return widest;
}

static double measure_notes(struct nereus_drawing *drawing, const struct nereus_axis *axis)
{
    const double widest = measure_widest(drawing, axis->notes, axis->name_count);
    return widest > 0 ? widest + 8 : 0;
}

/* Measure the gutters at the sides of a panel. */
static void measure_sides(struct layout *layout, int i)
{
    const struct nereus_panel *panel = &layout->chart->panels[i];
    struct frame *frame = &layout->frames[i];
    const double half_tick = measure_widest_tick(layout->drawing, &panel->x) / 2;
    frame->left = half_tick;
    if (!panel->same_rows) {
        frame->left = fmax(half_tick,
                           measure_widest_tick(layout->drawing, &panel->y) + tick_length + 4 +
                               (panel->y.title[0] != '\0' ? nereus_line_height(axis_font) + 2 : 0));
    }
    frame->right = fmax(half_tick, measure_notes(layout->drawing, &panel->y));
}

/* Measure the height of a panel's title and plot, when its width is known. */
static void measure_heights(struct layout *layout, int i)
{
    const struct nereus_panel *panel = &layout->chart->panels[i];
    struct frame *frame = &layout->frames[i];
    const bool names = panel->y.scale == NEREUS_SCALE_NAMES;
    const double rows = (double)panel->y.name_count;
    frame->top = 4;
    if (panel->title[0] != '\0') {
        frame->top += 3 + nereus_draw_paragraph(layout->drawing, nereus_position_make(0, 0),
                                                frame->left + frame->width + frame->right,
                                                panel_font, panel->title, true);
    }
    frame->bottom = tick_length + 3 + nereus_line_height(tick_font) +
                    (panel->x.title[0] != '\0' ? nereus_line_height(axis_font) : 0) + 4;
    frame->min_height = min_height;
    frame->wanted_height = panel->height > 0 ? panel->height : 300;
    if (names) {
        frame->min_height = panel->y.every_name ? min_row_height * rows : min_height;
        frame->wanted_height = rows * (panel->row_height > 0 ? panel->row_height : 22);
    }
    frame->wanted_height = fmax(frame->wanted_height, frame->min_height);
}

/* ---- title, legend, notes ---- */

static double draw_texts(struct layout *layout, double y, bool measure_only)
{
    const struct nereus_chart *chart = layout->chart;
    const double width = layout->width - 2 * margin;
    const double from = y;
    y += nereus_draw_paragraph(layout->drawing, nereus_position_make(margin, y), width, title_font,
                               chart->title, measure_only);
    y += nereus_draw_paragraph(layout->drawing, nereus_position_make(margin, y), width, about_font,
                               chart->description, measure_only);
    return y - from;
}

/* Draw a symbol with an outline, so that it is visible on any fill; a small one is white on dark
 * pages, too. */
static void draw_symbol(struct nereus_drawing *drawing, double x, double y,
                        const struct nereus_style *style, const char *hint)
{
    nereus_draw_point(
        drawing, nereus_position_make(x, y), style->small ? 2 : 4, style->symbol,
        (struct nereus_paint){.fill = style->ink,
                              .stroke = style->small ? NEREUS_INK_WHITE : NEREUS_INK_PAGE,
                              .line = 0.75},
        hint);
}

static void draw_key_sign(struct layout *layout, const struct nereus_key *key, double x, double y)
{
    const struct nereus_paint stroke = {
        .stroke = key->style.ink, .line = 1.5, .dashed = key->style.dashed};
    struct nereus_drawing *drawing = layout->drawing;
    switch (key->kind) {
    case NEREUS_MARK_AREA:
        nereus_draw_rect(drawing, nereus_rect_make(x, y - 9, 16, 11),
                         (struct nereus_paint){.fill = key->style.ink,
                                               .hatch = key->style.hatch,
                                               .stroke = NEREUS_INK_MUTED,
                                               .line = 0.5},
                         NULL);
        nereus_draw_text(drawing, x + 8, y - 0.5,
                         (struct nereus_font){.size = 9,
                                              .ink = nereus_ink_on(key->style.ink),
                                              .anchor = NEREUS_ANCHOR_MIDDLE},
                         key->label);
        break;
    case NEREUS_MARK_POINT:
        draw_symbol(drawing, x + 8, y - 4, &key->style, NULL);
        break;
    case NEREUS_MARK_INTERVAL:
        nereus_draw_line(drawing, x + 1, y - 7, x + 1, y - 1, stroke);
        nereus_draw_line(drawing, x + 15, y - 7, x + 15, y - 1, stroke);
        nereus_draw_line(drawing, x + 1, y - 4, x + 15, y - 4, stroke);
        break;
    case NEREUS_MARK_SEGMENT:
        nereus_draw_line(drawing, x, y - 4, x + 16, y - 4, stroke);
        break;
    }
}

/* Draw the legend, in as many lines as it needs.
 * @return its height */
static double draw_keys(struct layout *layout, double y, bool measure_only)
{
    const struct nereus_chart *chart = layout->chart;
    const double line = 1.5 * key_font.size, end = layout->width - margin, sign = 21;
    double x = margin, below = y + line;
    for (int i = 0; i < chart->key_count; i++) {
        const struct nereus_key *key = &chart->keys[i];
        const double space = layout->width - 2 * margin - sign;
        const double width = fmin(nereus_text_width(layout->drawing, key_font, key->text), space);
        if (x > margin && x + sign + width > end) {
            x = margin;
            below += line;
        }
        const double height =
            nereus_draw_paragraph(layout->drawing, nereus_position_make(x + sign, below - line),
                                  space, key_font, key->text, measure_only);
        if (!measure_only)
            draw_key_sign(layout, key, x, below - 5.5);
        x += sign + width + 14;
        below += height > line ? height - line : 0; /* a text of several lines */
    }
    return chart->key_count > 0 ? below - y + 2 : 0;
}

static double draw_note(struct layout *layout, double y, bool measure_only)
{
    return nereus_draw_paragraph(layout->drawing, nereus_position_make(margin, y),
                                 layout->width - 2 * margin,
                                 (struct nereus_font){.size = 9.5, .ink = NEREUS_INK_MUTED},
                                 layout->chart->note, measure_only);
}

/* ---- where the panels are ---- */

static bool place_side_by_side(struct layout *layout)
{
    const int count = layout->chart->panel_count;
    double space = layout->width - 2 * margin - gap * (count - 1), x = margin;
    for (int i = 0; i < count; i++)
        space -= layout->frames[i].left + layout->frames[i].right;
    for (int i = 0; i < count; i++) {
        struct frame *frame = &layout->frames[i];
        frame->x = x + frame->left;
        frame->width = space / count;
        x = frame->x + frame->width + frame->right + gap;
    }
    return space / count >= min_width;
}

/* Give all panels the widest gutters, so that their x-axes are aligned. */
static bool place_stacked(struct layout *layout)
{
    const int count = layout->chart->panel_count;
    double left = 0, right = 0;
    for (int i = 0; i < count; i++) {
        left = fmax(left, layout->frames[i].left);
        right = fmax(right, layout->frames[i].right);
    }
    for (int i = 0; i < count; i++) {
        struct frame *frame = &layout->frames[i];
        frame->left = left;
        frame->right = right;
        frame->x = margin + left;
        frame->width = layout->width - 2 * margin - left - right;
    }
    return layout->frames[0].width >= min_width;
}

/* Sums over the panels: gutters above and below the plots, and wanted and least heights of the
 * plots. */
struct heights {
    double above_height, below_height, wanted_height, min;
};

static struct heights sum_heights(const struct layout *layout)
{
    struct heights sum = {0, 0, 0, 0};
    for (int i = 0; i < layout->chart->panel_count; i++) {
        const struct frame *frame = &layout->frames[i];
        if (layout->chart->stacked) {
            sum.above_height += frame->top + frame->bottom + (i > 0 ? gap : 0);
            sum.wanted_height += frame->wanted_height;
            sum.min += frame->min_height;
        } else {
            sum.above_height = fmax(sum.above_height, frame->top);
            sum.below_height = fmax(sum.below_height, frame->bottom);
            sum.wanted_height = fmax(sum.wanted_height, frame->wanted_height);
            sum.min = fmax(sum.min, frame->min_height);
        }
    }
    return sum;
}

/* Set the heights of the plots, between `top` and `below`; the wanted ones if the page has no
 * height. */
static bool place_down(struct layout *layout, double top, double below)
{
    const struct heights sum = sum_heights(layout);
    const double around = top + sum.above_height + sum.below_height + below;
    if (layout->height <= 0)
        layout->height = ceil(around + sum.wanted_height);
    const double space = layout->height - around;
    double y = top;
    for (int i = 0; i < layout->chart->panel_count; i++) {
        struct frame *frame = &layout->frames[i];
        if (layout->chart->stacked) {
            frame->y = y + frame->top;
            frame->height = frame->min_height + (space - sum.min) *
                                                    (frame->wanted_height - frame->min_height) /
                                                    fmax(sum.wanted_height - sum.min, 1);
            y = frame->y + frame->height + frame->bottom + gap;
        } else {
            frame->y = top + sum.above_height;
            frame->height = space;
        }
    }
    return space >= sum.min - 0.5;
}

/* ---- a panel ---- */

static double compute_x(const struct nereus_panel *panel, const struct frame *frame, double value)
{
    return frame->x + frame->width * nereus_axis_position(&panel->x, value);
}

static double compute_y(const struct nereus_panel *panel, const struct frame *frame, double value)
{
    const double place = frame->height * nereus_axis_position(&panel->y, value);
    return panel->y.scale == NEREUS_SCALE_NAMES ? frame->y + place
                                                : frame->y + frame->height - place;
}

/* Draw a text, smaller if it is wider than its room. */
static void draw_fitted(struct nereus_drawing *drawing, double x, double y, double space,
                        struct nereus_font font, const char *text)
{
    const double width = nereus_text_width(drawing, font, text);
    font.size *= width > space ? space / width : 1;
    nereus_draw_text(drawing, x, y, font, text);
}

static void draw_x_axis(struct layout *layout, const struct nereus_panel *panel,
                        const struct frame *frame)
{
    struct nereus_tick ticks[NEREUS_TICKS_MAX];
    struct nereus_font font = tick_font;
    const double bottom = frame->y + frame->height;
    const int count =
        nereus_axis_choose_ticks(&panel->x, layout->drawing, font, frame->width, false, ticks);
    font.anchor = NEREUS_ANCHOR_MIDDLE;
    for (int i = 0; i < count; i++) {
        const double x = compute_x(panel, frame, ticks[i].value);
        if (panel->grid) {
            nereus_draw_line(layout->drawing, x, frame->y, x, bottom,
                             (struct nereus_paint){.stroke = NEREUS_INK_GRID, .line = 0.75});
        }
        nereus_draw_line(layout->drawing, x, bottom, x, bottom + tick_length,
                         (struct nereus_paint){.stroke = NEREUS_INK_MUTED, .line = 0.75});
        nereus_draw_text(layout->drawing, x, bottom + tick_length + 2 + font.size, font,
                         ticks[i].text);
    }
    struct nereus_font title = axis_font;
    title.anchor = NEREUS_ANCHOR_MIDDLE;
    if (panel->x.title[0] != '\0') {
        draw_fitted(layout->drawing, frame->x + frame->width / 2, bottom + frame->bottom - 8,
                    frame->width + 2 * fmin(frame->left, frame->right), title, panel->x.title);
    }
}

static void draw_y_axis(struct layout *layout, const struct nereus_panel *panel,
                        const struct frame *frame)
{
    struct nereus_tick ticks[NEREUS_TICKS_MAX];
    struct nereus_font font = tick_font;
    const bool names = panel->y.scale == NEREUS_SCALE_NAMES;
    const int count =
        nereus_axis_choose_ticks(&panel->y, layout->drawing, font, frame->height, true, ticks);
    for (int i = 0; i < count; i++) {
        const double y = compute_y(panel, frame, ticks[i].value);
        if (panel->grid && !names) {
            nereus_draw_line(layout->drawing, frame->x, y, frame->x + frame->width, y,
                             (struct nereus_paint){.stroke = NEREUS_INK_GRID, .line = 0.75});
        }
        if (!panel->same_rows) {
            nereus_draw_line(layout->drawing, frame->x - tick_length, y, frame->x, y,
                             (struct nereus_paint){.stroke = NEREUS_INK_MUTED, .line = 0.75});
            font.anchor = NEREUS_ANCHOR_RIGHT;
            nereus_draw_text(layout->drawing, frame->x - tick_length - 3, y + 0.36 * font.size,
                             font, ticks[i].text);
        }
        const int64_t row = (int64_t)floor(ticks[i].value);
        if (names && panel->y.notes[row][0] != '\0') {
            font.anchor = NEREUS_ANCHOR_LEFT;
            nereus_draw_text(layout->drawing, frame->x + frame->width + 6, y + 0.36 * font.size,
                             font, panel->y.notes[row]);
        }
    }
    struct nereus_font title = axis_font;
    title.anchor = NEREUS_ANCHOR_MIDDLE;
    title.upwards = true;
    if (panel->y.title[0] != '\0' && !panel->same_rows) {
        draw_fitted(layout->drawing, frame->x - frame->left + title.size,
                    frame->y + frame->height / 2, frame->height, title, panel->y.title);
    }
}

/* Draw the text of an area, if it fits; on a hatching it gets a plain background. */
static void draw_area_text(struct nereus_drawing *drawing, const struct nereus_mark *mark, double x,
                           double y, double width, double height)
{
    const struct nereus_font font = {.size = fmin(10, 0.85 * height),
                                     .ink = nereus_ink_on(mark->style.ink),
                                     .anchor = NEREUS_ANCHOR_MIDDLE};
    if (mark->text == NULL || font.size < 6)
        return;
    const double text = nereus_text_width(drawing, font, mark->text);
    if (text + 3 > width)
        return;
    const double middle = y + height / 2;
    if (mark->style.hatch != NEREUS_INK_NONE) {
        nereus_draw_rect(drawing,
                         nereus_rect_make(x + width / 2 - text / 2 - 1.5, middle - 0.55 * font.size,
                                          text + 3, 1.1 * font.size),
                         (struct nereus_paint){.fill = mark->style.ink}, NULL);
    }
    nereus_draw_text(drawing, x + width / 2, middle + 0.36 * font.size, font, mark->text);
}

static void draw_area(struct nereus_drawing *drawing, const struct nereus_panel *panel,
                      const struct frame *frame, const struct nereus_mark *mark)
{
    const double xa = compute_x(panel, frame, mark->box.x0),
                 xb = compute_x(panel, frame, mark->box.x1);
    const double ya = compute_y(panel, frame, mark->box.y0),
                 yb = compute_y(panel, frame, mark->box.y1);
    double x = fmin(xa, xb);
    /* Short areas have a visible width. */
    const double width = fmax(fabs(xb - xa), 1), height = fmax(fabs(yb - ya), 1);
    x = fmin(x, frame->x + frame->width - width);
    const double y = fmin(fmin(ya, yb), frame->y + frame->height - height);
    nereus_draw_rect(
        drawing, nereus_rect_make(x, y, width, height),
        (struct nereus_paint){.fill = mark->style.ink,
                              .hatch = mark->style.hatch,
                              .stroke = mark->style.frame ? NEREUS_INK_PAGE : NEREUS_INK_NONE,
                              .line = 0.75},
        mark->hint);
    draw_area_text(drawing, mark, x, y, width, height);
}

/* Draw a line, with bars at its ends if it is an interval. */
static void draw_segment(struct nereus_drawing *drawing, const struct nereus_panel *panel,
                         const struct frame *frame, const struct nereus_mark *mark)
{
    const struct nereus_paint paint = {
        .stroke = mark->style.ink, .line = 1.5, .dashed = mark->style.dashed};
    const double x0 = compute_x(panel, frame, mark->box.x0),
                 x1 = compute_x(panel, frame, mark->box.x1);
    const double y0 = compute_y(panel, frame, mark->box.y0),
                 y1 = compute_y(panel, frame, mark->box.y1);
    const double end = fmin(3.5, frame->height / 6);
    nereus_draw_line(drawing, x0, y0, x1, y1, paint);
    if (mark->kind != NEREUS_MARK_INTERVAL)
        return;
    const double dx = mark->box.y0 == mark->box.y1 ? 0 : end,
                 dy = mark->box.y0 == mark->box.y1 ? end : 0;
    nereus_draw_line(drawing, x0 - dx, y0 - dy, x0 + dx, y0 + dy, paint);
    nereus_draw_line(drawing, x1 - dx, y1 - dy, x1 + dx, y1 + dy, paint);
}

static void draw_marks(struct nereus_drawing *drawing, const struct nereus_panel *panel,
                       const struct frame *frame)
{
    for (int64_t i = 0; i < panel->mark_count; i++) {
        const struct nereus_mark *mark = &panel->marks[i];
        if (mark->kind == NEREUS_MARK_AREA) {
            draw_area(drawing, panel, frame, mark);
        } else if (mark->kind == NEREUS_MARK_POINT) {
            draw_symbol(drawing, compute_x(panel, frame, mark->box.x0),
                        compute_y(panel, frame, mark->box.y0), &mark->style, mark->hint);
        } else {
            draw_segment(drawing, panel, frame, mark);
        }
    }
}

static void draw_panel(struct layout *layout, int i)
{
    const struct nereus_panel *panel = &layout->chart->panels[i];
    const struct frame *frame = &layout->frames[i];
    nereus_draw_paragraph(
        layout->drawing, nereus_position_make(frame->x - frame->left, frame->y - frame->top),
        frame->left + frame->width + frame->right, panel_font, panel->title, false);
    draw_x_axis(layout, panel, frame);
    draw_y_axis(layout, panel, frame);
    draw_marks(layout->drawing, panel, frame);
    nereus_draw_rect(layout->drawing,
                     nereus_rect_make(frame->x, frame->y, frame->width, frame->height),
                     (struct nereus_paint){.stroke = NEREUS_INK_MUTED, .line = 0.75}, NULL);
}

/* Draw the chart on a page.
 * @return false: the page is too small */
static bool lay_out(struct layout *layout)
{
    const struct nereus_chart *chart = layout->chart;
    for (int i = 0; i < chart->panel_count; i++)
        measure_sides(layout, i);
    if (chart->panel_count > 0 &&
        !(chart->stacked ? place_stacked(layout) : place_side_by_side(layout)))
        return false;
    for (int i = 0; i < chart->panel_count; i++)
        measure_heights(layout, i);
    const double texts = draw_texts(layout, 0, true) + draw_keys(layout, 0, true);
    const double note = draw_note(layout, 0, true);
    return place_down(layout, margin + texts + 6, note + margin + chart->free_below);
}

static void draw_chart(struct layout *layout)
{
    layout->drawing->width = layout->width;
    layout->drawing->height = layout->height;
    const double texts = draw_texts(layout, margin, false);
    draw_keys(layout, margin + texts, false);
    for (int i = 0; i < layout->chart->panel_count; i++)
        draw_panel(layout, i);
    const double note = draw_note(layout, 0, true);
    draw_note(layout, layout->height - margin - note - layout->chart->free_below, false);
}

static bool set_axes(struct nereus_chart *chart)
{
    bool memory = true;
    for (int i = 0; i < chart->panel_count; i++) {
        struct nereus_panel *panel = &chart->panels[i];
        nereus_axis_finish(&panel->x);
        nereus_axis_finish(&panel->y);
        memory = memory && !panel->no_memory && !panel->x.no_memory && !panel->y.no_memory;
    }
    return memory;
}

/* Fail with the size of a page of the same shape that would suffice. */
static enum nereus_status fail_too_small(const struct layout *requested, struct nereus_error *err)
{
    struct layout larger = *requested;
    for (int i = 0; i < 60; i++) {
        larger.width *= 1.1;
        larger.height *= 1.1;
        if (lay_out(&larger))
            break;
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--size %.0fx%.0f is too small for this picture: %.0fx%.0f would do",
                       requested->width, requested->height, ceil(larger.width / 10) * 10,
                       ceil(larger.height / 10) * 10);
}

enum nereus_status nereus_chart_draw(struct nereus_chart *chart, double width, double height,
                                     struct nereus_drawing *drawing, struct nereus_error *err)
{
    NEREUS_TRY_MEMORY(set_axes(chart), err, "for a picture");
    nereus_drawing_init(drawing, 0, 0);
    struct layout layout = {.chart = chart, .drawing = drawing, .height = height};
    layout.width = width > 0 ? width : chart->width > 0 ? chart->width : natural_width;
    bool fits = lay_out(&layout);
    for (int i = 0; i < 60 && !fits && width <= 0; i++) { /* long names need a wider page */
        layout.width *= 1.1;
        layout.height = height;
        fits = lay_out(&layout);
    }
    if (!fits) {
        const enum nereus_status status = fail_too_small(&layout, err);
        nereus_drawing_fini(drawing);
        return status;
    }
    draw_chart(&layout);
    return NEREUS_OK;
}
