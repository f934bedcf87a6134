/** @file translate_rank.h  Translates ranks between communicators. */
#pragma once

#include <mpi.h>

#include "error.h"

/** Translate a rank of `from` to the rank of the same process in `to`. */
enum nereus_status nereus_translate_rank(MPI_Comm from, int rank, MPI_Comm to, int *translated,
                                         struct nereus_error *err);
