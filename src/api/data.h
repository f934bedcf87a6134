/* Registration: what the kinds of data share. Private to src/. */
#ifndef NEREUS_DATA_H
#define NEREUS_DATA_H

#include "src/job/job.h"
#include "src/util/callback.h"
#include "src/util/error.h"

/* What an application says of a piece of data. */
struct nereus_description {
    const char *name;
    MPI_Datatype type;
    int64_t count;  /* elements of `type`; of a matrix, rows or columns of them */
    int64_t across; /* elements of a row or a column; 0: no matrix */
    enum nereus_data_kind kind;
    enum nereus_data_placement placement;
    enum nereus_data_shape shape;
    int partition; /* as the application names it */
};

/* The entry of a description, checked, with its index space, which is added if it is new. Local. */
enum nereus_status nereus_describe(nereus_job *job, const struct nereus_description *description,
                                   struct nereus_data_entry *entry, struct nereus_error *err);
/* Refused during a reconfiguration, whose data are decided already, and in a process that has not
 * yet registered all data that it received: the new name is then misspelt. */
enum nereus_status nereus_check_new(const nereus_job *job, const char *name,
                                    struct nereus_error *err);
/* New in this process: append it; received: claim it. */
enum nereus_status nereus_enter(nereus_job *job, const struct nereus_data_entry *entry,
                                bool *received, int64_t *index, struct nereus_error *err);
/* Data that the application moves itself (data_mover.c): is the struct whole? One entry stands for
 * it; nothing is done where there is none. */
enum nereus_status nereus_check_mover(const struct nereus_mover *mover, struct nereus_error *err);
enum nereus_status nereus_register_mover(nereus_job *job, struct nereus_error *err);
/* A registered datum of one of these shapes (a set of bits), or NULL and a sentence of the job. */
struct datum *nereus_datum_of(const nereus_job *job, int id, unsigned shapes);

/* At the first point of a process that joined: what was received and never registered is named on
 * stderr, by the first processes of each world. */
void nereus_say_unclaimed(const nereus_job *job);

#endif
