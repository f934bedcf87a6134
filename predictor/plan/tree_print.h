/**
 * @file tree_print.h
 * The spawn tree of a plan and its rounds of connections: as text, as JSON, as a picture.
 */
#ifndef NEREUS_TREE_PRINT_H
#define NEREUS_TREE_PRINT_H

#include "predictor/picture/drawing.h"
#include "priced_plan.h"

/** Prints nothing if the new processes are one world. */
void nereus_tree_print(const struct nereus_priced_plan *priced,
                       const struct nereus_question *question, FILE *stream);

/** The same content. JSON null if the new processes are one world; NULL without memory. */
json_t *nereus_tree_json(const struct nereus_priced_plan *priced,
                         const struct nereus_question *question);

/** Draw it. The plan must have a tree. @param[in,out] drawing  empty, without a size */
enum nereus_status nereus_tree_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question,
                                    struct nereus_drawing *drawing, struct nereus_error *err);

#endif
