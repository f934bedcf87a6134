/** @file events.c  Collects lines of JSON in memory until they are appended to the file. */
#include "events.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keys.h"
#include "model/util/file.h"
#include "model/util/json_make.h"
#include "model/util/text.h"

bool sam_events_are_wanted(const char *path)
{
    return path && nereus_text_has_ending(path, ".jsonl");
}

const char *sam_events_find_trace(const struct sam_config *config, const char *results)
{
    const char *environment = getenv("NEREUS_TRACE");
    if (config->trace[0])
        return config->trace;
    if (environment && environment[0])
        return environment;
    return sam_events_are_wanted(results) ? results : NULL;
}

static void append_event(struct sam_events *events, json_t *line)
{
    if (!events->stream)
        events->stream = open_memstream(&events->text, &events->bytes);
    char *text = nereus_json_line(line);
    if (events->stream && text)
        fputs(text, events->stream);
    free(text);
}

static json_t *make_stage_names(const struct sam_config *config)
{
    json_t *names = json_array();
    for (int64_t i = 0; i < config->stage_count; i++) {
        json_array_append_new(
            names, nereus_json_text(sam_choice_name(SAM_KEY_STAGE_TYPE, config->stages[i].type)));
    }
    return names;
}

enum nereus_status sam_events_begin(const char *path, const char *file,
                                    const struct sam_config *config, struct nereus_error *err)
{
    struct sam_events events = {NULL, 0, NULL};
    if (unlink(path) != 0 && errno != ENOENT) {
        return nereus_fail(err, NEREUS_ERR_IO, "%.300s: the results cannot be written there: %s",
                           path, strerror(errno));
    }
    append_event(&events,
                 nereus_json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "event", "run", "configuration",
                                  file, "groups", (json_int_t)config->group_count, "constant_bytes",
                                  (json_int_t)config->constant_bytes, "variable_bytes",
                                  (json_int_t)config->variable_bytes, "stages",
                                  make_stage_names(config)));
    return sam_events_append(&events, path, err);
}

void sam_events_add_iteration(struct sam_events *events, const struct sam_iteration *iteration)
{
    append_event(events, nereus_json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:b}", "event",
                                          "iteration", "group", (json_int_t)iteration->group,
                                          "iteration", (json_int_t)iteration->iteration,
                                          "processes", (json_int_t)iteration->processes, "nodes",
                                          (json_int_t)iteration->nodes, "start_s",
                                          iteration->start_s, "time_s", iteration->time_s,
                                          "overlapped", iteration->overlapped));
}

void sam_events_add_stage(struct sam_events *events, const struct sam_iteration *iteration,
                          int64_t stage, int64_t type, double time_s)
{
    append_event(events, nereus_json_pack(
                             "{s:s, s:I, s:I, s:I, s:s, s:f}", "event", "stage", "group",
                             (json_int_t)iteration->group, "iteration",
                             (json_int_t)iteration->iteration, "stage", (json_int_t)stage, "kind",
                             sam_choice_name(SAM_KEY_STAGE_TYPE, type), "time_s", time_s));
}

void sam_events_add_change(struct sam_events *events, const struct sam_config *config,
                           const struct sam_record *records, int64_t group, double start_s)
{
    const struct sam_record *r = &records[group];
    const bool overlapped = r->overlap_iterations > 0;
    append_event(
        events,
        nereus_json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:s*, s:f, s:f, s:I, s:I, s:I, s:o*, s:b}",
            "event", "change", "reconfiguration", (json_int_t)group, "ns",
            (json_int_t)records[group - 1].processes, "nt",
            (json_int_t)config->groups[group].processes, "nodes", (json_int_t)r->nodes, "method",
            config->groups[group].method, "outcome", sam_outcome_name(r->outcome), "sentence",
            r->reason[0] ? r->reason : NULL, "start_s", start_s, "time_s", r->reconfiguration_s,
            "constant_bytes", (json_int_t)config->constant_bytes, "variable_bytes",
            (json_int_t)config->variable_bytes, "iterations", (json_int_t)r->overlap_iterations,
            "overlap_mean_s", overlapped ? nereus_json_real(r->overlap_mean_s) : NULL,
            "oversubscribed", (int)r->oversubscribed));
}

/* One write for all lines: a leaving and a new rank 0 may append at the same time. */
enum nereus_status sam_events_append(struct sam_events *events, const char *path,
                                     struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    const bool whole = events->stream && !ferror(events->stream) && fflush(events->stream) == 0;
    if (events->stream && !whole) {
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the results");
    } else if (events->stream && !nereus_file_append(path, events->text, events->bytes)) {
        status = nereus_fail(err, NEREUS_ERR_IO, "%.300s: the results cannot be written there: %s",
                             path, strerror(errno));
    }
    sam_events_fini(events);
    return status;
}

void sam_events_fini(struct sam_events *events)
{
    if (events->stream)
        fclose(events->stream);
    free(events->text);
    *events = (struct sam_events){NULL, 0, NULL};
}
