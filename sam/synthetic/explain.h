/**
 * @file explain.h
 * A configuration as text for people, and a template with comments. No MPI here.
 */
#ifndef NEREUS_SAM_SYNTHETIC_EXPLAIN_H
#define NEREUS_SAM_SYNTHETIC_EXPLAIN_H

#include <stdio.h>

#include "config.h"

/** Print what the application will do. */
void sam_explain(const struct sam_config *config, FILE *stream);

/** Print a template: a configuration that can be run, with every key and its meaning as
 * comments. */
void sam_template_print(FILE *stream);

#endif
