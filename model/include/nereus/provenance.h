/**
 * @file provenance.h
 * Describes the provenance of samples: where, when and with what they were measured. `nereus
 * calibrate` writes it as a comment before its rows: "# nereus calibrate: {"cluster": "...",
 * "nodes": 1, ...}". Its key "hostfile" (relative to the samples' folder) names the nodes of later
 * rows that leave cores_per_node empty.
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

/** Where and how samples were measured. Empty texts and 0 mean unknown. */
struct nereus_provenance {
    char cluster[64];
    char host[128];
    char date[32]; /**< ISO 8601 */
    char mpi[256];
    char launcher[128];
    char machine_kind[24];
    int64_t cores_per_node, nodes;
    double processors;  /**< cores that a control group allowed; 0: all */
    char hostfile[256]; /**< host file of unequal nodes */
};

struct nereus_provenance_nodes {
    char *path;
    struct nereus_machine machine;
};

/** Provenance of one or more files, and the unequal nodes that rows point to: keep it as long as
 * the samples. Zeroed: empty. */
struct nereus_provenances {
    struct nereus_provenance *items; /**< owned */
    int64_t count;
    /** host file of rows that name no nodes, the caller's; NULL: as their provenance says */
    const char *hostfile;
    struct nereus_provenance_nodes **nodes; /**< owned */
    int64_t node_lists;
};

/** Free all. Samples that were read with it must not be used afterwards. */
void nereus_provenances_fini(struct nereus_provenances *provenances);

/**
 * Set cores_per_node, and machine if nodes are unequal, of a row without them.
 * @param[in,out] provenances   owns the nodes that were read
 * @param[in]     hostfile  host file of the row, relative to the folder of samples_path; "": none
 * @param[in,out] row       cores_per_node, machine
 * @return NEREUS_ERR_PARSE if nothing names the nodes, or they have too few cores for the row
 */
enum nereus_status nereus_provenances_set_nodes(struct nereus_provenances *provenances,
                                                const char *samples_path, const char *hostfile,
                                                struct nereus_sample *row,
                                                struct nereus_error *err);

/** The last provenance of a cluster, which applies to its rows; NULL: none. */
const struct nereus_provenance *nereus_provenances_find(const struct nereus_provenances *all,
                                                        const char *cluster);

/** Are all members but the date equal? */
bool nereus_provenance_same_but_date(const struct nereus_provenance *a,
                                     const struct nereus_provenance *b);

/**
 * Copy known values into a profile; unknown values are not copied.
 * @param[in,out] profile  texts and numbers of its head
 */
void nereus_provenance_describe(const struct nereus_provenance *provenance,
                                struct nereus_profile *profile);

/** The provenance as a comment line without newline; to be freed. NULL: no memory. */
char *nereus_provenance_line(const struct nereus_provenance *provenance);

/**
 * Parse a comment, from its '#' on. Comments that nereus_provenance_line has not made are ignored,
 * and so are unknown keys.
 * @param[in,out] provenances  one provenance is appended
 * @return NEREUS_ERR_PARSE if such a line is broken
 */
enum nereus_status nereus_provenances_parse(const char *path, int64_t line, const char *comment,
                                            size_t length, struct nereus_provenances *provenances,
                                            struct nereus_error *err);

/**
 * nereus_samples_read that appends the provenance of the rows; after a failure some may have been
 * appended.
 * @param[in,out] samples  rows are appended
 * @param[in,out] provenances  provenances are appended
 * @return as nereus_samples_read
 */
enum nereus_status nereus_samples_read_provenance(const char *path, bool tolerate_cut,
                                                  struct nereus_samples *samples,
                                                  struct nereus_provenances *provenances,
                                                  struct nereus_error *err);

NEREUS_END_C
#endif
