/** @file run_print.h  A modelled run for people, as CSV by interval, and as JSON. */
#ifndef NEREUS_POLICY_RUN_PRINT_H
#define NEREUS_POLICY_RUN_PRINT_H

#include "model/policy/modelled_run.h"
#include "predictor/cli/output.h"

/** @return false: it could not be written */
bool nereus_modelled_run_print(const struct nereus_modelled_question *question,
                               const struct nereus_modelled_run *run, enum nereus_format format,
                               FILE *stream);

#endif
