/** @file figures.c  Writes several pictures into one file. */
#include "figures.h"

#include "model/util/file.h"
#include "predictor/picture/surface.h"

static enum nereus_status draw_figure(nereus_figure_fill *fill, void *user, double width,
                                      struct nereus_figure *figure, struct nereus_drawing *drawing,
                                      struct nereus_error *err)
{
    struct nereus_chart chart = {.panel_count = 0};
    enum nereus_status status = fill(user, &chart, err);
    if (status == NEREUS_OK) {
        chart.width = width;
        status = nereus_chart_draw(&chart, 0, 0, drawing, err);
        snprintf(figure->title, sizeof figure->title, "%s", chart.title);
    }
    nereus_chart_fini(&chart);
    return status;
}

enum nereus_status nereus_figure_draw(const char *name, nereus_figure_fill *fill, void *user,
                                      struct nereus_figure *figure, struct nereus_error *err)
{
    snprintf(figure->name, sizeof figure->name, "%s", name);
    NEREUS_TRY(draw_figure(fill, user, 0, figure, &figure->wide_drawing, err));
    const enum nereus_status status =
        draw_figure(fill, user, NEREUS_FIGURE_NARROW, figure, &figure->narrow_drawing, err);
    if (status != NEREUS_OK)
        nereus_drawing_fini(&figure->wide_drawing);
    return status;
}

void nereus_figure_fini(struct nereus_figure *figure)
{
    nereus_drawing_fini(&figure->wide_drawing);
    nereus_drawing_fini(&figure->narrow_drawing);
}

static void write_form(const struct nereus_figure *figure, const struct nereus_drawing *drawing,
                       const char *form, FILE *stream)
{
    char id[48];
    snprintf(id, sizeof id, "%s-%s-", figure->name, form);
    fprintf(stream, "<div class=\"%s\">\n", form);
    nereus_svg_write(drawing, figure->title, id, stream);
    fputs("</div>\n", stream);
}

static enum nereus_status write_page(const char *path, const struct nereus_figure *figures,
                                     int count, const char *title, struct nereus_error *err)
{
    struct nereus_file_replace replace;
    for (int i = 0; i < count; i++) {
        NEREUS_TRY_MEMORY(!figures[i].wide_drawing.no_memory &&
                              !figures[i].narrow_drawing.no_memory,
                          err, "for a picture");
    }
    NEREUS_TRY(nereus_file_replace_begin(path, &replace, err));
    nereus_html_begin(title, replace.stream);
    for (int i = 0; i < count; i++) {
        fprintf(replace.stream, "<figure id=\"%s\">\n", figures[i].name);
        write_form(&figures[i], &figures[i].wide_drawing, "wide", replace.stream);
        write_form(&figures[i], &figures[i].narrow_drawing, "narrow", replace.stream);
        fputs("</figure>\n", replace.stream);
    }
    nereus_html_end(replace.stream);
    return nereus_file_replace_commit(&replace, err);
}

/* Place the pictures below each other, as wide as the widest; --size scales them together. */
static void stack_figures(const struct nereus_figure *figures, int count, double width,
                          double height, struct nereus_drawing *page)
{
    double widest = 0, total = 0, y = 0;
    for (int i = 0; i < count; i++) {
        widest = fmax(widest, figures[i].wide_drawing.width);
        total += figures[i].wide_drawing.height;
    }
    const double scale = width > 0 ? fmin(width / widest, height / total) : 1;
    nereus_drawing_init(page, width > 0 ? width : widest, height > 0 ? height : total);
    for (int i = 0; i < count; i++) {
        nereus_drawing_append(page, &figures[i].wide_drawing, 0, y, scale);
        y += scale * figures[i].wide_drawing.height;
    }
}

enum nereus_status nereus_figures_write(const struct nereus_picture_settings *settings,
                                        const struct nereus_figure *figures, int count,
                                        const char *title, struct nereus_error *err)
{
    if (nereus_text_has_ending(settings->path, ".html"))
        return write_page(settings->path, figures, count, title, err);
    struct nereus_drawing page;
    double width, height;
    nereus_picture_size(settings, &width, &height);
    stack_figures(figures, count, width, height, &page);
    const enum nereus_status status = nereus_picture_write(settings, &page, title, err);
    nereus_drawing_fini(&page);
    return status;
}
