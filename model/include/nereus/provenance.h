/**
 * @file provenance.h
 * Provenance of samples: where, when and with what they were measured. `nereus calibrate` writes it
 * as a comment before the rows that it appends: "# nereus calibrate: {"cluster": "...", "nodes": 1,
 * ...}". Without it the number of nodes of a profile is unknown. With a key "hostfile" (relative to
 * the samples' folder) it names the nodes of the rows behind it that leave cores_per_node empty.
 */
#ifndef NEREUS_PROVENANCE_H
#define NEREUS_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "profile.h"
#include "samples.h"
#include "status.h"

NEREUS_BEGIN_C

/** Empty texts and 0: unknown. */
struct nereus_provenance {
    char cluster[64]; /**< of the rows that it is about */
    char host[128];
    char date[32]; /**< ISO 8601 */
    char mpi[256];
    char launcher[128];
    char machine_kind[24]; /**< as of a profile */
    int64_t cores_per_node, nodes;
    double processors;  /**< cores' time that a control group allowed on the host; 0: all of them */
    char hostfile[256]; /**< of unequal nodes, as written */
};

/** A host file that rows were placed by. */
struct nereus_provenance_nodes {
    char *path;
    struct nereus_machine machine;
};

/**
 * Those of one or more files, in their order, and the unequal nodes that rows point to: keep it as
 * long as the samples. A zeroed one is empty.
 */
struct nereus_provenances {
    struct nereus_provenance *items; /**< owned */
    int64_t count;
    /** [in] host file of rows that leave cores_per_node and `hostfile` empty, the caller's; NULL:
     * as their provenance says */
    const char *hostfile;
    struct nereus_provenance_nodes **nodes; /**< owned */
    int64_t node_lists;                     /**< number of them */
};

/** Free what it owns and empty it; samples that were read with it must not be used any more. */
void nereus_provenances_fini(struct nereus_provenances *origins);

/**
 * Place a row that has no cores_per_node: its nodes are those of a host file.
 * @param[in]     samples_path  of the row's file
 * @param[in]     hostfile      the row's own, relative to that file's folder; "": none
 * @param[in,out] row           cores_per_node, and machine where the nodes are unequal
 * @return NEREUS_ERR_PARSE if nothing names the nodes, or they have fewer cores than a row that is
 *    not oversubscribed has processes; the errors of nereus_machine_from_file; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_provenances_place(struct nereus_provenances *origins,
                                            const char *samples_path, const char *hostfile,
                                            struct nereus_sample *row, struct nereus_error *err);

/** The last one of a cluster, which holds for its rows; NULL: none. */
const struct nereus_provenance *nereus_provenances_of(const struct nereus_provenances *origins,
                                                      const char *cluster);

/** Equal but for the date? */
bool nereus_provenance_same_but_date(const struct nereus_provenance *a,
                                     const struct nereus_provenance *b);

/** Copy what is known into a profile that was fitted to such samples; unknown values leave it
 * unchanged. */
void nereus_provenance_describe(const struct nereus_provenance *origin,
                                struct nereus_profile *profile);

/** The line of a samples file, without newline; to be freed with free. NULL without memory. */
char *nereus_provenance_line(const struct nereus_provenance *origin);

/**
 * Parse a comment.
 * @param[in]     path, line  for the sentence
 * @param[in]     comment     from its '#' on, of `length` characters
 * @param[in,out] origins     one more, if the comment is a line of nereus_provenance_line; other
 *    comments, and unknown keys, are ignored
 * @return NEREUS_ERR_PARSE where such a line is broken; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_provenances_parse(const char *path, int64_t line, const char *comment,
                                            size_t length, struct nereus_provenances *origins,
                                            struct nereus_error *err);

/**
 * nereus_samples_read, with the provenance of the rows.
 * @param[in,out] origins  the file's are appended; after a failure some may have been
 */
enum nereus_status nereus_samples_read_provenance(const char *path, bool tolerate_cut,
                                                  struct nereus_samples *samples,
                                                  struct nereus_provenances *origins,
                                                  struct nereus_error *err);

NEREUS_END_C
#endif
