/** @file chart.c  Adds marks to a chart, which chart_layout.c lays out. */
#include "chart.h"

void nereus_chart_init(struct nereus_chart *chart, int panels)
{
    *chart = (struct nereus_chart){.panel_count = panels};
}

static void free_panel(struct nereus_panel *panel)
{
    for (int64_t i = 0; i < panel->mark_count; i++) {
        free(panel->marks[i].text);
        free(panel->marks[i].hint);
    }
    free(panel->marks);
    nereus_axis_fini(&panel->x);
    nereus_axis_fini(&panel->y);
}

void nereus_chart_fini(struct nereus_chart *chart)
{
    for (int i = 0; i < chart->panel_count; i++)
        free_panel(&chart->panels[i]);
    chart->panel_count = 0;
}

static void add_mark(struct nereus_panel *panel, struct nereus_mark mark, const char *text,
                     const char *hint)
{
    struct nereus_mark *grown = nereus_grow(panel->marks, panel->mark_count, sizeof *grown);
    if (grown == NULL) {
        panel->no_memory = true;
        return;
    }
    mark.text = text != NULL ? strdup(text) : NULL;
    mark.hint = hint != NULL ? strdup(hint) : NULL;
    panel->no_memory =
        panel->no_memory || (text != NULL && !mark.text) || (hint != NULL && !mark.hint);
    panel->marks = grown;
    panel->marks[panel->mark_count++] = mark;
    nereus_axis_include(&panel->x, mark.box.x0);
    nereus_axis_include(&panel->x, mark.box.x1);
    nereus_axis_include(&panel->y, mark.box.y0);
    nereus_axis_include(&panel->y, mark.box.y1);
}

void nereus_panel_add_area(struct nereus_panel *panel, struct nereus_box box,
                           struct nereus_style style, const char *text, const char *hint)
{
    add_mark(panel, (struct nereus_mark){.kind = NEREUS_MARK_AREA, .box = box, .style = style},
             text, hint);
}

void nereus_panel_add_segment(struct nereus_panel *panel, struct nereus_box box,
                              struct nereus_style style)
{
    add_mark(panel, (struct nereus_mark){.kind = NEREUS_MARK_SEGMENT, .box = box, .style = style},
             NULL, NULL);
}

void nereus_panel_add_interval(struct nereus_panel *panel, struct nereus_box box,
                               struct nereus_style style)
{
    add_mark(panel, (struct nereus_mark){.kind = NEREUS_MARK_INTERVAL, .box = box, .style = style},
             NULL, NULL);
}

void nereus_panel_add_point(struct nereus_panel *panel, double x, double y,
                            struct nereus_style style, const char *hint)
{
    add_mark(panel,
             (struct nereus_mark){.kind = NEREUS_MARK_POINT, .box = {x, y, x, y}, .style = style},
             NULL, hint);
}

void nereus_chart_add_key(struct nereus_chart *chart, enum nereus_mark_kind kind,
                          struct nereus_style style, const char *text, const char *label)
{
    if (chart->key_count < NEREUS_KEYS_MAX) {
        struct nereus_key *key = &chart->keys[chart->key_count++];
        *key = (struct nereus_key){.kind = kind, .style = style};
        snprintf(key->text, sizeof key->text, "%s", text);
        snprintf(key->label, sizeof key->label, "%s", label != NULL ? label : "");
    }
}

enum nereus_status nereus_chart_write(struct nereus_chart *chart,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err)
{
    struct nereus_drawing drawing;
    double width, height;
    nereus_picture_size(settings, &width, &height);
    enum nereus_status status = nereus_chart_draw(chart, width, height, &drawing, err);
    if (status == NEREUS_OK) {
        status = nereus_picture_write(settings, &drawing, chart->title, err);
        nereus_drawing_fini(&drawing);
    }
    nereus_chart_fini(chart);
    return status;
}
