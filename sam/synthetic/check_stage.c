/** @file check_stage.c  Checks of a stage: does it have what its type needs? */
#include <stdlib.h>

#include "check.h"
#include "messages.h"
#include "model/util/try.h"

/* The line of a key in a section, or of its header. */
static int get_line(int key_line, int header)
{
    return key_line ? key_line : header;
}

static enum nereus_status check_computation(const struct sam_check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (!(stage->time_s > 0)) {
        return sam_check_fail(c, get_line(line[SAM_KEY_STAGE_TIME], c->lines->stage_header[i]),
                              "[stage%d] computes (%s): time_s %s", i, name,
                              line[SAM_KEY_STAGE_TIME] ? "must be above 0" : "is missing");
    }
    if (line[SAM_KEY_STAGE_BYTES] && stage->bytes > 0)
        sam_check_note(c, line[SAM_KEY_STAGE_BYTES],
                       "Stage_Bytes has no effect on a stage that computes");
    return NEREUS_OK;
}

/* Can Stage_Time replace Stage_Bytes? All processes then find together how many bytes a call moves
 * in that time, so the stage must be a whole call, not a part of an exchange or of a file. */
static bool can_be_timed(int64_t type)
{
    return type != SAM_NONBLOCKING && type != SAM_WRITE && type != SAM_READ;
}

/* Check a stage whose calls are repeated until its time is over. */
static enum nereus_status check_capped(const struct sam_check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (stage->type == SAM_NONBLOCKING || stage->type == SAM_WAIT) {
        return sam_check_fail(
            c, line[SAM_KEY_STAGE_CAPPED],
            "[stage%d] is a part of an exchange (%s), which cannot be repeated: leave "
            "Stage_Time_Capped out",
            i, name);
    }
    return stage->time_s > 0
               ? NEREUS_OK
               : sam_check_fail(
                     c, get_line(line[SAM_KEY_STAGE_TIME], c->lines->stage_header[i]),
                     "[stage%d] ends after its time (Stage_Time_Capped): Stage_Time must be "
                     "above 0",
                     i);
}

static enum nereus_status check_messages_of_size(const struct sam_check *c, int i,
                                                 int64_t processes)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int line = c->lines->stage[i][SAM_KEY_NEIGHBOURS];
    const struct sam_messages_of of = {.stage = i, .processes = processes > 0 ? (int)processes : 1};
    struct nereus_error why;
    struct sam_message *messages = NULL;
    int count = 0;
    if (sam_messages_read(stage->neighbours, of, &messages, &count, &why) != NEREUS_OK)
        return sam_check_fail(c, line, "neighbours %.360s", why.text);
    free(messages);
    return stage->bytes > 0 || count >= 0
               ? NEREUS_OK
               : sam_check_fail(c, line,
                                "[stage%d]: %.160s has no row for %lld processes: give bytes, too",
                                i, stage->neighbours, (long long)processes);
}

/* A file is read, too, so that a mistake in it is found before the job starts. */
static enum nereus_status check_messages(const struct sam_check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int line = c->lines->stage[i][SAM_KEY_NEIGHBOURS];
    if (stage->type != SAM_NEIGHBOURS && stage->type != SAM_NONBLOCKING) {
        return sam_check_fail(c, line,
                              "[stage%d] (%s): neighbours is for stages neighbours and nonblocking",
                              i, name);
    }
    for (int g = 0; g < c->config->group_count; g++)
        NEREUS_TRY(check_messages_of_size(c, i, c->config->groups[g].processes));
    return NEREUS_OK;
}

static enum nereus_status check_communication(const struct sam_check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    const int header = c->lines->stage_header[i];
    if (stage->capped)
        return check_capped(c, i, name);
    if (stage->type == SAM_BARRIER || stage->type == SAM_WAIT) {
        if (stage->bytes > 0)
            sam_check_note(c, line[SAM_KEY_STAGE_BYTES],
                           "Stage_Bytes has no effect on barrier and wait");
        return NEREUS_OK;
    }
    if (stage->neighbours[0] != '\0')
        return check_messages(c, i, name);
    if (stage->bytes < 1 && !(stage->time_s > 0 && can_be_timed(stage->type))) {
        return sam_check_fail(c, get_line(line[SAM_KEY_STAGE_BYTES], header),
                              "[stage%d] communicates (%s): Stage_Bytes must be 1 or more%s", i,
                              name, can_be_timed(stage->type) ? ", or Stage_Time above 0" : "");
    }
    if (stage->bytes > 0 && line[SAM_KEY_STAGE_TIME] && stage->time_s > 0) {
        sam_check_note(c, line[SAM_KEY_STAGE_TIME],
                       "Stage_Time has no effect here: Stage_Bytes says what is communicated");
    }
    return NEREUS_OK;
}

static bool is_collective(int64_t type)
{
    return type == SAM_BROADCAST || type == SAM_ALLGATHER || type == SAM_REDUCE ||
           type == SAM_ALLREDUCE || type == SAM_BARRIER || type == SAM_ALLTOALL ||
           type == SAM_SCATTER || type == SAM_GATHER;
}

static bool has_root(int64_t type)
{
    return type == SAM_BROADCAST || type == SAM_REDUCE || type == SAM_SCATTER || type == SAM_GATHER;
}

static enum nereus_status check_shares(const struct sam_check *c, int line, const char *key,
                                       const char *text, struct sam_shares *shares)
{
    struct nereus_error why;
    return sam_shares_parse(text, shares, &why) == NEREUS_OK
               ? NEREUS_OK
               : sam_check_fail(c, line, "%s %.300s", key, why.text);
}

enum nereus_status sam_check_stage(const struct sam_check *c, int i)
{
    struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (!line[SAM_KEY_STAGE_TYPE])
        return sam_check_fail(c, c->lines->stage_header[i], "[stage%d] has no Stage_Type", i);
    const char *name = sam_choice_name(SAM_KEY_STAGE_TYPE, stage->type);
    const bool computes = sam_stage_type_computes(stage->type);
    if (stage->interval_iterations < 1 &&
        (stage->type == SAM_NONBLOCKING || stage->type == SAM_WAIT))
        return sam_check_fail(c, get_line(line[SAM_KEY_EVERY], c->lines->stage_header[i]),
                              "[stage%d] (%s): every must be 1 or more, as its messages are under "
                              "way until the wait",
                              i, name);
    const int unequal = line[SAM_KEY_IMBALANCE] ? line[SAM_KEY_IMBALANCE] : line[SAM_KEY_VARIATION];
    if (unequal && !computes) {
        return sam_check_fail(
            c, unequal,
            "[stage%d] communicates (%s): imbalance and variation are for stages that compute", i,
            name);
    }
    if (line[SAM_KEY_STAGE_PROCESSES] && !is_collective(stage->type))
        return sam_check_fail(c, line[SAM_KEY_STAGE_PROCESSES],
                              "[stage%d] (%s): processes is for collectives", i, name);
    if (line[SAM_KEY_ROOT] && !has_root(stage->type))
        return sam_check_fail(c, line[SAM_KEY_ROOT],
                              "[stage%d] (%s): root is for broadcast, reduce, scatter and gather",
                              i, name);
    enum nereus_status status =
        computes ? check_computation(c, i, name) : check_communication(c, i, name);
    if (status == NEREUS_OK) {
        status = check_shares(c, line[SAM_KEY_IMBALANCE], "imbalance", stage->imbalance,
                              &stage->by_process);
    }
    if (status == NEREUS_OK) {
        status = check_shares(c, line[SAM_KEY_VARIATION], "variation", stage->variation,
                              &stage->by_iteration);
    }
    return status == NEREUS_OK && stage->by_iteration.tables > 1
               ? sam_check_fail(c, line[SAM_KEY_VARIATION],
                                "variation must be one table: several are for numbers of processes")
               : status;
}
