/** @file tree.h  Shows a spawn tree and its rounds of connections, as text, JSON and a drawing. */
#pragma once

#include <jansson.h>

#include "predictor/picture/drawing.h"
#include "tree_shape.h"

/** A tree, and the data shown with it; the caller owns all members. */
struct nereus_tree_view {
    const struct nereus_tree *tree;
    const struct nereus_request *request; /**< request of the tree: sizes and nodes */
    const struct nereus_machine *machine; /**< names of the nodes */
};

/** Print the tree as text; nothing if the new processes are one world. */
void nereus_tree_print(const struct nereus_tree_view *view, FILE *stream);

/** @return the tree as JSON; null if the new processes are one world; NULL: no memory */
json_t *nereus_tree_json(const struct nereus_tree_view *view);

/** Draw a tree of one group or more.
 * @param[in,out] drawing  empty, without a size */
enum nereus_status nereus_tree_draw(const struct nereus_tree_view *view,
                                    struct nereus_drawing *drawing, struct nereus_error *err);
