/**
 * @file measure.h
 * What a job holds: of this process, and of all processes that belong to the job, for tests that
 * look for what grows.
 */
#pragma once

#include <stdint.h>

/* Results are appended to the file in NEREUS_TEST_LOG; without it nothing is measured. */

/* This process, now: one more sample of its memory, descriptors, threads and communicators. */
void measure_sample(void);
/* This process ends: what has grown in it per sample, if it has seen enough of them. */
void measure_end(void);
/*
 * All processes of the job (those with this process' NEREUS_TEST_JOB), once those that have left
 * are gone: waits until so many run this program under so many launchers (mpiexec with its proxy on
 * this host; negative: any number).
 * @return 0; else a sentence was printed
 */
int measure_job(const char *label, int expected, int launchers);
