/**
 * @file config.c
 * Reads a configuration (defaults, then the file, then the checks), and derives values from it.
 */
#include "config.h"

#include "check.h"

struct reading {
    struct sam_config *config;
    struct sam_lines *lines;
};

static enum nereus_status begin_section(void *user, const struct nereus_ini_header *header,
                                        struct nereus_ini_storage *storage,
                                        struct nereus_error *err)
{
    const struct reading *r = user;
    int *line = NULL;
    (void)err;
    if (header->section == SAM_GENERAL) {
        *storage = (struct nereus_ini_storage){r->config, r->lines->general};
    } else if (header->section == SAM_STAGE) {
        line = &r->lines->stage_header[header->index];
        *storage = (struct nereus_ini_storage){&r->config->stages[header->index],
                                               r->lines->stage[header->index]};
    } else {
        line = &r->lines->group_header[header->index];
        *storage = (struct nereus_ini_storage){&r->config->groups[header->index],
                                               r->lines->group[header->index]};
    }
    if (line != NULL)
        *line = header->line;
    return NEREUS_OK;
}

static enum nereus_status check_all(const struct sam_check *c)
{
    enum nereus_status status = sam_check_counts(c);
    if (status == NEREUS_OK)
        status = sam_check_phases(c);
    for (int i = 0; status == NEREUS_OK && i < c->config->stage_count; i++)
        status = sam_check_stage(c, i);
    for (int i = 0; status == NEREUS_OK && i < c->config->group_count; i++)
        status = sam_check_group(c, i);
    return status == NEREUS_OK ? sam_check_bytes(c) : status;
}

static void set_defaults(struct sam_config *config)
{
    nereus_ini_keys_set_defaults(&sam_table, SAM_GENERAL, config);
    for (int i = 0; i < SAM_STAGES_MAX; i++)
        nereus_ini_keys_set_defaults(&sam_table, SAM_STAGE, &config->stages[i]);
    for (int i = 0; i < SAM_GROUPS_MAX; i++)
        nereus_ini_keys_set_defaults(&sam_table, SAM_GROUP, &config->groups[i]);
}

enum nereus_status sam_config_parse(const char *file, const char *text, struct sam_config *config,
                                    struct nereus_error *err)
{
    /* Heap: both are too large for the stack. */
    struct sam_config *read = calloc(1, sizeof *read);
    struct sam_lines *lines = calloc(1, sizeof *lines);
    enum nereus_status status = NEREUS_ERR_MEMORY;
    if (read && lines) {
        set_defaults(read);
        status = nereus_ini_keys_read(file, text, &sam_table, begin_section,
                                      &(struct reading){read, lines}, err);
        if (status == NEREUS_OK)
            status = check_all(&(struct sam_check){file, read, lines, err});
        if (status == NEREUS_OK)
            *config = *read;
    } else {
        nereus_fail(err, status, "%.200s: no memory to read it", file);
    }
    free(read);
    free(lines);
    return status;
}

int64_t sam_config_find_phase(const struct sam_config *config, int64_t iteration)
{
    int64_t phase = 0;
    while (phase + 1 < config->phase_count && iteration >= config->phase_ends[phase])
        phase++;
    return phase;
}

int64_t sam_config_first_iteration(const struct sam_config *config, int64_t group)
{
    int64_t first = 0;
    for (int64_t i = 0; i < group; i++)
        first += config->groups[i].iterations;
    return first;
}

const char *sam_config_law(const struct sam_config *config)
{
    char *end;
    for (int64_t i = 0; i < config->group_count; i++)
        if (config->groups[i].scaling[0] != '\0')
            return NULL;
    if (config->scaling[0] == '\0')
        return "ideal";
    nereus_strtod(config->scaling, &end);
    return *end == '\0' ? NULL : config->scaling;
}

int64_t sam_config_find_group(const struct sam_config *config, int64_t iteration)
{
    int64_t group = 0, end = config->groups[0].iterations;
    while (group + 1 < config->group_count && iteration >= end) {
        group++;
        end += config->groups[group].iterations;
    }
    return group;
}

double sam_config_factor(const struct sam_config *config, int64_t group, int64_t processes)
{
    const struct sam_group *requested = &config->groups[group];
    const char *text = requested->scaling[0] != '\0' ? requested->scaling : config->scaling;
    double factor;
    return processes != requested->processes &&
                   sam_factor_parse(text, processes, &factor, NULL) == NEREUS_OK
               ? factor
               : requested->factor;
}

int64_t sam_config_times(const struct sam_stage *stage, int64_t iteration)
{
    /* a product that is rounded must not be just below a whole number of times */
    const double almost = 1e-9;
    return (int64_t)(floor((double)(iteration + 1) / stage->interval_iterations + almost) -
                     floor((double)iteration / stage->interval_iterations + almost));
}

int64_t sam_config_operations(const struct sam_stage *stage, double factor, double t_op_s)
{
    double operations = round(stage->time_s * factor / t_op_s);
    if (!(operations >= 1))
        return 1;
    return operations < 9e18 ? (int64_t)operations : INT64_MAX;
}
