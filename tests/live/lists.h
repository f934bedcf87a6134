/**
 * @file lists.h
 * Custom data whose elements are lists of numbers, as the particles of a cell: constant, or of
 * another length in each iteration.
 */
#pragma once

#include "nereus/nereus.h"

/* Zero-initialised it has no lists, and lists_check accepts it. */
struct lists {
    nereus_job *job;
    const int64_t *iteration; /* NULL: constant */
    int id;
    int64_t first, count;
    struct list {
        int64_t length, *numbers;
    } * of;
};

/*
 * Registers n lists, and fills them if this process has not received them.
 * @param[in] iteration  NULL: constant. Else they grow and shrink, and have nothing before
 *                       iteration 3
 */
enum nereus_status lists_register(struct lists *lists, nereus_job *job, const char *name, int64_t n,
                                  int partition, const int64_t *iteration);
/* Sets variable lists to this iteration. */
void lists_change(struct lists *lists);
/* @return the first element that differs; -1: none */
int64_t lists_check(const struct lists *lists);
void lists_free(struct lists *lists);
