// Uses the runtime from C++: a dense and a sparse matrix, both by rows, go from 2 to 3 processes and
// on to 1.
#include <cstdio>
#include <nereus.hpp>
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

bool is_right(const nereus::job &job, const nereus::matrix<double> &dense, int sparse_id)
{
    const auto part = dense.local();
    const auto count = static_cast<int64_t>(part.size());
    nereus_sparse sparse;
    job.need(nereus_local_sparse(job.get(), sparse_id, &sparse));
    if (sparse.first != part.first() || sparse.count != count)
        return false;
    const own_rows expected(part.first(), count);
    for (int64_t k = 0; k < count * columns; k++)
        if (part[0][k] != static_cast<double>(part.first() * columns + k))
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
try {
    nereus::options options;
    options.set_schedule({{2, 3, "merge/coll"}, {4, 1, "merge/p2p"}});
    nereus::job job(argc, argv, options);

    nereus::matrix<double> dense(job, "dense", rows, columns);
    nereus::replicated<int64_t> iteration(job, "iteration");
    const auto part = dense.local();
    const auto count = static_cast<int64_t>(part.size());
    const own_rows own(part.first(), count);
    int sparse_id, wrong = 0;
    job.need(nereus_register_csr(job.get(), "sparse", MPI_DOUBLE, rows, columns, NEREUS_BY_LENGTH,
                                 own.pointers.data(), own.indices.data(), own.values.data(),
                                 NEREUS_CONSTANT, &sparse_id));
    for (int64_t k = 0; !dense.is_received() && k < count * columns; k++)
        part[0][k] = static_cast<double>(part.first() * columns + k);

    nereus::action action = nereus::action::proceed;
    while (*iteration < 6 && action != nereus::action::leave) {
        wrong += !is_right(job, dense, sparse_id);
        ++*iteration;
        action = job.point();
    }
    if (action != nereus::action::leave) {
        wrong += job.size() != 1;
        std::printf("use_matrix: %d processes, wrong %d\n", job.size(), wrong);
    }
    job.finish();
    return wrong != 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "use_matrix: %s\n", error.what());
    return 1;
}
