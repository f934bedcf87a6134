/** @file custom.h  Moves custom data in a redistribution. No MPI. */
#pragma once

#include "registry.h"
#include "schedule.h"

/** Is this custom data of the selection? */
static inline bool nereus_is_custom(const struct datum *datum, enum data_selection selection)
{
    return datum->entry.shape == NEREUS_CUSTOM && nereus_is_selected(datum, selection);
}

/** Source `rank` (-1: none): allocate memory for its packed custom data, once the sizes are known.
 * A second call resizes it. */
enum nereus_status nereus_custom_reserve(struct registry *registry, int64_t rank,
                                         enum data_selection selection, struct nereus_error *err);
/** Source `rank` (-1: none): let the application pack its selected custom data. A `pack` that
 * writes more bytes than announced is detected by the next piece or by guard bytes. */
enum nereus_status nereus_custom_pack(const struct registry *registry, int64_t rank,
                                      enum data_selection selection, struct nereus_error *err);

/** Bytes that must be writable after a piece while it is packed. */
enum { NEREUS_CUSTOM_SLACK_BYTES = 64 * 1024 + 64 };
/** Let the application pack one piece. Bytes after its end, which would be lost or belong to
 * another piece, are an error. */
enum nereus_status nereus_custom_pack_piece(const struct datum *datum, struct nereus_range elements,
                                            unsigned char *position, int64_t bytes,
                                            struct nereus_error *err);

/** Allocate memory for the selected custom data that target `rank` of `processes` (-1: none)
 * receives. In registry.c. */
enum nereus_status nereus_custom_prepare(struct registry *registry, int64_t processes, int64_t rank,
                                         enum data_selection selection, struct nereus_error *err);
