/* boxes METHOD: grids of nereus.hpp, over three changes of size: a field of structs with its halo,
 * two fields that swap, blocks in turns, the Cartesian communicator, errors as exceptions. Each
 * element says what it has to be. */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nereus.hpp>
#include <string>
#include <thread>

namespace
{

constexpr std::int64_t rows = 23, columns = 19, depth = 6, steps = 20;

/* Its type has no name in MPI. */
struct cell {
    std::int32_t number;
    float step;
};

void fail(const char *what, std::int64_t at)
{
    std::fprintf(stderr, "boxes: %s %lld is another one\n", what, static_cast<long long>(at));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

struct program {
    nereus::job &job;
    nereus::grid plane{job, "plane", {{rows, columns}, {2, 1}, {0, 1}}};
    nereus::grid deal{job, "deal", {{rows, depth, columns}, {}, {}, {3, 2, 4}, {1, 0, 0}}};
    nereus::field<cell> now{job, "now", plane}, following{job, "following", plane};
    nereus::field<std::int16_t> cards{job, "cards", deal, nereus::kind::constant};
    nereus::replicated<std::int64_t> step{job, "step"};

    void fill()
    {
        const auto u = now.box();
        for (std::int64_t i = 0; i < u.count(0); i++)
            for (std::int64_t j = 0; j < u.count(1); j++)
                u(i, j) = {static_cast<std::int32_t>(u.global(0, i) * 1000 + u.global(1, j)), 0};
        each_card([](std::int16_t &card, std::int64_t element) {
            card = static_cast<std::int16_t>(element);
        });
    }
    void each_card(const std::function<void(std::int16_t &, std::int64_t)> &call) const
    {
        const auto c = cards.box();
        for (std::int64_t i = 0; i < c.count(0); i++)
            for (std::int64_t j = 0; j < c.count(1); j++)
                for (std::int64_t k = 0; k < c.count(2); k++)
                    call(c(i, j, k),
                         (c.global(0, i) * depth + c.global(1, j)) * columns + c.global(2, k));
    }
    void change()
    {
        const auto u = now.box(), v = following.box();
        for (std::int64_t i = 0; i < u.count(0); i++)
            for (std::int64_t j = 0; j < u.count(1); j++)
                v(i, j) = {u(i, j).number, u(i, j).step + 1};
        swap_parts(job, now, following);
        ++*step;
    }
    /* Own elements and the halo: periodic in the columns; beyond the rows nobody fills it. */
    void check_plane()
    {
        now.exchange();
        const auto u = now.box();
        for (std::int64_t i = -2; i < u.count(0) + 2; i++)
            for (std::int64_t j = -1; j <= u.count(1); j++) {
                const std::int64_t row = u.first(0) + i,
                                   column = (u.first(1) + j + columns) % columns;
                if (row < 0 || row >= rows)
                    continue;
                if (u(i, j).number != row * 1000 + column ||
                    static_cast<std::int64_t>(u(i, j).step) != *step)
                    fail("element", row * 1000 + column);
            }
    }
    void check_neighbours()
    {
        const auto pairs = plane.neighbours();
        for (int d = 0; d < 2; d++) {
            int below, above, rank;
            MPI_Cart_shift(plane.comm(), d, 1, &below, &above);
            const auto &pair = pairs[static_cast<std::size_t>(d)];
            if ((pair.first == MPI_PROC_NULL) != (below == MPI_PROC_NULL) ||
                (pair.second == MPI_PROC_NULL) != (above == MPI_PROC_NULL))
                fail("neighbour", d);
            /* What is sent upwards by one communicator arrives by the other. */
            MPI_Sendrecv(&pair.second, 1, MPI_INT, above, 0, &rank, 1, MPI_INT, below, 0,
                         plane.comm(), MPI_STATUS_IGNORE);
            if (below != MPI_PROC_NULL && rank != job.rank())
                fail("rank of the neighbour", d);
        }
        if (pairs.size() != 2 || deal.neighbours().size() != 3)
            fail("number of neighbours", 0);
    }
    void check()
    {
        check_plane();
        check_neighbours();
        each_card([](const std::int16_t &card, std::int64_t element) {
            if (card != element)
                fail("card", element);
        });
        if (cards.box().get().grid.processes[0] != 1)
            fail("number of processes that is fixed", 0);
    }
};

/* A wrong call is an exception with a sentence and a status. */
void expect_error(const std::function<void()> &call, const std::string &word)
{
    try {
        call();
    } catch (const nereus::error &error) {
        if (error.status() == NEREUS_ERR_ARGUMENT &&
            std::string(error.what()).find(word) != std::string::npos)
            return;
        std::fprintf(stderr, "boxes: %s\n", error.what());
    }
    fail("error", 0);
}

void expect_errors(nereus::job &job)
{
    expect_error([&] { nereus::grid(job, "bad", {{4, 4}, {1}}); }, "'bad': halo has 1 numbers");
    expect_error([&] { nereus::grid(job, "bad", {{4, 4, 4, 4, 4}}); }, "1 to 4 dimensions");
    expect_error([&] { nereus::grid(job, "bad", {{4, 4}, {1, 1}, {}, {2, 2}}); }, "halo");
}

} // namespace

int main(int argc, char **argv)
try {
    nereus::options options;
    options.method = argc > 1 ? argv[1] : nullptr;
    options.set_schedule({{5, 4, nullptr}, {10, 1, nullptr}, {15, 3, nullptr}});
    nereus::job job(argc, argv, options);
    program p{job};
    expect_errors(job);
    if (!p.now.is_received())
        p.fill();
    /* An asynchronous change takes as many steps as it takes. */
    while (*p.step < steps || job.reconfigurations() < 3) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        p.check();
        p.change();
        const nereus::action action = job.point();
        if (job.last_outcome().first == NEREUS_OUTCOME_FAILED)
            fail("outcome", *p.step);
        if (action == nereus::action::leave)
            return EXIT_SUCCESS; /* the destructor finalises */
    }
    p.check();
    const bool resized = job.size() == 3;
    job.finish();
    return resized ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &error) {
    std::fprintf(stderr, "boxes: %s\n", error.what());
    return EXIT_FAILURE;
}
