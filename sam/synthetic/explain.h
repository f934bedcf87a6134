/**
 * @file explain.h
 * A configuration in words, and a new one with comments. No MPI here.
 */
#ifndef NEREUS_SAM_SYNTHETIC_EXPLAIN_H
#define NEREUS_SAM_SYNTHETIC_EXPLAIN_H

#include <stdio.h>

#include "config.h"

/** What the application does, in words. */
void sam_explain(const struct sam_config *config, FILE *stream);

/** A configuration that can be run, with every key and its meaning as comments. */
void sam_template_print(FILE *stream);

#endif
