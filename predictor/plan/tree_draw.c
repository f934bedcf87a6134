/**
 * @file tree_draw.c  Draws a spawn tree: who starts whom, from left to right, and below it the
 * rounds in which the groups connect.
 *
 * Up to NEREUS_TREE_SMALL groups each has a box and a line; with more there is one box per level
 * and one bar per round.
 */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/file.h"
#include "model/util/try.h"
#include "predictor/cli/output.h"
#include "tree_print.h"
#include "tree_shape.h"

/* Points. */
enum {
    MARGIN = 24,
    LINE = 15,
    BOX_GAP = 10,
    COLUMN_GAP = 40,
    ROW = 20,
    ROUND_WIDTH = 90,
    BAR = 380
};
enum { BOX_LINES = 5, FONT = 11 };

struct box {
    char lines[BOX_LINES][NEREUS_TREE_TEXT_MAX];
    int line_count;
    int64_t column;
    int64_t from; /* the box where its line starts; -1: none */
    double x, y, width, height;
};

struct picture {
    const struct nereus_priced_plan *priced;
    const struct nereus_tree *tree;
    const struct nereus_machine *machine;
    bool small;
    struct box *boxes; /* the sources, then the groups, or the levels; owned */
    int64_t box_count;
    double width, tree_height, height;
};

/* ---- layout ----------------------------------------------------------------------------- */

static char *next_line(struct box *box)
{
    return box->lines[box->line_count++];
}

static void fill_sources(const struct picture *p, struct box *box)
{
    const struct nereus_machine *machine = p->machine;
    *box = (struct box){.from = -1};
    char size[NEREUS_TREE_TEXT_MAX];
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "sources: %.40s",
             nereus_tree_sizes_text(p->tree->parents, p->tree->parents, size));
    nereus_tree_nodes_text(machine, 0, nereus_machine_nodes_used(machine, p->tree->parents) - 1,
                           next_line(box));
}

static void fill_group(const struct picture *p, int64_t index, struct box *box)
{
    const struct nereus_tree_group *group = &p->tree->groups[index];
    struct nereus_tree_run run;
    nereus_tree_run_from(p->tree, &p->priced->request, index, &run);
    *box = (struct box){.column = group->level, .from = group->parent + 1};
    char size[NEREUS_TREE_TEXT_MAX], node[NEREUS_TREE_TEXT_MAX];
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "group %" PRId64 ": %.40s", index,
             nereus_tree_sizes_text(group->processes, group->processes, size));
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "%.100s, by %s %" PRId64,
             nereus_tree_nodes_text(p->machine, run.node, run.node, node),
             group->parent < 0 ? "source" : "rank", group->parent_rank);
}

static void fill_level(const struct picture *p, int64_t level, struct box *box)
{
    struct nereus_tree_level shape;
    struct nereus_tree_run last;
    nereus_tree_level_shape(p->tree, &p->priced->request, level, &shape);
    nereus_tree_run_from(p->tree, &p->priced->request, shape.first + shape.count - 1, &last);
    struct nereus_tree_run first;
    nereus_tree_run_from(p->tree, &p->priced->request, shape.first, &first);
    *box = (struct box){.column = level, .from = level - 1};
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "level %" PRId64 ": %" PRId64 " groups", level,
             shape.count);
    nereus_tree_sizes_text(shape.least, shape.most, next_line(box));
    nereus_tree_nodes_text(p->machine, first.node, last.node, next_line(box));
    char starters[NEREUS_TREE_TEXT_MAX];
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "by %.*s", NEREUS_TREE_TEXT_MAX - 4,
             nereus_tree_starters_text(p->tree, &shape, starters));
    snprintf(next_line(box), NEREUS_TREE_TEXT_MAX, "%" PRId64 " -> %" PRId64 " processes",
             shape.before, shape.before + shape.processes);
}

static double text_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

static void size_boxes(struct picture *p, cairo_t *cr)
{
    for (int64_t i = 0; i < p->box_count; i++) {
        struct box *box = &p->boxes[i];
        for (int l = 0; l < box->line_count; l++) {
            box->width = fmax(box->width, text_width(cr, box->lines[l]) + 16);
        }
        box->height = LINE * box->line_count + 10;
    }
}

/* A column per level; its boxes are as wide as the widest. */
static void place_columns(struct picture *p)
{
    double x = MARGIN;
    for (int64_t c = 0; c <= p->tree->levels; c++) {
        double widest = 0;
        for (int64_t i = 0; i < p->box_count; i++) {
            widest = fmax(widest, p->boxes[i].column == c ? p->boxes[i].width : 0);
        }
        for (int64_t i = 0; i < p->box_count; i++) {
            if (p->boxes[i].column == c) {
                p->boxes[i].x = x;
                p->boxes[i].width = widest;
            }
        }
        x += widest + COLUMN_GAP;
    }
    p->width = x - COLUMN_GAP + MARGIN;
}

/* A row for each box without children; the others are in the row of their first child. So the
 * line to a box runs along its row and crosses no other box. */
static void place_rows(struct picture *p, int64_t index)
{
    bool first = true;
    for (int64_t i = index + 1; i < p->box_count; i++) {
        if (p->boxes[i].from == index) {
            place_rows(p, i);
            p->boxes[index].y = first ? p->boxes[i].y : p->boxes[index].y;
            first = false;
        }
    }
    if (first) {
        p->boxes[index].y = 2 * MARGIN + p->tree_height;
        p->tree_height += p->boxes[index].height + BOX_GAP;
    }
}

static enum nereus_status picture_make(const struct nereus_priced_plan *priced,
                                       const struct nereus_question *question, struct picture *p,
                                       struct nereus_error *err)
{
    const struct nereus_tree *tree = &priced->plan.tree;
    *p = (struct picture){.priced = priced, .tree = tree, .machine = &question->machine};
    p->small = tree->group_count <= NEREUS_TREE_SMALL;
    p->box_count = 1 + (p->small ? tree->group_count : tree->levels);
    p->boxes = calloc((size_t)p->box_count, sizeof *p->boxes);
    NEREUS_TRY_MEMORY(p->boxes, err, "for a picture");
    fill_sources(p, &p->boxes[0]);
    for (int64_t i = 1; i < p->box_count; i++) {
        if (p->small) {
            fill_group(p, i - 1, &p->boxes[i]);
        } else {
            fill_level(p, i, &p->boxes[i]);
        }
    }
    return NEREUS_OK;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void write_text(cairo_t *cr, double x, double y, const char *text)
{
    cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, text);
}

static void draw_box(cairo_t *cr, const struct box *box)
{
    const double shade = box->column == 0 ? 0 : 0.35 + 0.65 / (double)box->column;
    cairo_rectangle(cr, box->x, box->y, box->width, box->height);
    cairo_set_source_rgb(cr, 0.93 - 0.13 * shade, 0.94 - 0.04 * shade, 0.95 + 0.04 * shade);
    cairo_fill_preserve(cr);
    cairo_set_source_rgb(cr, 0.35, 0.4, 0.5);
    cairo_stroke(cr);
    for (int l = 0; l < box->line_count; l++) {
        write_text(cr, box->x + 8, box->y + LINE * (l + 1), box->lines[l]);
    }
}

/* From the right side of one box, down the gap behind its column, to the left side of another. */
static void draw_edge(cairo_t *cr, const struct box *from, const struct box *to)
{
    const double x0 = from->x + from->width, y0 = from->y + from->height / 2;
    const double down = x0 + COLUMN_GAP / 2.0, y1 = to->y + to->height / 2;
    cairo_set_source_rgb(cr, 0.45, 0.5, 0.6);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, down, y0);
    cairo_line_to(cr, down, y1);
    cairo_line_to(cr, to->x, y1);
    cairo_stroke(cr);
}

static void draw_tree(const struct picture *p, cairo_t *cr)
{
    char title[128];
    snprintf(title, sizeof title,
             "Spawn tree: %" PRId64 " groups in %" PRId64 " levels, %" PRId64 " -> %" PRId64
             " processes",
             p->tree->group_count, p->tree->levels, p->priced->plan.ns, p->priced->plan.nt);
    write_text(cr, MARGIN, MARGIN, title);
    for (int64_t i = 0; i < p->box_count; i++) {
        if (p->boxes[i].from >= 0) {
            draw_edge(cr, &p->boxes[p->boxes[i].from], &p->boxes[i]);
        }
    }
    for (int64_t i = 0; i < p->box_count; i++) {
        draw_box(cr, &p->boxes[i]);
    }
}

/* A line for each group, from the left to the round in which it connects, then up to the group
 * that it joins. */
static void draw_group_rounds(const struct picture *p, cairo_t *cr, double top)
{
    const int64_t rounds = nereus_connect_rounds(p->tree->group_count);
    const double left = MARGIN + 70;
    char text[32];
    for (int64_t g = 0; g < p->tree->group_count; g++) {
        int64_t round, to;
        const double y = top + ROW * (double)(g + 1);
        nereus_connect_partner(p->tree->group_count, g, &round, &to);
        const double x = left + ROUND_WIDTH * (double)(round > 0 ? round : rounds + 1) -
                         ROUND_WIDTH / 2.0 + 5 * (double)(g % 7); /* beside each other */
        snprintf(text, sizeof text, "group %" PRId64, g);
        write_text(cr, MARGIN, y + 4, text);
        cairo_set_source_rgb(cr, 0.3, 0.45, 0.7);
        cairo_move_to(cr, left, y);
        cairo_line_to(cr, x, y);
        if (round > 0) {
            const double end = top + ROW * (double)(to + 1);
            cairo_line_to(cr, x, end + 5);
            cairo_stroke(cr);
            cairo_move_to(cr, x - 3, end + 7);
            cairo_line_to(cr, x, end + 1);
            cairo_line_to(cr, x + 3, end + 7);
            cairo_close_path(cr);
            cairo_fill(cr);
        } else {
            cairo_stroke(cr);
        }
    }
    for (int64_t r = 1; r <= rounds; r++) {
        snprintf(text, sizeof text, "round %" PRId64, r);
        write_text(cr, left + ROUND_WIDTH * (double)r - ROUND_WIDTH / 2.0, top, text);
    }
}

/* A bar for each round: how many groups are left, on a logarithmic scale. */
static void draw_round_bars(const struct picture *p, cairo_t *cr, double top)
{
    const double most = log2((double)p->tree->group_count);
    for (int64_t r = 1; r <= nereus_connect_rounds(p->tree->group_count); r++) {
        struct nereus_tree_round round;
        char text[128];
        const double y = top + ROW * (double)r;
        nereus_tree_round_shape(p->tree, r, &round);
        cairo_rectangle(cr, MARGIN, y - ROW / 2.0 - 1, BAR * log2((double)round.left) / most,
                        ROW - 6);
        cairo_set_source_rgb(cr, 0.75, 0.83, 0.95);
        cairo_fill(cr);
        snprintf(text, sizeof text,
                 "round %" PRId64 ": %" PRId64 " groups, %" PRId64 " connect to one each%s", r,
                 round.left, round.pairs, round.waits >= 0 ? ", one waits" : "");
        write_text(cr, MARGIN + 6, y, text);
    }
}

static void draw(const struct picture *p, cairo_t *cr)
{
    const double top = 2 * MARGIN + p->tree_height + (p->small ? 2 * MARGIN : MARGIN);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_line_width(cr, 1);
    draw_tree(p, cr);
    if (p->tree->group_count < 2) {
        return;
    }
    write_text(cr, MARGIN, top - (p->small ? MARGIN : 4), "Connections: who joins whom");
    if (p->small) {
        draw_group_rounds(p, cr, top);
    } else {
        draw_round_bars(p, cr, top);
    }
}

/* Size of the picture: the tree, and the rounds below it. */
static void measure(struct picture *p)
{
    const int64_t rounds = nereus_connect_rounds(p->tree->group_count);
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cr = cairo_create(surface);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, FONT);
    size_boxes(p, cr);
    place_columns(p);
    place_rows(p, 0);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    p->width = fmax(p->width, p->small ? MARGIN + 70 + ROUND_WIDTH * (double)(rounds + 1)
                                       : 2 * MARGIN + BAR + 120);
    p->width = fmax(p->width, 420);
    p->height = 2 * MARGIN + p->tree_height + MARGIN;
    if (rounds > 0) {
        p->height += 2 * MARGIN + ROW * (double)((p->small ? p->tree->group_count : rounds) + 1);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *const endings[] = {".svg", ".pdf", ".png"};
enum ending { SVG, PDF, PNG, ENDING_COUNT };

static enum ending ending_of(const char *path)
{
    const size_t length = strlen(path);
    for (int e = 0; e < ENDING_COUNT; e++) {
        if (length > strlen(endings[e]) &&
            strcmp(path + length - strlen(endings[e]), endings[e]) == 0) {
            return (enum ending)e;
        }
    }
    return ENDING_COUNT;
}

enum nereus_status nereus_tree_check_picture(const char *path, struct nereus_error *err)
{
    if (ending_of(path) != ENDING_COUNT) {
        return NEREUS_OK;
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--output %.200s: a picture's name ends with .svg, .pdf or .png", path);
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t draw_to(const struct picture *p, enum ending ending, FILE *stream)
{
    cairo_surface_t *surface =
        ending == SVG
            ? cairo_svg_surface_create_for_stream(write_bytes, stream, p->width, p->height)
        : ending == PDF
            ? cairo_pdf_surface_create_for_stream(write_bytes, stream, p->width, p->height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(2 * p->width),
                                         (int)ceil(2 * p->height));
    cairo_t *cr = cairo_create(surface);
    if (ending == PNG) {
        cairo_scale(cr, 2, 2);
    }
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, FONT);
    draw(p, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && ending == PNG) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, stream);
    }
    cairo_surface_finish(surface);
    status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
    cairo_surface_destroy(surface);
    return status;
}

enum nereus_status nereus_tree_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question, const char *path,
                                    struct nereus_error *err)
{
    struct picture p;
    struct nereus_file_replace replace;
    enum nereus_status status = nereus_tree_check_picture(path, err);
    if (status == NEREUS_OK && priced->plan.tree.group_count == 0) {
        status = nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--output %.200s: the new processes of this plan are one world, so there is no tree",
            path);
    }
    if (status == NEREUS_OK) {
        status = picture_make(priced, question, &p, err);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    measure(&p);
    status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK) {
        const cairo_status_t drawn = draw_to(&p, ending_of(path), replace.stream);
        if (drawn == CAIRO_STATUS_SUCCESS) {
            status = nereus_file_replace_commit(&replace, err);
        } else {
            nereus_file_replace_abort(&replace);
            status = nereus_fail(err, NEREUS_ERR_IO, "%.200s could not be drawn: %s", path,
                                 cairo_status_to_string(drawn));
        }
    }
    free(p.boxes);
    return status;
}
