/**
 * @file tree_print.h
 * The spawn tree of a plan and its rounds of connections: as text, as JSON, as a picture.
 */
#ifndef NEREUS_TREE_PRINT_H
#define NEREUS_TREE_PRINT_H

#include "priced_plan.h"

/** Prints nothing if the new processes are one world. */
void nereus_tree_print(const struct nereus_priced_plan *priced,
                       const struct nereus_question *question, FILE *stream);

/** The same content. JSON null if the new processes are one world; NULL without memory. */
json_t *nereus_tree_json(const struct nereus_priced_plan *priced,
                         const struct nereus_question *question);

/**
 * Draw it into a file: SVG, PDF or PNG, by the extension of its name.
 * @return NEREUS_ERR_ARGUMENT for another extension, or a plan without a tree; NEREUS_ERR_IO
 */
enum nereus_status nereus_tree_draw(const struct nereus_priced_plan *priced,
                                    const struct nereus_question *question, const char *path,
                                    struct nereus_error *err);

/** Check the extension, before anything is computed. */
enum nereus_status nereus_tree_check_picture(const char *path, struct nereus_error *err);

#endif
