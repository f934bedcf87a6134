/**
 * @file datum_files.h
 * The files of a datum in a checkpoint, and which process has which range of them.
 */
#ifndef NEREUS_SRC_CHECKPOINT_DATUM_FILES_H
#define NEREUS_SRC_CHECKPOINT_DATUM_FILES_H

#include "src/job/job.h"

/* Files of a datum: its values and, of custom data, where each element begins. */
enum { FILE_VALUES, FILE_INDEX, FILES_PER_DATUM };

/* The names of a datum's files. @param name  NEREUS_CHECKPOINT_FILE_MAX characters; returned */
char *nereus_datum_file_name(const struct registry *registry, int64_t datum, int file, char *name);
/* Index space of a datum's elements (for custom data not the space of its bytes). NULL: none. */
const struct index_space *nereus_datum_elements(const struct registry *registry,
                                                const struct datum *datum);
/* The rank whose range is the k-th. */
int nereus_datum_rank_at(const nereus_job *job, const struct datum *datum, int64_t k);
/* Does this process have the last range of the datum, and so the end of the last element? */
bool nereus_datum_has_end(const nereus_job *job, const struct datum *datum);

#endif
