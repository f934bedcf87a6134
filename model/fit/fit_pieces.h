/**
 * @file fit_pieces.h
 * Fits the Hockney pieces of one class of messages or operations. Private to model/.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

/** Fit the pieces of one class to its rows, which this function sorts. count >= 1 */
enum nereus_status nereus_fit_hockney(const struct nereus_sample **rows, size_t count,
                                      struct nereus_hockney *pair, struct nereus_error *err);
