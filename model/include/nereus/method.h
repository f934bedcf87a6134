/**
 * @file method.h
 * Defines methods: one list of words, one parser, one formatter.
 *
 *     method   := process [ "/" data ] | "restart" [ "/" "file" ]
 *     process  := ("baseline" | "baseline-intra" | "merge")
 *         [ "-" a word of NEREUS_STRATEGY_LIST ]
 *         [ "-async" ]
 *         [ "-" ("ss" | "zs" | "ts") ]
 *     data     := ("p2p" | "coll" | "rma" | "shared")
 *         [ "-" ("waitsources" | "waittargets" | "thread") ]
 *         [ "-" ("weighted" | "keep") ]
 *
 * Formatting a parsed method gives the same text back. All functions are local and thread-safe.
 */
#ifndef NEREUS_METHOD_H
#define NEREUS_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** Each list generates enum and words: X(enumerator, word). An entry with the word "" is the
 * default, which is left out in texts. */
#define NEREUS_PROCESS_LIST(X)                                                                     \
    X(NEREUS_BASELINE, "baseline")             /* NT new processes are spawned, the sources end */ \
    X(NEREUS_BASELINE_INTRA, "baseline-intra") /* as baseline, over one merged communicator */     \
    X(NEREUS_MERGE, "merge") /* sources are reused; only the difference is spawned or removed */   \
    X(NEREUS_RESTART, "restart") /* the sources write their data; NT new processes read it */

/** A strategy is a line here and a file: X(enumerator, name, word) is nereus_strategy_NAME in
 * model/plan/strategies/NAME.c. */
#define NEREUS_STRATEGY_LIST(X)                                                                    \
    X(NEREUS_PLAIN, plain, "")               /* all sources spawn together */                      \
    X(NEREUS_SINGLE, single, "single")       /* rank 0 alone spawns, the others are connected */   \
    X(NEREUS_MULTIPLE, multiple, "multiple") /* one spawn per process or batch */                  \
    X(NEREUS_HYPERCUBE, hypercube, "hypercube") /* a tree: one group per node, equal groups */     \
    X(NEREUS_DIFFUSIVE, diffusive, "diffusive") /* a tree: one group per node, any groups */       \
    X(NEREUS_BINOMIAL, binomial, "binomial")    /* a tree: one group by each world, any groups */  \
    X(NEREUS_LAUNCH, launch, "launch")          /* a world of its own that joins when it is ready */

#define NEREUS_SHRINK_LIST(X)                                                                      \
    X(NEREUS_SHRINK_BY_STATE, "") /* the kind that the job's state calls for */                    \
    X(NEREUS_SS, "ss")            /* spawn shrink: one parallel respawn */                         \
    X(NEREUS_ZS, "zs")            /* zombie shrink: who leaves sleeps */                           \
    X(NEREUS_TS, "ts")            /* termination shrink: whole worlds end */

#define NEREUS_DATA_LIST(X)                                                                        \
    X(NEREUS_P2P, "p2p")       /* point-to-point messages */                                       \
    X(NEREUS_COLL, "coll")     /* collective (alltoallv) */                                        \
    X(NEREUS_RMA, "rma")       /* one-sided */                                                     \
    X(NEREUS_SHARED, "shared") /* copies between processes of one node */                          \
    X(NEREUS_FILE, "file")     /* by way of a checkpoint; with restart only */

#define NEREUS_OVERLAP_LIST(X)                                                                     \
    X(NEREUS_SYNC, "")                   /* the application waits */                               \
    X(NEREUS_WAITSOURCES, "waitsources") /* a source goes on when its sends are done */            \
    X(NEREUS_WAITTARGETS, "waittargets") /* until all targets have received */                     \
    X(NEREUS_THREAD, "thread")           /* an auxiliary thread moves the data */

#define NEREUS_DISTRIBUTION_LIST(X)                                                                \
    X(NEREUS_BLOCK, "")            /* equal blocks */                                              \
    X(NEREUS_WEIGHTED, "weighted") /* blocks by computing power */                                 \
    X(NEREUS_KEEP, "keep")         /* staying processes keep as much as the boundaries allow */

#define NEREUS_ENUMERATOR(e, token) e,
enum nereus_process { NEREUS_PROCESS_LIST(NEREUS_ENUMERATOR) NEREUS_PROCESS_COUNT };
#define NEREUS_STRATEGY_ENUMERATOR(e, name, token) e,
enum nereus_strategy { NEREUS_STRATEGY_LIST(NEREUS_STRATEGY_ENUMERATOR) NEREUS_STRATEGY_COUNT };
#undef NEREUS_STRATEGY_ENUMERATOR
enum nereus_shrink { NEREUS_SHRINK_LIST(NEREUS_ENUMERATOR) NEREUS_SHRINK_COUNT };
enum nereus_data { NEREUS_DATA_LIST(NEREUS_ENUMERATOR) NEREUS_DATA_COUNT };
enum nereus_overlap { NEREUS_OVERLAP_LIST(NEREUS_ENUMERATOR) NEREUS_OVERLAP_COUNT };
enum nereus_distribution { NEREUS_DISTRIBUTION_LIST(NEREUS_ENUMERATOR) NEREUS_DISTRIBUTION_COUNT };
#undef NEREUS_ENUMERATOR

/** A method. Zero-initialised: plain "baseline" without a data part. */
struct nereus_method {
    enum nereus_process process;
    enum nereus_strategy strategy;
    bool async;
    enum nereus_shrink shrink;
    /** false: no "/" part (nereus_method_data) */
    bool has_data;
    enum nereus_data data;
    enum nereus_overlap overlap;
    enum nereus_distribution distribution;
};

enum { NEREUS_METHOD_TEXT_MAX = 96 };

/**
 * Parse a method.
 * @param[out] method  written on success only
 * @return NEREUS_ERR_PARSE: the message names the wrong word, the allowed ones and the nearest
 */
enum nereus_status nereus_method_parse(const char *text, struct nereus_method *method,
                                       struct nereus_error *err);

/**
 * Format a method.
 * @param[out] text  NEREUS_METHOD_TEXT_MAX characters; returned
 */
char *nereus_method_format(const struct nereus_method *method, char *text);

/** Are two methods equal? The data part counts if either has one. */
bool nereus_method_equal(const struct nereus_method *a, const struct nereus_method *b);

/** How the method moves data; without a data part: file with restart, else coll. */
enum nereus_data nereus_method_data(const struct nereus_method *method);

/** Is the method asynchronous, or does its data overlap with the application? */
bool nereus_method_is_overlapped(const struct nereus_method *method);

/** Does this amount of constant data move while the application continues? */
bool nereus_method_overlaps(const struct nereus_method *method, int64_t constant_bytes);

/** The method that is carried out: ss becomes a baseline, by nereus_strategy_for_respawn if it
 * names no strategy. */
struct nereus_method nereus_method_resolve(const struct nereus_method *method);

/** Does the method move data between processes that all stay? Merge to the present size, weighted;
 * any other distribution does nothing. The application waits, even if the method names an overlap.
 */
bool nereus_method_rebalances(const struct nereus_method *method, int64_t ns, int64_t nt);

/**
 * Is the method legal in some direction?
 * @return NEREUS_ERR_ILLEGAL: a paper or MPI rules the combination out; the message names word and
 *         source. NEREUS_ERR_ARGUMENT: a value outside its list
 */
enum nereus_status nereus_method_check(const struct nereus_method *method,
                                       struct nereus_error *err);

/**
 * As nereus_method_check, from ns to nt processes: a shrink kind needs nt < ns, or ns = nt.
 * @return as nereus_method_check; NEREUS_ERR_ILLEGAL: a shrink kind in an expansion
 */
enum nereus_status nereus_method_check_direction(const struct nereus_method *method, int64_t ns,
                                                 int64_t nt, struct nereus_error *err);

NEREUS_END_C
#endif
