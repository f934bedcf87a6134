/* elements METHOD: nereus.hpp where the small programs do not show it: elements of any size, values
 * of a struct, several replicated values, errors as exceptions; over three changes of size. Each
 * element says what it has to be. */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nereus.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace
{

constexpr std::int64_t cells = 37, steps = 20;

/* Its type has no name in MPI. */
struct pair_of {
    std::int32_t number;
    double value;
};

struct particles {
    std::vector<double> at;
    std::string name;
};

std::vector<std::int32_t> list_of(std::int64_t cell, std::int64_t step)
{
    std::vector<std::int32_t> list(static_cast<std::size_t>((cell * 7 + step) % 11));
    std::iota(list.begin(), list.end(), static_cast<std::int32_t>(cell + step));
    return list;
}

std::string name_of(std::int64_t cell)
{
    return std::string(static_cast<std::size_t>(cell % 5), static_cast<char>('a' + cell % 26));
}

void fail(const char *what, std::int64_t at)
{
    std::fprintf(stderr, "elements: %s %lld is another one\n", what, static_cast<long long>(at));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

} // namespace

/* An element with two members: as long as both. */
template <> struct nereus::packing<particles> {
    static std::size_t bytes(const particles &p)
    {
        return sizeof(std::uint32_t) + p.name.size() + p.at.size() * sizeof(double);
    }
    static void pack(const particles &p, unsigned char *to)
    {
        const auto length = static_cast<std::uint32_t>(p.name.size());
        std::memcpy(to, &length, sizeof length);
        std::memcpy(to + sizeof length, p.name.data(), p.name.size());
        packing<std::vector<double>>::pack(p.at, to + sizeof length + p.name.size());
    }
    static void unpack(particles &p, const unsigned char *from, std::size_t size)
    {
        std::uint32_t length;
        std::memcpy(&length, from, sizeof length);
        p.name.assign(reinterpret_cast<const char *>(from) + sizeof length, length);
        packing<std::vector<double>>::unpack(p.at, from + sizeof length + length,
                                             size - sizeof length - length);
    }
};

namespace
{

struct program {
    nereus::job &job;
    nereus::elements<std::vector<std::int32_t>> lists{job, "lists", cells};
    nereus::elements<particles> boxes{job, "boxes", cells};
    nereus::array<pair_of> pairs{job, "pairs", cells, nereus::kind::constant};
    nereus::replicated<std::int64_t> step{job, "step"};
    nereus::replicated<double> sums{job, "sums", std::vector<double>{1.5, 2.5, 3.5}};

    void fill()
    {
        for (std::size_t i = 0; i < lists.local().size(); i++) {
            const std::int64_t cell = lists.first() + static_cast<std::int64_t>(i);
            boxes.local()[i] = {std::vector<double>(static_cast<std::size_t>(cell % 3), 0.5),
                                name_of(cell)};
        }
        const auto part = pairs.local();
        for (std::size_t i = 0; i < part.size(); i++)
            part[i] = {static_cast<std::int32_t>(part.first()) + static_cast<std::int32_t>(i),
                       0.25};
    }
    void change()
    {
        for (std::size_t i = 0; i < lists.local().size(); i++)
            lists.local()[i] = list_of(lists.first() + static_cast<std::int64_t>(i), *step);
    }
    /* What the step before has left. */
    void check()
    {
        for (std::size_t i = 0; i < lists.local().size(); i++) {
            const std::int64_t cell = lists.first() + static_cast<std::int64_t>(i);
            const particles &box = boxes.local()[i];
            if (*step > 0 && lists.local()[i] != list_of(cell, *step - 1))
                fail("list", cell);
            if (box.name != name_of(cell) || box.at.size() != static_cast<std::size_t>(cell % 3))
                fail("box", cell);
        }
        const auto part = pairs.local();
        for (std::size_t i = 0; i < part.size(); i++)
            if (part[i].number != part.first() + static_cast<std::int64_t>(i) ||
                part[i].value != 0.25)
                fail("pair", part.first() + static_cast<std::int64_t>(i));
        if (sums.size() != 3 || sums[0] != 1.5 || sums[2] != 3.5)
            fail("value", 0);
    }
};

/* A wrong call is an exception with a sentence and a status. */
void expect_errors(nereus::job &job)
{
    try {
        nereus::array<double> negative(job, "negative", -1);
    } catch (const nereus::error &error) {
        if (error.status() == NEREUS_ERR_ARGUMENT &&
            std::string(error.what()).find("negative") != std::string::npos)
            return;
    }
    fail("error", 0);
}

} // namespace

int main(int argc, char **argv)
try {
    static_assert(!std::is_copy_constructible_v<nereus::job>, "a job has one owner");
    nereus::options options;
    options.method = argc > 1 ? argv[1] : nullptr;
    options.set_schedule({{5, 4, nullptr}, {10, 1, nullptr}, {15, 3, nullptr}});
    nereus::job job(argc, argv, options);
    program p{job};
    expect_errors(job);
    if (!p.pairs.is_received())
        p.fill();
    /* An asynchronous change takes as many steps as it takes. */
    while (*p.step < steps || job.reconfigurations() < 3) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        p.check();
        p.change();
        ++*p.step;
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
    std::fprintf(stderr, "elements: %s\n", error.what());
    return EXIT_FAILURE;
}
