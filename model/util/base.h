/**
 * @file base.h
 * What most files need: headers of ISO C, statuses that are handed on, numbers, texts, arrays that
 * grow. Private headers include it, so that a file which includes one of these names none of it.
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
