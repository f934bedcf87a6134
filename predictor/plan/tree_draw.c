/**
 * @file tree_draw.c
 * Draws a spawn tree: which group starts which, from left to right, and below it the rounds in
 * which the groups connect.
 *
 * Up to NEREUS_TREE_SMALL groups each has a box and a line; with more there is one box per level
 * and one bar per round.
 */

#include "tree.h"

/* Sizes in points. */
enum {
    MARGIN = 24,
    LINE = 15,
    BOX_GAP = 10,
    COLUMN_GAP = 40,
    ROW = 20,
    ROUND_WIDTH = 90,
    BAR = 380
};
enum { BOX_LINES = 5 };
static const struct nereus_font font = {.size = 11}, heading = {.size = 11.5, .bold = true};

struct box {
    char lines[BOX_LINES][NEREUS_TREE_TEXT_MAX];
    int line_count;
    int64_t column;
    int64_t from; /* box from which its line comes; -1: none */
    double x, y, width, height;
};

struct picture {
    const struct nereus_tree_view *view;
    const struct nereus_tree *tree;
    bool small;
    struct box *boxes; /* the sources, then the groups, or the levels; owned */
    int64_t box_count;
    double width, tree_height;
};

/* ---- layout ----------------------------------------------------------------------------- */

static char *add_line(struct box *box)
{
    return box->lines[box->line_count++];
}

static void fill_sources(const struct picture *p, struct box *box)
{
    const struct nereus_machine *machine = p->view->machine;
    *box = (struct box){.from = -1};
    char size[NEREUS_TREE_TEXT_MAX];
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "sources: %.40s",
             nereus_tree_sizes_text(p->tree->parents, p->tree->parents, size));
    nereus_tree_nodes_text(machine, 0, nereus_machine_count_nodes(machine, p->tree->parents) - 1,
                           add_line(box));
}

static void fill_group(const struct picture *p, int64_t index, struct box *box)
{
    const struct nereus_tree_group *group = &p->tree->groups[index];
    struct nereus_tree_run run;
    nereus_tree_find_run(p->tree, p->view->request, index, &run);
    *box = (struct box){.column = group->level, .from = group->parent + 1};
    char size[NEREUS_TREE_TEXT_MAX], node[NEREUS_TREE_TEXT_MAX];
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "group %lld: %.40s", (long long)index,
             nereus_tree_sizes_text(group->processes, group->processes, size));
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "%.100s, by %s %lld",
             nereus_tree_nodes_text(p->view->machine, run.node, run.node, node),
             group->parent < 0 ? "source" : "rank", (long long)group->parent_rank);
}

static void fill_level(const struct picture *p, int64_t level, struct box *box)
{
    struct nereus_level_shape shape;
    struct nereus_tree_run last;
    nereus_tree_find_level_shape(p->tree, p->view->request, level, &shape);
    nereus_tree_find_run(p->tree, p->view->request, shape.first + shape.count - 1, &last);
    struct nereus_tree_run first;
    nereus_tree_find_run(p->tree, p->view->request, shape.first, &first);
    *box = (struct box){.column = level, .from = level - 1};
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "level %lld: %lld group%s", (long long)level,
             (long long)shape.count, nereus_plural_s(shape.count));
    nereus_tree_sizes_text(shape.min, shape.max, add_line(box));
    nereus_tree_nodes_text(p->view->machine, first.node, last.node, add_line(box));
    char starters[NEREUS_TREE_TEXT_MAX];
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "by %.*s", NEREUS_TREE_TEXT_MAX - 4,
             nereus_tree_starters_text(p->tree, &shape, starters));
    snprintf(add_line(box), NEREUS_TREE_TEXT_MAX, "%lld -> %lld process%s",
             (long long)shape.existing_processes,
             (long long)(shape.existing_processes + shape.processes),
             nereus_plural_es(shape.existing_processes + shape.processes));
}

static void measure_boxes(struct picture *p, struct nereus_drawing *drawing)
{
    for (int64_t i = 0; i < p->box_count; i++) {
        struct box *box = &p->boxes[i];
        for (int l = 0; l < box->line_count; l++)
            box->width = fmax(box->width, nereus_text_width(drawing, font, box->lines[l]) + 16);
        box->height = LINE * box->line_count + 10;
    }
}

/* Place the boxes of each level in a column, all as wide as the widest. */
static void place_columns(struct picture *p)
{
    double x = MARGIN;
    for (int64_t c = 0; c <= p->tree->levels; c++) {
        double widest = 0;
        for (int64_t i = 0; i < p->box_count; i++)
            widest = fmax(widest, p->boxes[i].column == c ? p->boxes[i].width : 0);
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

/* Give each box without children a row; others share the row of their first child, so that no line
 * crosses a box. */
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

static enum nereus_status make_picture(const struct nereus_tree_view *view, struct picture *p,
                                       struct nereus_error *err)
{
    const struct nereus_tree *tree = view->tree;
    *p = (struct picture){.view = view, .tree = tree};
    p->small = tree->group_count <= NEREUS_TREE_SMALL;
    p->box_count = 1 + (p->small ? tree->group_count : tree->levels);
    p->boxes = calloc((size_t)p->box_count, sizeof *p->boxes);
    NEREUS_TRY_MEMORY(p->boxes, err, "for a picture");
    fill_sources(p, &p->boxes[0]);
    for (int64_t i = 1; i < p->box_count; i++)
        if (p->small)
            fill_group(p, i - 1, &p->boxes[i]);
        else
            fill_level(p, i, &p->boxes[i]);
    return NEREUS_OK;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_box(struct nereus_drawing *drawing, const struct box *box)
{
    nereus_draw_rect(drawing, nereus_rect_make(box->x, box->y, box->width, box->height),
                     (struct nereus_paint){.fill = NEREUS_INK_EMPTY, .stroke = NEREUS_INK_MUTED},
                     NULL);
    for (int l = 0; l < box->line_count; l++)
        nereus_draw_text(drawing, box->x + 8, box->y + LINE * (l + 1), font, box->lines[l]);
}

/* Draw a line that leaves the right side of one box, goes down the gap to the right of its column,
 * and ends at the left side of another. */
static void draw_edge(struct nereus_drawing *drawing, const struct box *from, const struct box *to)
{
    const struct nereus_paint paint = {.stroke = NEREUS_INK_MUTED};
    const double x0 = from->x + from->width, y0 = from->y + from->height / 2;
    const double down = x0 + COLUMN_GAP / 2.0, y1 = to->y + to->height / 2;
    nereus_draw_line(drawing, x0, y0, down, y0, paint);
    nereus_draw_line(drawing, down, y0, down, y1, paint);
    nereus_draw_line(drawing, down, y1, to->x, y1, paint);
}

static void draw_tree(const struct picture *p, struct nereus_drawing *drawing)
{
    char title[128];
    const int64_t levels = p->tree->levels;
    snprintf(title, sizeof title,
             "Spawn tree: %lld group%s in %lld level%s, %lld to %lld process%s",
             (long long)p->tree->group_count, nereus_plural_s(p->tree->group_count),
             (long long)levels, nereus_plural_s(levels), (long long)p->view->request->ns,
             (long long)p->view->request->nt, nereus_plural_es(p->view->request->nt));
    nereus_draw_text(drawing, MARGIN, MARGIN, heading, title);
    for (int64_t i = 0; i < p->box_count; i++)
        if (p->boxes[i].from >= 0)
            draw_edge(drawing, &p->boxes[p->boxes[i].from], &p->boxes[i]);
    for (int64_t i = 0; i < p->box_count; i++)
        draw_box(drawing, &p->boxes[i]);
}

/* Draw a line for each group, from the left to the round in which it connects, then up to the group
 * that it joins. */
static void draw_group_round(const struct picture *p, struct nereus_drawing *drawing, double top,
                             int64_t g)
{
    const struct nereus_paint paint = {.fill = NEREUS_INK_SERIES, .stroke = NEREUS_INK_SERIES};
    const int64_t rounds = nereus_connect_rounds(p->tree->group_count);
    const double left = MARGIN + 70, y = top + ROW * (double)(g + 1);
    int64_t round, to;
    char text[32];
    nereus_connect_find_partner(p->tree->group_count, g, &round, &to);
    const double x = left + ROUND_WIDTH * (double)(round > 0 ? round : rounds + 1) -
                     ROUND_WIDTH / 2.0 + 5 * (double)(g % 7); /* beside each other */
    snprintf(text, sizeof text, "group %lld", (long long)g);
    nereus_draw_text(drawing, MARGIN, y + 4, font, text);
    nereus_draw_line(drawing, left, y, x, y, paint);
    if (round > 0) {
        const double end = top + ROW * (double)(to + 1);
        nereus_draw_line(drawing, x, y, x, end + 5, paint);
        nereus_draw_point(drawing, nereus_position_make(x, end + 4), 3, NEREUS_SYMBOL_TRIANGLE,
                          paint, NULL);
    }
}

static void draw_group_rounds(const struct picture *p, struct nereus_drawing *drawing, double top)
{
    char text[32];
    for (int64_t g = 0; g < p->tree->group_count; g++)
        draw_group_round(p, drawing, top, g);
    for (int64_t r = 1; r <= nereus_connect_rounds(p->tree->group_count); r++) {
        snprintf(text, sizeof text, "round %lld", (long long)r);
        nereus_draw_text(drawing, MARGIN + 70 + ROUND_WIDTH * (double)r - ROUND_WIDTH / 2.0, top,
                         font, text);
    }
}

/* Draw a bar for each round: the number of groups left, on a logarithmic scale. */
static void draw_round_bars(const struct picture *p, struct nereus_drawing *drawing, double top)
{
    const double max = log2((double)p->tree->group_count);
    for (int64_t r = 1; r <= nereus_connect_rounds(p->tree->group_count); r++) {
        struct nereus_tree_round round;
        char text[128];
        const double y = top + ROW * (double)r;
        nereus_tree_find_round_shape(p->tree, r, &round);
        nereus_draw_rect(drawing,
                         nereus_rect_make(MARGIN, y - ROW / 2.0 - 1,
                                          BAR * log2((double)round.groups_left) / max, ROW - 6),
                         (struct nereus_paint){.fill = NEREUS_INK_GRID}, NULL);
        snprintf(text, sizeof text, "round %lld: %lld group%s, %lld connect to one each%s",
                 (long long)r, (long long)round.groups_left, nereus_plural_s(round.groups_left),
                 (long long)round.pairs, round.waits >= 0 ? ", one waits" : "");
        nereus_draw_text(drawing, MARGIN + 6, y, font, text);
    }
}

static void draw_tree_and_rounds(const struct picture *p, struct nereus_drawing *drawing)
{
    const double top = 2 * MARGIN + p->tree_height + (p->small ? 2 * MARGIN : MARGIN);
    draw_tree(p, drawing);
    if (p->tree->group_count < 2)
        return;
    nereus_draw_text(drawing, MARGIN, top - (p->small ? MARGIN : 4), heading,
                     "Connections: who joins whom");
    if (p->small)
        draw_group_rounds(p, drawing, top);
    else
        draw_round_bars(p, drawing, top);
}

/* Size of the picture: the tree, and the rounds below it. */
static void measure_tree(struct picture *p, struct nereus_drawing *drawing)
{
    const int64_t rounds = nereus_connect_rounds(p->tree->group_count);
    measure_boxes(p, drawing);
    place_columns(p);
    place_rows(p, 0);
    p->width = fmax(p->width, p->small ? MARGIN + 70 + ROUND_WIDTH * (double)(rounds + 1)
                                       : 2 * MARGIN + BAR + 120);
    drawing->width = fmax(p->width, 480);
    drawing->height = 2 * MARGIN + p->tree_height + MARGIN;
    if (rounds > 0) {
        drawing->height +=
            2 * MARGIN + ROW * (double)((p->small ? p->tree->group_count : rounds) + 1);
    }
}

enum nereus_status nereus_tree_draw(const struct nereus_tree_view *view,
                                    struct nereus_drawing *drawing, struct nereus_error *err)
{
    struct picture p;
    NEREUS_TRY(make_picture(view, &p, err));
    measure_tree(&p, drawing);
    draw_tree_and_rounds(&p, drawing);
    free(p.boxes);
    return NEREUS_OK;
}
