/**
 * @file question_layout.h
 * Parses and prints the layout of a question, the number of processes on each node of the host file
 * afterwards: "host0:2,host3:1"; or "spread", one process on each node in turn.
 */
#pragma once

#include "scenario.h"

/** Table of the option --layout; its storage is a struct nereus_settings. */
extern const struct nereus_option nereus_layout_options[];
enum { NEREUS_LAYOUT_OPTION_COUNT = 1 };

/**
 * Check settings->layout, if there is one, and take NT from it where --nt was not given. No file is
 * read.
 * @return NEREUS_ERR_ARGUMENT, naming the entry
 */
enum nereus_status nereus_settings_check_layout(struct nereus_settings *settings,
                                                struct nereus_error *err);

/**
 * Give the question's machine the layout.
 * @return NEREUS_ERR_ARGUMENT, naming the entry, where the machine has no such nodes or no room;
 *         NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_question_lay_out(struct nereus_question *question, const char *text,
                                           struct nereus_error *err);

/** Print "PREFIXplacement: host0 2, host3 1" and a newline; nothing without a layout. */
void nereus_question_print_layout(const struct nereus_question *question, const char *prefix,
                                  FILE *stream);
/** @return an array of {node, processes}, or null; a new reference; NULL: no memory */
json_t *nereus_question_layout_json(const struct nereus_question *question);
