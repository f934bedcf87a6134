/** @file facts.c  Facts that MPI reports about itself. */
#include <stdio.h>
#include <string.h>

#include "probe.h"

static void print_library(const struct nereus_probe *probe)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING], standard[32];
    int length, version, subversion;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    for (char *c = text; *c; c++)
        if (*c == '\t')
            *c = ' ';
    nereus_probe_print(probe, "library", text);
    MPI_Get_version(&version, &subversion);
    snprintf(standard, sizeof standard, "%d.%d", version, subversion);
    nereus_probe_print(probe, "standard", standard);
}

static void print_thread_level(const struct nereus_probe *probe)
{
    const char *level = "single";
    if (probe->thread_level == MPI_THREAD_MULTIPLE)
        level = "multiple";
    else if (probe->thread_level == MPI_THREAD_SERIALIZED)
        level = "serialized";
    else if (probe->thread_level == MPI_THREAD_FUNNELED)
        level = "funneled";
    nereus_probe_print(probe, "thread_level", level);
}

/* Port names must fit into MPI_MAX_PORT_NAME; MPICH can be told to make longer ones. */
static void print_port(const struct nereus_probe *probe)
{
    char port[4 * MPI_MAX_PORT_NAME];
    MPI_Info info;
    MPI_Info_create(&info);
    nereus_probe_print_number(probe, "port_name_max", MPI_MAX_PORT_NAME);
    memset(port, 0, sizeof port);
    int status = MPI_Open_port(MPI_INFO_NULL, port);
    if (status == MPI_SUCCESS) {
        nereus_probe_print_number(probe, "port_name_length", (double)strlen(port));
        MPI_Close_port(port);
    } else {
        nereus_probe_print_error(probe, "port_error", status);
        char size[16];
        snprintf(size, sizeof size, "%zu", sizeof port);
        MPI_Info_set(info, "port_name_size", size);
        if (MPI_Open_port(info, port) == MPI_SUCCESS) {
            nereus_probe_print_number(probe, "port_name_length_asked", (double)strlen(port));
            MPI_Close_port(port);
        }
    }
    MPI_Info_free(&info);
}

int nereus_probe_facts(struct nereus_probe *probe)
{
    print_library(probe);
    print_thread_level(probe);
    print_port(probe);
    return 0;
}
