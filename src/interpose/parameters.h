/**
 * @file parameters.h
 * Parameters of a function of which only the types are given: TAKES(int, MPI_Comm) is
 * `int p2, MPI_Comm p1`, and GIVES(int, MPI_Comm) `p2, p1`. The last one is p1.
 */
#pragma once

#define TAKES_1(type)       type p1
#define TAKES_2(type, ...)  type p2, TAKES_1(__VA_ARGS__)
#define TAKES_3(type, ...)  type p3, TAKES_2(__VA_ARGS__)
#define TAKES_4(type, ...)  type p4, TAKES_3(__VA_ARGS__)
#define TAKES_5(type, ...)  type p5, TAKES_4(__VA_ARGS__)
#define TAKES_6(type, ...)  type p6, TAKES_5(__VA_ARGS__)
#define TAKES_7(type, ...)  type p7, TAKES_6(__VA_ARGS__)
#define TAKES_8(type, ...)  type p8, TAKES_7(__VA_ARGS__)
#define TAKES_9(type, ...)  type p9, TAKES_8(__VA_ARGS__)
#define TAKES_10(type, ...) type p10, TAKES_9(__VA_ARGS__)
#define TAKES_11(type, ...) type p11, TAKES_10(__VA_ARGS__)
#define TAKES_12(type, ...) type p12, TAKES_11(__VA_ARGS__)
#define TAKES_13(type, ...) type p13, TAKES_12(__VA_ARGS__)

#define GIVES_1  p1
#define GIVES_2  p2, GIVES_1
#define GIVES_3  p3, GIVES_2
#define GIVES_4  p4, GIVES_3
#define GIVES_5  p5, GIVES_4
#define GIVES_6  p6, GIVES_5
#define GIVES_7  p7, GIVES_6
#define GIVES_8  p8, GIVES_7
#define GIVES_9  p9, GIVES_8
#define GIVES_10 p10, GIVES_9
#define GIVES_11 p11, GIVES_10
#define GIVES_12 p12, GIVES_11
#define GIVES_13 p13, GIVES_12

/** word, with the number of the other arguments. */
#define PICK(m13, m12, m11, m10, m9, m8, m7, m6, m5, m4, m3, m2, m1, picked, ...) picked

#define COUNTED(word, ...)                                                                         \
    PICK(__VA_ARGS__, word##13, word##12, word##11, word##10, word##9, word##8, word##7, word##6,  \
         word##5, word##4, word##3, word##2, word##1, )

#define TAKES(...) COUNTED(TAKES_, __VA_ARGS__)(__VA_ARGS__)
#define GIVES(...) COUNTED(GIVES_, __VA_ARGS__)
