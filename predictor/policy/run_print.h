/** @file run_print.h Prints a modelled run as text, CSV (a row per interval), JSON or a picture. */
#pragma once

#include "model/policy/modelled_run.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

/** @return false: it could not be written */
bool nereus_modelled_run_print(const struct nereus_modelled_question *question,
                               const struct nereus_modelled_run *run, enum nereus_format format,
                               FILE *stream);

/** @return as nereus_picture_write */
enum nereus_status nereus_modelled_run_draw(const struct nereus_modelled_question *question,
                                            const struct nereus_modelled_run *run,
                                            const struct nereus_picture_settings *settings,
                                            struct nereus_error *err);
