/**
 * @file method.h
 * The vocabulary of methods: one list of tokens, one parser, one printer.
 *
 *     method   := process [ "/" data ]
 *     process  := ("baseline" | "baseline-intra" | "merge")
 *                 [ "-" ("single" | "multiple" | "hypercube" | "diffusive" | "launch") ] [ "-async" ]
 *                 [ "-" ("ss" | "zs" | "ts") ]
 *     data     := ("p2p" | "coll" | "rma" | "shared") [ "-" ("waitsources" | "waittargets" | "thread") ]
 *                 [ "-" ("weighted" | "keep") ]
 *
 * Printing what was parsed gives the same text back.
 */
#ifndef NEREUS_METHOD_H
#define NEREUS_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One list generates enum, names and help: X(enumerator, token, one-line help). The first entry of a
 * list whose token is "" is what "left out" means. */
#define NEREUS_PROCESS_LIST(X)                                                                               \
    X(NEREUS_BASELINE, "baseline", "NT new processes are spawned, the sources end")                          \
    X(NEREUS_BASELINE_INTRA, "baseline-intra", "as baseline, over one merged communicator")                  \
    X(NEREUS_MERGE, "merge", "sources are reused; only the difference is spawned or removed")

#define NEREUS_STRATEGY_LIST(X)                                                                              \
    X(NEREUS_PLAIN, "", "all sources spawn together")                                                        \
    X(NEREUS_SINGLE, "single", "rank 0 alone spawns, the others are connected")                              \
    X(NEREUS_MULTIPLE, "multiple", "one spawn per process or batch")                                         \
    X(NEREUS_HYPERCUBE, "hypercube", "parallel spawning, one group per node, equal groups")                  \
    X(NEREUS_DIFFUSIVE, "diffusive", "parallel spawning, one group per node, any groups")                    \
    X(NEREUS_LAUNCH, "launch", "a world of its own that joins when it is ready")

#define NEREUS_SHRINK_LIST(X)                                                                                \
    X(NEREUS_SHRINK_BY_STATE, "", "the kind that the job's state calls for")                                 \
    X(NEREUS_SS, "ss", "spawn shrink: one parallel respawn")                                                 \
    X(NEREUS_ZS, "zs", "zombie shrink: who leaves sleeps")                                                   \
    X(NEREUS_TS, "ts", "termination shrink: whole worlds end")

#define NEREUS_DATA_LIST(X)                                                                                  \
    X(NEREUS_P2P, "p2p", "point-to-point messages")                                                          \
    X(NEREUS_COLL, "coll", "collective (alltoallv)")                                                         \
    X(NEREUS_RMA, "rma", "one-sided")                                                                        \
    X(NEREUS_SHARED, "shared", "copies between processes of one node")

#define NEREUS_OVERLAP_LIST(X)                                                                               \
    X(NEREUS_SYNC, "", "the application waits")                                                              \
    X(NEREUS_WAITSOURCES, "waitsources", "non-blocking; a source goes on when its sends are done")           \
    X(NEREUS_WAITTARGETS, "waittargets", "non-blocking; until all targets have received")                    \
    X(NEREUS_THREAD, "thread", "an auxiliary thread moves the data")

#define NEREUS_DISTRIBUTION_LIST(X)                                                                          \
    X(NEREUS_BLOCK, "", "equal blocks")                                                                      \
    X(NEREUS_WEIGHTED, "weighted", "blocks by computing power")                                              \
    X(NEREUS_KEEP, "keep", "who stays keeps as much as the boundaries allow")

#define NEREUS_ENUMERATOR(e, token, help) e,
enum nereus_process { NEREUS_PROCESS_LIST(NEREUS_ENUMERATOR) NEREUS_PROCESS_COUNT };
enum nereus_strategy { NEREUS_STRATEGY_LIST(NEREUS_ENUMERATOR) NEREUS_STRATEGY_COUNT };
enum nereus_shrink { NEREUS_SHRINK_LIST(NEREUS_ENUMERATOR) NEREUS_SHRINK_COUNT };
enum nereus_data { NEREUS_DATA_LIST(NEREUS_ENUMERATOR) NEREUS_DATA_COUNT };
enum nereus_overlap { NEREUS_OVERLAP_LIST(NEREUS_ENUMERATOR) NEREUS_OVERLAP_COUNT };
enum nereus_distribution { NEREUS_DISTRIBUTION_LIST(NEREUS_ENUMERATOR) NEREUS_DISTRIBUTION_COUNT };
#undef NEREUS_ENUMERATOR

/** A method. Zero-initialised it is plain "baseline" without a data part. */
struct nereus_method {
    enum nereus_process process;
    enum nereus_strategy strategy;
    bool async;
    enum nereus_shrink shrink;
    bool has_data; /**< false: no "/" part; a sample then has no data term, a command uses coll */
    enum nereus_data data;
    enum nereus_overlap overlap;
    enum nereus_distribution distribution;
};

/** Room for the longest method text with its terminator. */
enum { NEREUS_METHOD_TEXT_MAX = 96 };

/**
 * Parse a whole text as a method.
 * @param[in]  text    zero-terminated, no spaces around it
 * @param[out] method  written on success only
 * @return NEREUS_OK; NEREUS_ERR_PARSE with a sentence that names the offending token, what may stand there, and the
 *         nearest known token when there is one ("did you mean ...")
 */
enum nereus_status nereus_method_parse(const char *text, struct nereus_method *method,
                                       struct nereus_error *err);

/**
 * Print a method in the grammar's canonical order.
 * @param[out] text  at least NEREUS_METHOD_TEXT_MAX characters
 * @return text
 */
char *nereus_method_print(const struct nereus_method *method, char *text);

/** Same method in every part (the data part counts only where both or either has one). */
bool nereus_method_equal(const struct nereus_method *a, const struct nereus_method *b);

/** May anything of it be carried out while the application goes on (async, or an overlap)? */
bool nereus_method_is_beside(const struct nereus_method *method);

/** Does constant data of so many bytes move while the application goes on? */
bool nereus_method_overlaps(const struct nereus_method *method, int64_t constant_bytes);

/** The method that carries another one out: ss is a baseline, started in parallel (diffusive, if no strategy is named). */
static inline struct nereus_method nereus_method_carried_out(const struct nereus_method *method)
{
    struct nereus_method m = *method;
    if (m.process == NEREUS_MERGE && m.shrink == NEREUS_SS) {
        m.process = NEREUS_BASELINE;
        m.shrink = NEREUS_SHRINK_BY_STATE;
        m.strategy = m.strategy == NEREUS_PLAIN ? NEREUS_DIFFUSIVE : m.strategy;
    }
    return m;
}

/**
 * Can the runtime of this version carry the method out? Everything in the grammar parses; what is not built yet is
 * refused here, as such, naming the token.
 * @return NEREUS_OK or NEREUS_ERR_UNSUPPORTED
 */
enum nereus_status nereus_method_check_built(const struct nereus_method *method, struct nereus_error *err);

/** The same for the planner and the predictor, which know more methods than the runtime. */
enum nereus_status nereus_method_check_planned(const struct nereus_method *method, struct nereus_error *err);

/** Both: can it be predicted, and does it make sense from ns to nt processes? */
enum nereus_status nereus_method_check_predicted(const struct nereus_method *method, int64_t ns, int64_t nt,
                                                 struct nereus_error *err);

/**
 * Does the method make sense from ns to nt processes? A shrink kind does not in an expansion; to the present size nothing
 * is refused (merge has nothing to do then, merge-ss respawns all).
 * @return NEREUS_OK or NEREUS_ERR_ILLEGAL
 */
enum nereus_status nereus_method_check_direction(const struct nereus_method *method, int64_t ns, int64_t nt,
                                                 struct nereus_error *err);

#ifdef __cplusplus
}
#endif
#endif
