/**
 * @file judge.h
 * The judgements. Each prints a table and holds its figures against bounds (bound.h).
 */
#pragma once

#include <stdbool.h>

struct judge_options {
    const char *tables_file, *parallel_file; /**< samples of the two clusters */
    const char *unequal_file, *hostfile; /**< of the third, of unequal nodes; NULL: not judged */
    const char *redistribution_file;     /**< of the fourth; NULL: not judged */
    int choices;                         /**< random choices of six */
    bool rows;                           /**< print each prediction */
};

void judge_spawning(const struct judge_options *options);
void judge_parallel(const struct judge_options *options);
void judge_coverage(const struct judge_options *options);
void judge_unequal(const struct judge_options *options);
void judge_redistribution(const struct judge_options *options);
