/**
 * @file parameters.h
 * Names the parameters of a function of which only the types are given: NEREUS_TAKES(int, MPI_Comm)
 * is `int p2, MPI_Comm p1`, and NEREUS_GIVES(int, MPI_Comm) `p2, p1`. The last one is p1. Also
 * what the lists of calls share.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"

#define NEREUS_TAKES_1(type)       type p1
#define NEREUS_TAKES_2(type, ...)  type p2, NEREUS_TAKES_1(__VA_ARGS__)
#define NEREUS_TAKES_3(type, ...)  type p3, NEREUS_TAKES_2(__VA_ARGS__)
#define NEREUS_TAKES_4(type, ...)  type p4, NEREUS_TAKES_3(__VA_ARGS__)
#define NEREUS_TAKES_5(type, ...)  type p5, NEREUS_TAKES_4(__VA_ARGS__)
#define NEREUS_TAKES_6(type, ...)  type p6, NEREUS_TAKES_5(__VA_ARGS__)
#define NEREUS_TAKES_7(type, ...)  type p7, NEREUS_TAKES_6(__VA_ARGS__)
#define NEREUS_TAKES_8(type, ...)  type p8, NEREUS_TAKES_7(__VA_ARGS__)
#define NEREUS_TAKES_9(type, ...)  type p9, NEREUS_TAKES_8(__VA_ARGS__)
#define NEREUS_TAKES_10(type, ...) type p10, NEREUS_TAKES_9(__VA_ARGS__)
#define NEREUS_TAKES_11(type, ...) type p11, NEREUS_TAKES_10(__VA_ARGS__)
#define NEREUS_TAKES_12(type, ...) type p12, NEREUS_TAKES_11(__VA_ARGS__)
#define NEREUS_TAKES_13(type, ...) type p13, NEREUS_TAKES_12(__VA_ARGS__)

#define NEREUS_GIVES_1  p1
#define NEREUS_GIVES_2  p2, NEREUS_GIVES_1
#define NEREUS_GIVES_3  p3, NEREUS_GIVES_2
#define NEREUS_GIVES_4  p4, NEREUS_GIVES_3
#define NEREUS_GIVES_5  p5, NEREUS_GIVES_4
#define NEREUS_GIVES_6  p6, NEREUS_GIVES_5
#define NEREUS_GIVES_7  p7, NEREUS_GIVES_6
#define NEREUS_GIVES_8  p8, NEREUS_GIVES_7
#define NEREUS_GIVES_9  p9, NEREUS_GIVES_8
#define NEREUS_GIVES_10 p10, NEREUS_GIVES_9
#define NEREUS_GIVES_11 p11, NEREUS_GIVES_10
#define NEREUS_GIVES_12 p12, NEREUS_GIVES_11
#define NEREUS_GIVES_13 p13, NEREUS_GIVES_12

/** word, with the number of the other arguments. */
#define NEREUS_PICK(m13, m12, m11, m10, m9, m8, m7, m6, m5, m4, m3, m2, m1, picked, ...) picked

#define NEREUS_COUNTED(word, ...)                                                                  \
    NEREUS_PICK(__VA_ARGS__, word##13, word##12, word##11, word##10, word##9, word##8, word##7,    \
                word##6, word##5, word##4, word##3, word##2, word##1, )

#define NEREUS_TAKES(...) NEREUS_COUNTED(NEREUS_TAKES_, __VA_ARGS__)(__VA_ARGS__)
#define NEREUS_GIVES(...) NEREUS_COUNTED(NEREUS_GIVES_, __VA_ARGS__)

/** The members of a list in parentheses. */
#define NEREUS_LIST(...) __VA_ARGS__
/** Calls that MPI has since version 4. */
#if MPI_VERSION >= 4
#define NEREUS_IN_MPI_4(...) __VA_ARGS__
#else
#define NEREUS_IN_MPI_4(...)
#endif
