/**
 * @file base.h
 * What most files need: headers of ISO C, statuses that are handed on, numbers, texts, arrays that
 * grow. Every private header of model/, src/ (but src/mpi) and predictor/ includes it, or another
 * private header: a file that includes one of these has it, and names none of it (test `rooms`).
 */
#pragma once

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/c_locale.h"
#include "model/util/grow.h"
#include "model/util/text.h"
#include "model/util/try.h"
