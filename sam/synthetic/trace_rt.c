/* Reads only the events of whole reconfigurations. */
#include "trace_rt.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rt_s of a reconfiguration to nt processes. @return 0: another event */
static int read_line(const char *line, int64_t nt, double *rt_s)
{
    json_t *event = json_loads(line, 0, NULL);
    const char *kind = json_string_value(json_object_get(event, "event"));
    const int found = kind && strcmp(kind, "reconfiguration") == 0;
    if (found) {
        const json_t *value = json_object_get(event, "rt_s");
        const int same = json_integer_value(json_object_get(event, "nt")) == nt;
        *rt_s = same && json_is_number(value) ? json_number_value(value) : NAN;
    }
    json_decref(event);
    return found;
}

double *sam_trace_rt(const struct sam_config *config, const char *path)
{
    FILE *stream = path && path[0] ? fopen(path, "r") : NULL;
    double *rt_s = stream ? malloc((size_t)config->group_count * sizeof *rt_s) : NULL;
    if (rt_s) {
        for (int64_t g = 0; g < config->group_count; g++) {
            rt_s[g] = NAN;
        }
        char *line = NULL;
        size_t room = 0;
        int64_t group = 1;
        while (group < config->group_count && getline(&line, &room, stream) >= 0) {
            group += read_line(line, config->groups[group].processes, &rt_s[group]);
        }
        free(line);
    }
    if (stream) {
        fclose(stream);
    }
    return rt_s;
}
