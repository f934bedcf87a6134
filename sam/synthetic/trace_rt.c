/** @file trace_rt.c  Reads only the events of whole reconfigurations. */
#include "trace_rt.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/json_make.h"
#include "model/util/text_file.h"

/* Read rt_s of a reconfiguration to nt processes.
 * @return 0: another event */
static int read_event(const char *line, int64_t nt, double *rt_s)
{
    json_t *event = nereus_json_parse(line, strlen(line), 0, NULL);
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

double *sam_trace_read_rt(const struct sam_config *config, const char *path)
{
    struct nereus_text_file file;
    char *line = "";
    if (!path || !path[0] || nereus_text_open(path, "trace", &file, NULL) != NEREUS_OK)
        return NULL;
    file.is_appended_to = true;
    double *rt_s = malloc((size_t)config->group_count * sizeof *rt_s);
    for (int64_t g = 0; rt_s && g < config->group_count; g++)
        rt_s[g] = NAN;
    for (int64_t g = 1; rt_s && line && g < config->group_count;)
        if (nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line)
            g += read_event(line, config->groups[g].processes, &rt_s[g]);
    nereus_text_close(&file);
    return rt_s;
}
