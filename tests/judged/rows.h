/**
 * @file rows.h
 * Rows of samples: which are kept for a fit, and random choices of them.
 */
#pragma once

#include <stdbool.h>

#include "nereus/profile.h"
#include "nereus/provenance.h"
#include "nereus/samples.h"

/* Each ends the program with a sentence where it cannot do what it should. */
void rows_read(const char *file, struct nereus_samples *rows);
/** Of unequal nodes: of a host file, which the origins keep as long as the rows are used. */
void rows_read_on(const char *file, const char *hostfile, struct nereus_samples *rows,
                  struct nereus_provenances *origins);
void rows_fit(const struct nereus_samples *rows, struct nereus_profile *profile);
/** n flags, none of them set; to be freed. */
bool *rows_flags(int64_t n);

/** Rows of `from` whose flag is set; what they hold is copied. End it with nereus_samples_fini. */
struct nereus_samples rows_chosen(const struct nereus_samples *from, const bool *chosen);

/** Set `count` different flags of n at random. state: erand48 */
void rows_draw(bool *chosen, int64_t n, int64_t count, unsigned short state[3]);

/** The first row of the same pair; so that equal numbers are equal pairs. */
int64_t rows_pair(const struct nereus_samples *rows, int64_t i);
