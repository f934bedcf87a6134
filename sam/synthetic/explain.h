/**
 * @file explain.h
 * Explains a configuration in a text for people, and writes a template with comments. No MPI here.
 */
#pragma once

#include <stdio.h>

#include "config.h"

/** Print what the application will do. */
void sam_explain(const struct sam_config *config, FILE *stream);

/** Print a template: a configuration that can be run, with every key and its meaning as
 * comments. */
void sam_template_print(FILE *stream);
