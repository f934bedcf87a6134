/** @file data.h  Declares functions that the registrations of all kinds of data share. */
#pragma once

#include "src/job/job.h"
#include "src/util/callback.h"

/** Description of a datum by the application. */
struct nereus_description {
    const char *name;
    MPI_Datatype type;
    int64_t count;  /**< number of elements of `type`; for a matrix, number of rows or columns */
    int64_t across; /**< elements of a row or a column; 0: no matrix */
    enum nereus_data_kind kind;
    enum nereus_data_placement placement;
    enum nereus_data_shape shape;
    int partition; /**< the partition's number in the API */
};

/** Check the length of a name. */
enum nereus_status nereus_check_name(const char *name, struct nereus_error *err);
/** Check a description and convert it to a record entry; a new index space is added. Local. */
enum nereus_status nereus_describe(nereus_job *job, const struct nereus_description *description,
                                   struct nereus_data_entry *entry, struct nereus_error *err);
/** Refuse new data during a reconfiguration, whose data are decided already, and in a process that
 * has not yet registered everything it received: the new name is then probably misspelt. */
enum nereus_status nereus_check_new(const nereus_job *job, const char *name,
                                    struct nereus_error *err);
/** Add a new entry, or claim the received datum of this name. */
enum nereus_status nereus_add_or_claim(nereus_job *job, const struct nereus_data_entry *entry,
                                       bool *received, int64_t *index, struct nereus_error *err);
/** Register dense data, whose local part the library owns. */
enum nereus_status nereus_register_dense(nereus_job *job,
                                         const struct nereus_description *description, int *id);
/** Check the struct of data that the application moves itself (data_custom.c). No mover: nothing is
 * done. */
enum nereus_status nereus_check_mover(const struct nereus_mover *mover, struct nereus_error *err);
/** Register the entry of the data that the application moves itself. No mover: nothing is done. */
enum nereus_status nereus_register_mover(nereus_job *job, struct nereus_error *err);
/** Find a registered datum whose shape is in the bit set.
 * @return NULL: none; the job has the error sentence */
struct datum *nereus_datum_of(const nereus_job *job, int id, unsigned shapes);

/** Name on stderr, at the first point of a joined process, the data that it received but has not
 * registered. Only the first processes of each world print. */
void nereus_report_unclaimed(const nereus_job *job);
