/** @file survival.c  Reads the settings from environment variables and checks them. */
#include "survival.h"

#include <unistd.h>

#include "model/util/values.h"
#include "nereus/checkpoint.h"
#include "src/mpi/process_manager.h"
#include "src/util/option_value.h"

enum { RESTARTS_DEFAULT = 10 };
static const double recovery_default_s = 60;
static const double answer_default_s = 7; /* the default of nereus_options */

/* Processes may run in other folders than nereus-mpiexec. */
static enum nereus_status make_absolute(struct survival *survival, struct nereus_error *err)
{
    char here[PATH_MAX], path[2 * PATH_MAX];
    if (*survival->folder == '/' || getcwd(here, sizeof here) == NULL)
        return NEREUS_OK;
    snprintf(path, sizeof path, "%s/%s", here, survival->folder);
    NEREUS_TRY_MEMORY(setenv("NEREUS_CHECKPOINT", path, 1) == 0, err, "for a path");
    survival->folder = getenv("NEREUS_CHECKPOINT");
    return NEREUS_OK;
}

/* Read the folder. Default for a job that begins from a checkpoint: the folder of that
 * checkpoint. */
static enum nereus_status read_folder(struct survival *survival, struct nereus_error *err)
{
    const char *from = nereus_option_find(NULL, "NEREUS_RESTART");
    survival->folder = nereus_option_find(NULL, "NEREUS_CHECKPOINT");
    survival->is_given = survival->folder != NULL;
    if (survival->is_given)
        return make_absolute(survival, err);
    if (from != NULL) {
        nereus_checkpoint_split_path(from, survival->of_restart);
        survival->folder = survival->of_restart;
    }
    return NEREUS_OK;
}

static enum nereus_status read_recovery(struct survival *survival, struct nereus_error *err)
{
    const struct nereus_process_manager *manager = nereus_process_manager();
    const char *limit = nereus_option_find(NULL, "NEREUS_RECOVERY_TIMEOUT");
    survival->recovery_s = recovery_default_s;
    if (manager->recovery == NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "--on-failure continue (NEREUS_ON_FAILURE) needs Open MPI: %s; "
                           "--on-failure restart works on each MPI",
                           manager->no_recovery);
    return limit == NULL ? NEREUS_OK
                         : nereus_value_parse_seconds("NEREUS_RECOVERY_TIMEOUT", limit,
                                                      &survival->recovery_s, err);
}

static enum nereus_status read_action(struct survival *survival, struct nereus_error *err)
{
    const char *action = nereus_option_find(NULL, "NEREUS_ON_FAILURE");
    const bool continues = action != NULL && strcmp(action, "continue") == 0;
    survival->restarts = continues || (action != NULL && strcmp(action, "restart") == 0);
    if (continues)
        return read_recovery(survival, err);
    if (action != NULL && !survival->restarts && strcmp(action, "end") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--on-failure (NEREUS_ON_FAILURE) must be continue, restart or end, "
                           "not '%s'",
                           action);
    return NEREUS_OK;
}

/* Check the interval by the rules of nereus_init, which would refuse it after the job has
 * started. */
static enum nereus_status check_interval(const char *every, struct nereus_error *err)
{
    const char *mtbf = nereus_option_find(NULL, "NEREUS_MTBF");
    double seconds;
    if (every == NULL)
        return NEREUS_OK;
    if (strcmp(every, "auto") != 0)
        return nereus_value_parse_seconds("the time of --checkpoint (NEREUS_CHECKPOINT_EVERY)",
                                          every, &seconds, err);
    return mtbf != NULL
               ? nereus_value_parse_seconds("NEREUS_MTBF", mtbf, &seconds, err)
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "--checkpoint DIR,auto needs the mean time between failures of the "
                             "job: NEREUS_MTBF, as in 6h");
}

static enum nereus_status read_all(struct survival *survival, struct nereus_error *err)
{
    const char *most = nereus_option_find(NULL, "NEREUS_RESTARTS_MAX"),
               *every = nereus_option_find(NULL, "NEREUS_CHECKPOINT_EVERY"),
               *answer = nereus_option_find(NULL, "NEREUS_ANSWER_TIMEOUT");
    static const char *const switches[] = {"on", "off", NULL}; /* as nereus_init */
    double seconds;
    int overlap;
    *survival = (struct survival){.max_restarts = RESTARTS_DEFAULT, .answer_s = answer_default_s};
    NEREUS_TRY(read_action(survival, err));
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_CHECKPOINT_OVERLAP", switches, 0, &overlap, err));
    if (most != NULL)
        NEREUS_TRY(nereus_value_parse_integer("--restarts (NEREUS_RESTARTS_MAX)", most, 0,
                                              &survival->max_restarts, err));
    NEREUS_TRY(check_interval(every, err));
    survival->is_by_time = every != NULL;
    if (answer != NULL && nereus_value_parse_seconds("", answer, &seconds, NULL) == NEREUS_OK)
        survival->answer_s = seconds; /* an invalid value is refused by nereus_init */
    return read_folder(survival, err);
}

bool survival_read(struct survival *survival, char *sentence, size_t size)
{
    struct nereus_error err = {0};
    if (read_all(survival, &err) == NEREUS_OK)
        return true;
    snprintf(sentence, size, "%s", err.text);
    return false;
}
