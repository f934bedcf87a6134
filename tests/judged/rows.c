/** @file rows.c  Choices of rows. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rows_read(const char *file, struct nereus_samples *rows)
{
    struct nereus_error err = {.text = ""};
    if (nereus_samples_read(file, false, rows, &err) != NEREUS_OK) {
        fprintf(stderr, "judged: %s\n", err.text);
        exit(1);
    }
}

void rows_read_on(const char *file, const char *hostfile, struct nereus_samples *rows,
                  struct nereus_provenances *origins)
{
    struct nereus_error err = {.text = ""};
    origins->hostfile = hostfile;
    if (nereus_samples_read_provenance(file, false, rows, origins, &err) != NEREUS_OK) {
        fprintf(stderr, "judged: %s\n", err.text);
        exit(1);
    }
}

void rows_fit(const struct nereus_samples *rows, struct nereus_profile *profile)
{
    struct nereus_error err = {.text = ""};
    if (nereus_profile_fit(rows, NULL, profile, &err) != NEREUS_OK) {
        fprintf(stderr, "judged: %s\n", err.text);
        exit(1);
    }
}

bool *rows_flags(int64_t n)
{
    bool *flags = calloc((size_t)n + 1, sizeof *flags);
    if (flags == NULL) {
        fputs("judged: no memory for samples\n", stderr);
        exit(1);
    }
    return flags;
}

struct nereus_samples rows_chosen(const struct nereus_samples *from, const bool *chosen)
{
    struct nereus_samples part = {.rows = calloc((size_t)from->count + 1, sizeof *part.rows)};
    if (part.rows == NULL) {
        fputs("judged: no memory for samples\n", stderr);
        exit(1);
    }
    for (int64_t i = 0; i < from->count; i++)
        if (chosen[i])
            part.rows[part.count++] = from->rows[i];
    return part;
}

void rows_draw(bool *chosen, int64_t n, int64_t count, unsigned short state[3])
{
    memset(chosen, 0, (size_t)n * sizeof *chosen);
    while (count > 0) {
        const int64_t i = (int64_t)(erand48(state) * (double)n);
        count -= !chosen[i];
        chosen[i] = true;
    }
}

int64_t rows_pair(const struct nereus_samples *rows, int64_t i)
{
    int64_t j = 0;
    while (rows->rows[j].ns != rows->rows[i].ns || rows->rows[j].nt != rows->rows[i].nt)
        j++;
    return j;
}
