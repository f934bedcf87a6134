/** @file print.c  Prints lines "key=value" from the first world. */
#include <stdio.h>
#include <string.h>

#include "probe.h"

void nereus_probe_print(const struct nereus_probe *probe, const char *key, const char *value)
{
    if (probe->parent == MPI_COMM_NULL && probe->rank == 0) {
        printf("%s=%s\n", key, value);
        fflush(stdout);
    }
}

void nereus_probe_print_number(const struct nereus_probe *probe, const char *key, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    nereus_probe_print(probe, key, text);
}

void nereus_probe_print_error(const struct nereus_probe *probe, const char *key, int mpi_status)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(mpi_status, text, &length);
    text[strcspn(text, "\n")] = 0;
    nereus_probe_print(probe, key, text);
}
