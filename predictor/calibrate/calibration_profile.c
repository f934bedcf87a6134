/** @file calibration_profile.c  Fits the profile of a calibration, writes and installs it. */

#include "calibration.h"
#include "model/util/file.h"
#include "predictor/cli/command.h"

/* Read provenance from the samples file, so that `nereus profile fit` gives the same profile later.
 * Rows before the first provenance line are from this machine, too. */
static enum nereus_status describe_profile(struct nereus_calibration *calibration,
                                           const struct nereus_provenances *provenances,
                                           struct nereus_profile *profile, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    const struct nereus_provenance *told =
        nereus_provenances_find(provenances, calibration->cluster);
    if (told == NULL || !nereus_provenance_same_but_date(told, &calibration->provenance)) {
        status = nereus_sample_store_write_provenance(&calibration->store, err);
        told = &calibration->provenance;
    }
    nereus_provenance_describe(told, profile);
    nereus_profile_set_campaign(profile);
    return status;
}

static void install_profile(struct nereus_calibration *calibration,
                            const struct nereus_profile *profile)
{
    struct nereus_error err;
    if (calibration->installed[0] != '\0' &&
        !nereus_file_is_same(calibration->installed, calibration->output) &&
        nereus_profile_write(calibration->installed, profile, &err) != NEREUS_OK) {
        nereus_cli_note("the profile is not installed: %s", err.text);
        calibration->installed[0] = '\0';
    }
}

/* Fit all rows of the file, earlier ones too.
 * @param complete  install the profile, because the calibration was not interrupted */
enum nereus_status nereus_calibration_write_profile(struct nereus_calibration *calibration,
                                                    bool complete, int64_t *rows,
                                                    struct nereus_error *err)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_provenances provenances = {0};
    struct nereus_profile profile;
    memset(&profile, 0, sizeof profile);
    enum nereus_status status = nereus_samples_read_provenance(calibration->samples_path, false,
                                                               &samples, &provenances, err);
    if (status == NEREUS_OK) {
        *rows = samples.count;
        status = nereus_profile_fit(&samples, calibration->cluster, &profile, err);
    }
    if (status == NEREUS_OK)
        status = describe_profile(calibration, &provenances, &profile, err);
    if (status == NEREUS_OK)
        status = nereus_profile_write(calibration->output, &profile, err);
    if (status == NEREUS_OK)
        calibration->has_restart = nereus_restart_costs_find(&profile, &calibration->restart);
    if (status == NEREUS_OK && complete)
        install_profile(calibration, &profile);
    nereus_profile_fini(&profile);
    nereus_provenances_fini(&provenances);
    nereus_samples_fini(&samples);
    return status;
}
