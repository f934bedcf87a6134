/** @file settings_checkpoint.c  Sets folder and interval of checkpoints. */

#include "model/util/home.h"
#include "model/util/values.h"
#include "settings.h"
#include "src/util/clock.h"
#include "src/util/option_value.h"

/* An overlapped checkpoint stops the application for a shorter time
 * (docs/results/checkpoint.md). */
enum { OVERLAP_BY_DEFAULT = true };

/* NEREUS_CHECKPOINT_EVERY is a duration, or auto together with NEREUS_MTBF. */
static enum nereus_status set_interval(const char *text, struct checkpoint_interval *interval,
                                       struct nereus_error *err)
{
    const char *mtbf = nereus_option_find(NULL, "NEREUS_MTBF");
    if (text == NULL && interval->every_s >= 0)
        return NEREUS_OK;
    interval->automatic = text == NULL || strcmp(text, "auto") == 0;
    if (!interval->automatic)
        return nereus_value_parse_seconds("NEREUS_CHECKPOINT_EVERY", text, &interval->every_s, err);
    interval->every_s = 0;
    if (mtbf == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the interval between checkpoints is auto, which needs the mean time "
                           "between failures of the job: NEREUS_MTBF, as in 6h");
    return nereus_value_parse_seconds("NEREUS_MTBF", mtbf, &interval->mtbf_s, err);
}

static enum nereus_status set_overlap(struct checkpoint_interval *interval,
                                      struct nereus_error *err)
{
    static const char *const switches[] = {"on", "off", NULL};
    int off;
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_CHECKPOINT_OVERLAP", switches, !OVERLAP_BY_DEFAULT,
                                  &off, err));
    interval->overlapped = off == 0;
    return NEREUS_OK;
}

enum nereus_status nereus_settings_read_checkpoints(nereus_job *job,
                                                    const struct nereus_options *options,
                                                    struct nereus_error *err)
{
    struct job_settings *settings = &job->settings;
    const char *folder = nereus_option_find(options->checkpoint, "NEREUS_CHECKPOINT"),
               *every = options->checkpoint_every_s != 0
                            ? NULL
                            : nereus_option_find(NULL, "NEREUS_CHECKPOINT_EVERY");
    if (folder == NULL && every != NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_CHECKPOINT_EVERY is '%.100s', and there is no folder for "
                           "checkpoints (NEREUS_CHECKPOINT)",
                           every);
    if (folder == NULL)
        return NEREUS_OK;
    settings->checkpoint_folder = nereus_absolute_path(folder);
    NEREUS_TRY_MEMORY(settings->checkpoint_folder, err, "for the options");
    settings->checkpoint.every_s = options->checkpoint_every_s;
    NEREUS_TRY(set_interval(every, &settings->checkpoint, err));
    NEREUS_TRY(set_overlap(&settings->checkpoint, err));
    /* 0: the first checkpoint is due at once, to measure its cost */
    settings->checkpoint.last_s = settings->checkpoint.automatic ? 0 : nereus_steady_clock_s();
    return NEREUS_OK;
}
