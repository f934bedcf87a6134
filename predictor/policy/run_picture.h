/** @file run_picture.h  A modelled run as a picture: processes by class, work and power, times. */
#ifndef NEREUS_POLICY_RUN_PICTURE_H
#define NEREUS_POLICY_RUN_PICTURE_H

#include "model/policy/modelled_run.h"
#include "predictor/picture/picture.h"

/** @return as nereus_picture_write */
enum nereus_status nereus_modelled_run_draw(const struct nereus_modelled_question *question,
                                            const struct nereus_modelled_run *run,
                                            const struct nereus_picture_settings *settings,
                                            struct nereus_error *err);

#endif
