/**
 * @file contacts.h
 * Makes a synthetic contact network, and the infections in it. Each answer is a pure function of
 * the seed, so that the epidemic is the same however persons are distributed over processes. No MPI
 * here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sparse.h"

/** Persons in a row, who have fewer neighbours towards the last one. */
struct contacts {
    int64_t persons;
    uint64_t seed;
};

/** Do two persons meet? The relation is symmetric and not reflexive: a person meets neighbours, and
 * a few persons anywhere. */
bool contacts_meet(const struct contacts *network, int64_t a, int64_t b);

/**
 * Make the contacts of persons first to first + rows - 1: row i has a column for each person that i
 * meets, by ascending numbers, whose value is the intensity of the contact (0 to 1, symmetric).
 * @param[out] part  to be ended with sparse_free
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status contacts_make_rows(const struct contacts *network, int64_t first, int64_t rows,
                                      struct sparse *part, struct nereus_error *err);

/** Is a person infected at the start?
 * @param share  share of all persons; above 0 person 0 is infected */
bool contacts_is_infected_at_start(const struct contacts *network, int64_t person, double share);

/**
 * Does an infectious person infect a contact on that day? They meet so many times, each with the
 * probability.
 */
bool contacts_is_infected_by(const struct contacts *network, int64_t day, int64_t from, int64_t to,
                             double probability, int64_t encounters);
