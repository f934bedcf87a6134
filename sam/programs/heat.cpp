/*
 * Heat in a plate, explicit in time, by ranges of rows: heat.c in C++, with the objects of
 * nereus.hpp. Arguments: rows, columns, steps.
 */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nereus.hpp>
#include <vector>

extern "C" {
#include "digest.h"
}

namespace
{

struct plate {
    std::int64_t rows, columns, steps;

    /* The hot spot, and the edge that stays warm. */
    double initial(std::int64_t row, std::int64_t column) const
    {
        const bool hot = row > rows / 3 && row < rows / 2 && column > columns / 2;
        return row == 0 ? 1 + 0.01 * static_cast<double>(column) : hot ? 10 : 0;
    }
};

/* The rows before and behind those of this process, which other processes have. */
struct halo {
    std::vector<double> below, above;

    explicit halo(const plate &p)
        : below(static_cast<std::size_t>(p.columns)), above(static_cast<std::size_t>(p.columns))
    {
    }
};

int owner_of(const nereus::matrix<double> &u, const plate &p, std::int64_t row)
{
    return row < 0 || row >= p.rows ? MPI_PROC_NULL : u.owner_of(row);
}

void exchange_edges(const nereus::job &job, const nereus::matrix<double> &u, const plate &p,
                    halo &around)
{
    const auto rows = u.local();
    if (rows.size() == 0)
        return;
    const int n = static_cast<int>(p.columns);
    const int up = owner_of(u, p, rows.first() - 1),
              down = owner_of(u, p, rows.first() + static_cast<std::int64_t>(rows.size()));
    MPI_Sendrecv(rows[0], n, MPI_DOUBLE, up, 0, around.below.data(), n, MPI_DOUBLE, down, 0,
                 job.comm(), MPI_STATUS_IGNORE);
    MPI_Sendrecv(rows[rows.size() - 1], n, MPI_DOUBLE, down, 1, around.above.data(), n, MPI_DOUBLE,
                 up, 1, job.comm(), MPI_STATUS_IGNORE);
}

/* Edges of the plate keep their values. */
void compute_step(const nereus::matrix<double> &u, const nereus::matrix<double> &next,
                  const plate &p, const halo &around)
{
    const auto now = u.local(), then = next.local();
    const auto n = static_cast<std::size_t>(p.columns);
    for (std::size_t i = 0; i < now.size(); i++) {
        const double *row = now[i], *above = i > 0 ? now[i - 1] : around.above.data(),
                     *below = i + 1 < now.size() ? now[i + 1] : around.below.data();
        const std::int64_t index = now.first() + static_cast<std::int64_t>(i);
        const bool edge = index == 0 || index == p.rows - 1;
        for (std::size_t j = 0; j < n; j++)
            then[i][j] =
                edge || j == 0 || j == n - 1
                    ? row[j]
                    : row[j] + 0.2 * (above[j] + below[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
    }
}

void print_result(const nereus::job &job, const nereus::matrix<double> &u, const plate &p)
{
    const auto rows = u.local();
    const std::uint64_t answer =
        digest(rows[0], rows.first() * p.columns,
               static_cast<std::int64_t>(rows.size()) * p.columns, job.comm());
    if (job.rank() == 0)
        std::printf("answer %016" PRIx64 ", processes %d, changes of size %d\n", answer, job.size(),
                    static_cast<int>(job.reconfigurations()));
}

void run(nereus::job &job, const plate &p)
{
    nereus::matrix<double> u(job, "u", p.rows, p.columns), next(job, "next", p.rows, p.columns);
    nereus::replicated<std::int64_t> step(job, "step");
    halo around(p);
    if (!u.is_received()) {
        const auto rows = u.local();
        for (std::size_t i = 0; i < rows.size(); i++)
            for (std::int64_t j = 0; j < p.columns; j++)
                rows[i][j] = p.initial(rows.first() + static_cast<std::int64_t>(i), j);
    }
    while (*step < p.steps) {
        exchange_edges(job, u, p, around);
        compute_step(u, next, p, around);
        nereus::swap_parts(job, u, next);
        ++*step;
        if (job.point() == nereus::action::leave)
            return;
    }
    print_result(job, u, p);
}

} // namespace

int main(int argc, char **argv)
try {
    const auto number = [&](int i, std::int64_t otherwise) {
        return argc > i ? std::strtoll(argv[i], nullptr, 10) : otherwise;
    };
    const plate p = {number(1, 200), number(2, 300), number(3, 100)};
    nereus::job job(argc, argv);
    run(job, p);
    job.finish();
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    return EXIT_FAILURE;
}
