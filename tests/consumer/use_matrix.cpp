// Uses the runtime from C++: a dense and a sparse matrix, both by rows, go from 2 to 3 processes and
// on to 1.
#include <nereus.h>

#include <cstdio>
#include <vector>

namespace
{

const int64_t rows = 11, columns = 4;

// Row i has the non-zeros 0 .. i % 3 - 1, with the values 10 i + column.
struct own_rows {
    std::vector<int64_t> pointers = {0}, indices;
    std::vector<double> values;

    own_rows(int64_t first, int64_t count)
    {
        for (int64_t i = first; i < first + count; i++) {
            for (int64_t column = 0; column < i % 3; column++) {
                indices.push_back(column);
                values.push_back(static_cast<double>(10 * i + column));
            }
            pointers.push_back(static_cast<int64_t>(indices.size()));
        }
    }
};

bool is_right(const nereus_job *job, int dense_id, int sparse_id)
{
    void *part;
    int64_t first, count;
    nereus_sparse sparse;
    if (nereus_local(job, dense_id, &part, &first, &count) != NEREUS_OK ||
        nereus_local_sparse(job, sparse_id, &sparse) != NEREUS_OK || sparse.first != first ||
        sparse.count != count)
        return false;
    const double *dense = static_cast<const double *>(part);
    const own_rows expected(first, count);
    for (int64_t k = 0; k < count * columns; k++)
        if (dense[k] != static_cast<double>(first * columns + k))
            return false;
    for (int64_t i = 0; i <= count; i++)
        if (sparse.pointers[i] != expected.pointers[static_cast<size_t>(i)])
            return false;
    for (int64_t k = 0; k < sparse.nonzeros; k++)
        if (sparse.indices[k] != expected.indices[static_cast<size_t>(k)] ||
            static_cast<const double *>(sparse.values)[k] !=
                expected.values[static_cast<size_t>(k)])
            return false;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const nereus_resize schedule[] = {{2, 3, "merge/coll"}, {4, 1, "merge/p2p"}};
    nereus_options options = NEREUS_OPTIONS_INIT;
    options.schedule = schedule;
    options.schedule_count = 2;
    nereus_job *job;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 1;

    int dense_id, sparse_id, id, wrong = 0;
    int64_t iteration = 0, first = 0, count = 0;
    void *part;
    if (nereus_register_matrix(job, "dense", MPI_DOUBLE, rows, columns, NEREUS_BY_ROWS,
                               NEREUS_BY_LENGTH, NEREUS_VARIABLE, &dense_id) != NEREUS_OK ||
        nereus_local(job, dense_id, &part, &first, &count) != NEREUS_OK)
        return 1;
    const own_rows own(first, count);
    if (nereus_register_csr(job, "sparse", MPI_DOUBLE, rows, columns, NEREUS_BY_LENGTH,
                            own.pointers.data(), own.indices.data(), own.values.data(),
                            NEREUS_CONSTANT, &sparse_id) != NEREUS_OK ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK)
        return 1;
    for (int64_t k = 0; !nereus_is_joined(job) && k < count * columns; k++)
        static_cast<double *>(part)[k] = static_cast<double>(first * columns + k);

    nereus_action action = NEREUS_CONTINUE;
    while (iteration < 6 && action != NEREUS_LEAVE) {
        wrong += !is_right(job, dense_id, sparse_id);
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 1;
    }
    if (action != NEREUS_LEAVE) {
        wrong += nereus_size(job) != 1;
        std::printf("use_matrix: %d processes, wrong %d\n", nereus_size(job), wrong);
    }
    return nereus_finalize(&job) != NEREUS_OK || wrong != 0;
}
