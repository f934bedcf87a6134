/* Sparse matrices in a redistribution: pointers, indices and values move as three arrays
 * (api/data_sparse.c), and the pointers have to be rebased. */
#include "registry.h"

void nereus_rebase_pointers(const struct registry *registry, int64_t index)
{
    const struct datum *datum = &registry->data[index], *indices = &registry->data[index + 1];
    const struct nereus_partition *rows = nereus_datum_before(registry, datum);
    const struct nereus_partition *nonzeros = nereus_datum_before(registry, indices);
    int64_t *pointers = (int64_t *)(void *)datum->next_part;
    if (pointers == NULL)
        return;
    const struct nereus_range peers = nereus_partition_peers(rows, datum->next_range);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct nereus_range from =
            nereus_range_overlap(datum->next_range, nereus_partition_at(rows, place));
        const int64_t shift =
            nereus_partition_at(nonzeros, place).first - indices->next_range.first;
        for (int64_t i = 0; i < from.count; i++)
            pointers[from.first - datum->next_range.first + i] += shift;
    }
    pointers[datum->next_range.count] = indices->next_range.count;
}
