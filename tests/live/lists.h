/**
 * @file lists.h
 * Custom data whose elements are lists of numbers, as the particles of a cell: constant, or of
 * another length in each iteration.
 */
#pragma once

#include "nereus/nereus.h"

/* All zero at first: then there are none, and they are as they must be. */
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
 * Registers n lists, and fills in those of a process that has not received any.
 * @param[in] iteration  NULL: constant. Else they grow and shrink, and have nothing before
 *                       iteration 3
 */
enum nereus_status lists_register(struct lists *lists, nereus_job *job, const char *name, int64_t n,
                                  int partition, const int64_t *iteration);
/* As they must be in this iteration. */
void lists_change(struct lists *lists);
/* @return the first element that is not as it must be; -1: all are */
int64_t lists_check(const struct lists *lists);
void lists_free(struct lists *lists);
