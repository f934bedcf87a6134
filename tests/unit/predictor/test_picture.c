/** @file test_picture.c  Ticks that people read, charts that lie within their page, colours that
 * are told apart. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/picture/chart.h"
#include "predictor/picture/surface.h"

/* ---- axes ---- */

/* All ticks of an axis from `min` to `max` on 400 points, joined by spaces. */
Test(picture, ticks)
{
    static const struct {
        enum nereus_scale scale;
        bool seconds;
        double min, max;
        const char *expected, *title;
        bool whole;
    } rows[] = {
        {NEREUS_SCALE_LINEAR, false, 0, 7.3, "0|2|4|6|8|", "t", false},
        {NEREUS_SCALE_LINEAR, true, 0, 0.43, "0|100|200|300|400|", "t (ms)", false},
        {NEREUS_SCALE_LINEAR, true, 0, 31e-6, "0|10|20|30|", "t (µs)", false},
        {NEREUS_SCALE_LINEAR, false, 0, 3e6, "0|1 M|2 M|3 M|", "t", false},
        {NEREUS_SCALE_LINEAR, false, -3, 6, "-2|0|2|4|6|", "t", false},
        {NEREUS_SCALE_LINEAR, false, 0, 64, "0|20|40|60|", "t", false},
        {NEREUS_SCALE_LINEAR, false, 1700, 2203, "1800|2000|2200|", "t", false},
        {NEREUS_SCALE_LINEAR, false, 5, 5, "5|5.2|5.4|5.6|5.8|6|", "t", false},
        {NEREUS_SCALE_LINEAR, false, 0, 2.5, "0|0.5|1|1.5|2|2.5|", "t", false},
        {NEREUS_SCALE_LINEAR, false, 0, 2.5, "0|1|2|", "t", true},
        {NEREUS_SCALE_LINEAR, false, 0, 7.3, "0|2|4|6|8|", "t", true},
        {NEREUS_SCALE_LOG, true, 3e-5, 20, "10 µs|100 µs|1 ms|10 ms|100 ms|1 s|10 s|100 s|", "t",
         false},
        {NEREUS_SCALE_LOG, false, 3, 40, "5|10|20|50|", "t", false},
        {NEREUS_SCALE_LOG, false, 2, 2, "2|", "t", false},
    };
    struct nereus_drawing drawing;
    nereus_drawing_init(&drawing, 400, 400);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_axis axis;
        struct nereus_tick ticks[NEREUS_TICKS_MAX];
        char found[512] = "";
        nereus_axis_init(&axis, rows[i].scale, "t");
        axis.seconds = rows[i].seconds;
        axis.integers = rows[i].whole;
        nereus_axis_include(&axis, rows[i].min);
        nereus_axis_include(&axis, rows[i].max);
        nereus_axis_finish(&axis);
        const int count = nereus_axis_choose_ticks(
            &axis, &drawing, (struct nereus_font){.size = 10}, 400, false, ticks);
        for (int k = 0; k < count; k++)
            strcat(strcat(found, ticks[k].text), "|");
        cr_expect_str_eq(found, rows[i].expected, "row %zu: %s", i, found);
        cr_expect_str_eq(axis.title, rows[i].title, "row %zu: %s", i, axis.title);
        const double range = rows[i].max - rows[i].min;
        cr_expect(rows[i].scale == NEREUS_SCALE_LOG || range == 0 ||
                      axis.max - axis.min <= (1.1 + 1e-9) * range,
                  "row %zu: %g to %g", i, axis.min, axis.max);
        cr_expect(nereus_axis_position(&axis, rows[i].min) >= 0);
        cr_expect(nereus_axis_position(&axis, rows[i].max) <= 1);
        nereus_axis_fini(&axis);
    }
    nereus_drawing_fini(&drawing);
}

/* Of 1 to 200 as many round numbers as fit, and never two over each other. */
Test(picture, names_are_thinned)
{
    static const struct {
        double length;
        const char *first, *second;
    } rows[] = {{3000, "5", "10"}, {400, "20", "40"}, {150, "50", "100"}};
    struct nereus_drawing drawing;
    struct nereus_axis axis;
    nereus_drawing_init(&drawing, 400, 400);
    nereus_axis_init(&axis, NEREUS_SCALE_NAMES, "");
    for (int i = 1; i <= 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        nereus_axis_set_name(&axis, name, NULL);
    }
    nereus_axis_finish(&axis);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_font font = {.size = 10};
        struct nereus_tick ticks[NEREUS_TICKS_MAX];
        const int count =
            nereus_axis_choose_ticks(&axis, &drawing, font, rows[i].length, false, ticks);
        cr_expect(count >= 2);
        cr_expect_str_eq(ticks[0].text, rows[i].first, "row %zu: %s", i, ticks[0].text);
        cr_expect_str_eq(ticks[1].text, rows[i].second, "row %zu: %s", i, ticks[1].text);
        for (int k = 1; k < count; k++) {
            const double apart = rows[i].length * (nereus_axis_position(&axis, ticks[k].value) -
                                                   nereus_axis_position(&axis, ticks[k - 1].value));
            cr_expect(apart > nereus_text_width(&drawing, font, ticks[k].text));
        }
    }
    nereus_axis_fini(&axis);
    nereus_drawing_fini(&drawing);
}

/* Where a text is measured, its width is not rounded to pixels: a picture of twice the resolution has
 * the same places. */
Test(picture, widths_grow_with_the_font)
{
    static const char text[] = "malleable 0.5, policy both, method best, bytes-per-process 64MB";
    struct nereus_drawing drawing;
    nereus_drawing_init(&drawing, 400, 400);
    const double width = nereus_text_width(&drawing, (struct nereus_font){.size = 10}, text);
    for (int scale = 2; scale <= 8; scale *= 2) {
        const struct nereus_font font = {.size = 10 * scale};
        cr_expect_float_eq(nereus_text_width(&drawing, font, text), scale * width,
                           0.002 * scale * width);
    }
    nereus_drawing_fini(&drawing);
}

/* ---- charts ---- */

static const char *const names[] = {"merge/coll", "baseline-intra-hypercube-async/rma-waittargets",
                                    "b"};

/* Two panels, beside or above each other, with every kind of mark at the ends of the axes. */
static void fill(struct nereus_chart *chart, bool stacked)
{
    nereus_chart_init(chart, 2);
    chart->stacked = stacked;
    snprintf(chart->title, sizeof chart->title,
             "A title that is longer than a small page is wide, and so takes several lines");
    snprintf(chart->note, sizeof chart->note, "A note with an endless-word-%s.",
             "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm");
    for (int p = 0; p < 2; p++) {
        struct nereus_panel *panel = &chart->panels[p];
        nereus_axis_init(&panel->x, p == 0 ? NEREUS_SCALE_LINEAR : NEREUS_SCALE_LOG, "RT");
        nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "methods");
        panel->x.seconds = panel->grid = panel->y.every_name = true;
        for (size_t i = 0; i < NEREUS_COUNT_OF(names); i++) {
            const double y = (double)i;
            nereus_axis_set_name(&panel->y, names[i], "1234.5 s");
            nereus_panel_add_area(
                panel, nereus_box_make(0.001, y, 0.37, y + 1),
                (struct nereus_style){.ink = NEREUS_INK_SERIES, .hatch = NEREUS_INK_SERIES + 1},
                "370 ms", "hint");
            nereus_panel_add_point(panel, 0.37, y + 0.5,
                                   (struct nereus_style){.ink = NEREUS_INK_TEXT}, NULL);
            nereus_panel_add_interval(panel, nereus_box_make(0.2, y + 0.5, 0.93, y + 0.5),
                                      (struct nereus_style){.ink = NEREUS_INK_TEXT});
        }
    }
    for (int k = 0; k < 9; k++) {
        nereus_chart_add_key(chart, k % 2 == 0 ? NEREUS_MARK_AREA : NEREUS_MARK_INTERVAL,
                             (struct nereus_style){.ink = nereus_ink_series(k)},
                             "an entry of the legend", "1");
    }
}

static int count_texts(const struct nereus_drawing *drawing, const char *text)
{
    int count = 0;
    for (int64_t i = 0; i < drawing->count; i++) {
        const struct nereus_shape *shape = &drawing->shapes[i];
        count += shape->kind == NEREUS_SHAPE_TEXT && strcmp(shape->text, text) == 0 ? 1 : 0;
    }
    return count;
}

static void text_box(const struct nereus_shape *shape, double *left, double *top, double *right,
                     double *bottom)
{
    const double before = shape->font.anchor == NEREUS_ANCHOR_LEFT     ? 0
                          : shape->font.anchor == NEREUS_ANCHOR_MIDDLE ? shape->width / 2
                                                                       : shape->width;
    const double above = 0.8 * shape->font.size, below = 0.25 * shape->font.size;
    if (shape->font.upwards) {
        *left = shape->x - above;
        *right = shape->x + below;
        *bottom = shape->y + before;
        *top = *bottom - shape->width;
        return;
    }
    *left = shape->x - before;
    *right = *left + shape->width;
    *top = shape->y - above;
    *bottom = shape->y + below;
}

/* The extent of a shape, with the whole of a text. */
static void shape_box(const struct nereus_shape *shape, double *left, double *top, double *right,
                      double *bottom)
{
    const bool point = shape->kind == NEREUS_SHAPE_POINT;
    const double x1 = shape->x + shape->width, y1 = shape->y + shape->height;
    if (shape->kind == NEREUS_SHAPE_TEXT) {
        text_box(shape, left, top, right, bottom);
        return;
    }
    *left = point ? shape->x - shape->width : fmin(shape->x, x1);
    *right = fmax(shape->x, x1);
    *top = point ? shape->y - shape->width : fmin(shape->y, y1);
    *bottom = point ? shape->y + shape->width : fmax(shape->y, y1);
}

/* The first shape that is not wholly on the page; NULL: all are. */
static const struct nereus_shape *shape_outside(const struct nereus_drawing *drawing)
{
    const double slack = 0.01;
    for (int64_t i = 0; i < drawing->count; i++) {
        double left, top, right, bottom;
        shape_box(&drawing->shapes[i], &left, &top, &right, &bottom);
        if (!(left >= -slack && top >= -slack && right <= drawing->width + slack &&
              bottom <= drawing->height + slack))
            return &drawing->shapes[i];
    }
    return NULL;
}

/* Two texts of a drawing that cover each other, of those that are not in a plot. */
static int count_overlaps(const struct nereus_drawing *drawing)
{
    int count = 0;
    for (int64_t i = 0; i < drawing->count; i++) {
        for (int64_t k = 0; k < i; k++) {
            double l0, t0, r0, b0, l1, t1, r1, b1;
            const struct nereus_shape *a = &drawing->shapes[i], *b = &drawing->shapes[k];
            if (a->kind != NEREUS_SHAPE_TEXT || b->kind != NEREUS_SHAPE_TEXT)
                continue;
            shape_box(a, &l0, &t0, &r0, &b0);
            shape_box(b, &l1, &t1, &r1, &b1);
            if (fmin(r0, r1) > fmax(l0, l1) + 0.5 && fmin(b0, b1) > fmax(t0, t1) + 1) {
                cr_log_error("'%s' lies over '%s'", a->text, b->text);
                count++;
            }
        }
    }
    return count;
}

Test(picture, everything_is_on_the_page)
{
    static const struct {
        double width, height;
        bool stacked;
    } rows[] = {{0, 0, false},   {0, 0, true},   {1400, 500, false}, {1400, 900, true},
                {0, 700, false}, {900, 0, true}, {900, 420, false},  {560, 560, true}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_chart chart;
        struct nereus_drawing drawing;
        struct nereus_error err;
        fill(&chart, rows[i].stacked);
        cr_assert(nereus_chart_draw(&chart, rows[i].width, rows[i].height, &drawing, &err) ==
                      NEREUS_OK,
                  "row %zu: %s", i, err.text);
        const struct nereus_shape *outside = shape_outside(&drawing);
        cr_expect(outside == NULL, "row %zu: '%s' at %g %g of %g x %g", i,
                  outside != NULL && outside->text != NULL ? outside->text : "",
                  outside != NULL ? outside->x : 0, outside != NULL ? outside->y : 0, drawing.width,
                  drawing.height);
        cr_expect(rows[i].width <= 0 || drawing.width == rows[i].width);
        cr_expect(rows[i].height <= 0 || drawing.height == rows[i].height);
        for (size_t n = 0; n < NEREUS_COUNT_OF(names); n++)
            cr_expect(count_texts(&drawing, names[n]) == 2, "row %zu: %s", i, names[n]);
        cr_expect(count_texts(&drawing, "1234.5 s") == 2 * NEREUS_COUNT_OF(names));
        cr_expect(count_texts(&drawing, "an entry of the legend") == 9);
        cr_expect(count_overlaps(&drawing) == 0, "row %zu", i);
        nereus_drawing_fini(&drawing);
        nereus_chart_fini(&chart);
    }
}

/* A page that is too small is refused with one that would do; that one does. */
Test(picture, too_small_says_what_would_do)
{
    struct nereus_chart chart;
    struct nereus_drawing drawing;
    struct nereus_error err;
    double width, height;
    fill(&chart, false);
    cr_assert(nereus_chart_draw(&chart, 300, 260, &drawing, &err) == NEREUS_ERR_ARGUMENT);
    cr_assert(sscanf(err.text, "--size 300x260 is too small for this picture: %lfx%lf would do",
                     &width, &height) == 2,
              "%s", err.text);
    nereus_chart_fini(&chart);
    fill(&chart, false);
    cr_assert(nereus_chart_draw(&chart, width, height, &drawing, &err) == NEREUS_OK);
    cr_expect(shape_outside(&drawing) == NULL);
    nereus_drawing_fini(&drawing);
    nereus_chart_fini(&chart);
}

/* A mark lies where its values say: a quarter of the axis is a quarter of the plot. */
Test(picture, marks_are_at_their_values)
{
    struct nereus_chart chart;
    struct nereus_drawing drawing;
    nereus_chart_init(&chart, 1);
    nereus_axis_init(&chart.panels[0].x, NEREUS_SCALE_LINEAR, "x");
    nereus_axis_init(&chart.panels[0].y, NEREUS_SCALE_LINEAR, "y");
    nereus_panel_add_area(&chart.panels[0], nereus_box_make(0, 0, 8, 4),
                          (struct nereus_style){.ink = NEREUS_INK_GRID}, NULL, "whole");
    nereus_panel_add_area(&chart.panels[0], nereus_box_make(2, 1, 3, 3),
                          (struct nereus_style){.ink = NEREUS_INK_SERIES}, NULL, "part");
    cr_assert(nereus_chart_draw(&chart, 500, 400, &drawing, NULL) == NEREUS_OK);
    const struct nereus_shape *whole = NULL, *part = NULL;
    for (int64_t i = 0; i < drawing.count; i++) {
        const struct nereus_shape *shape = &drawing.shapes[i];
        if (shape->kind == NEREUS_SHAPE_RECT && shape->text != NULL)
            *(strcmp(shape->text, "whole") == 0 ? &whole : &part) = shape;
    }
    cr_assert(whole != NULL && part != NULL);
    cr_expect(fabs(part->x - (whole->x + whole->width / 4)) < 1e-6);
    cr_expect(fabs(part->width - whole->width / 8) < 1e-6);
    cr_expect(fabs(part->y - (whole->y + whole->height / 4)) < 1e-6, "y grows upwards");
    cr_expect(fabs(part->height - whole->height / 2) < 1e-6);
    nereus_drawing_fini(&drawing);
    nereus_chart_fini(&chart);
}

/* ---- colours ---- */

static double linear(unsigned rgb, int channel)
{
    const double level = (rgb >> (16 - 8 * channel) & 255) / 255.0;
    return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4);
}

/* Lightness and two opponent channels of Oklab (Ottosson, 2020), in which distances are seen. */
static void oklab(const double rgb[3], double lab[3])
{
    static const double to_lms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                        {0.2119034982, 0.6806995451, 0.1073969566},
                                        {0.0883024619, 0.2817188376, 0.6299787005}},
                        to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double lms[3];
    for (int i = 0; i < 3; i++) {
        lms[i] =
            cbrt(fmax(0, to_lms[i][0] * rgb[0] + to_lms[i][1] * rgb[1] + to_lms[i][2] * rgb[2]));
    }
    for (int i = 0; i < 3; i++)
        lab[i] = to_lab[i][0] * lms[0] + to_lab[i][1] * lms[1] + to_lab[i][2] * lms[2];
}

/* The series as they are seen, and with each dichromacy (Machado et al., 2009, severity 1). 0.02 is
 * about a just noticeable difference. */
Test(picture, series_are_told_apart)
{
    static const struct {
        const char *sight;
        double matrix[3][3];
    } rows[] = {
        {"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {"protanopia",
         {{0.152286, 1.052583, -0.204868},
          {0.114503, 0.786281, 0.099216},
          {-0.003882, -0.048116, 1.051998}}},
        {"deuteranopia",
         {{0.367322, 0.860646, -0.227968},
          {0.280085, 0.672501, 0.047413},
          {-0.011820, 0.042940, 0.968881}}},
        {"tritanopia",
         {{1.255528, -0.076749, -0.178779},
          {-0.078411, 0.930809, 0.147602},
          {0.004733, 0.691367, 0.303900}}},
    };
    for (size_t s = 0; s < NEREUS_COUNT_OF(rows); s++) {
        double lab[NEREUS_SERIES_COUNT][3];
        for (int i = 0; i < NEREUS_SERIES_COUNT; i++) {
            double seen[3];
            const unsigned rgb = nereus_ink_rgb(nereus_ink_series(i), false);
            for (int c = 0; c < 3; c++) {
                seen[c] = rows[s].matrix[c][0] * linear(rgb, 0) +
                          rows[s].matrix[c][1] * linear(rgb, 1) +
                          rows[s].matrix[c][2] * linear(rgb, 2);
            }
            oklab(seen, lab[i]);
            for (int k = 0; k < i; k++) {
                const double apart =
                    sqrt(pow(lab[i][0] - lab[k][0], 2) + pow(lab[i][1] - lab[k][1], 2) +
                         pow(lab[i][2] - lab[k][2], 2));
                cr_expect(apart > 0.04, "%s: series %d and %d are %.3f apart", rows[s].sight, k, i,
                          apart);
            }
        }
    }
}

/* Classes of a map get brighter one by one, also for who sees no colours. */
Test(picture, shades_are_ordered)
{
    double before = -1;
    for (int i = 0; i < NEREUS_SHADE_COUNT; i++) {
        double lab[3], rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = linear(nereus_ink_rgb(nereus_ink_shade(i, NEREUS_SHADE_COUNT), false), c);
        oklab(rgb, lab);
        cr_expect(lab[0] > before + 0.03, "shade %d: %.3f after %.3f", i, lab[0], before);
        before = lab[0];
    }
}

/* Relative luminance (WCAG 2.1), which equation 1 of its contrast takes. */
static double luminance(unsigned rgb)
{
    return 0.2126 * linear(rgb, 0) + 0.7152 * linear(rgb, 1) + 0.0722 * linear(rgb, 2);
}

/* WCAG 2.1, 1.4.11: 3 for what is drawn. */
Test(picture, texts_on_areas_can_be_read)
{
    for (int ink = NEREUS_INK_EMPTY; ink < NEREUS_INK_COUNT; ink++) {
        for (int dark = 0; dark < 2; dark++) {
            const double a = luminance(nereus_ink_rgb(ink, dark)),
                         b = luminance(nereus_ink_rgb(nereus_ink_on(ink), dark));
            const double contrast = (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
            cr_expect(contrast >= 3, "ink %d, dark %d: contrast %g", ink, dark, contrast);
        }
    }
}

/* ---- options ---- */

Test(picture, names_and_sizes)
{
    static const struct {
        const char *path, *size, *expected; /* NULL: accepted */
    } rows[] = {
        {"a.svg", NULL, NULL},
        {"a.b.png", "800x600", NULL},
        {"x/y.html", "200x10000", NULL},
        {"a.pdf", NULL, NULL},
        {"a.bmp", NULL, "--output a.bmp: a picture's name ends with .svg, .pdf, .png or .html"},
        {".svg", NULL, "--output .svg: a picture's name ends with .svg, .pdf, .png or .html"},
        {"x/.svg", NULL, "--output x/.svg: a picture's name ends with .svg, .pdf, .png or .html"},
        {"asvg", NULL, "--output asvg: a picture's name ends with .svg, .pdf, .png or .html"},
        {"a.SVG", NULL, NULL},
        {NULL, "800x600", "--size is that of a picture: name its file with --output"},
        {"a.svg", "800",
         "--size 800: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600"},
        {"a.svg", "800x",
         "--size 800x: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600"},
        {"a.svg", "800x600x",
         "--size 800x600x: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600"},
        {"a.svg", "199x600",
         "--size 199x600: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600"},
        {"a.svg", "800x99999999999",
         "--size 800x99999999999: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as "
         "800x600"},
        {"a.svg", "-800x600",
         "--size -800x600: must be WIDTHxHEIGHT, each from 200 to 10000 points, such as 800x600"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {.status = NEREUS_OK};
        const struct nereus_picture_settings settings = {rows[i].path, rows[i].size};
        const enum nereus_status status = nereus_picture_check(&settings, &err);
        if (status == NEREUS_ERR_UNSUPPORTED && nereus_surface_pdf.write == NULL) {
            cr_expect(strstr(err.text, "built without cairo") != NULL, "row %zu", i);
            continue;
        }
        cr_expect((status == NEREUS_OK) == (rows[i].expected == NULL), "row %zu", i);
        if (rows[i].expected != NULL)
            cr_expect_str_eq(err.text, rows[i].expected, "row %zu: %s", i, err.text);
    }
}
