/**
 * @file nereus.hpp
 * libnereus for C++17: nereus.h with a job that ends itself, typed parts, and exceptions. Header
 * only; everything is a thin layer over nereus.h, which says what each call does, and whose calls
 * take job.get().
 *
 *     nereus::job job(argc, argv);
 *     nereus::array<double> x(job, "x", n);
 *     nereus::replicated<std::int64_t> iteration(job, "iteration");
 *     if (!x.is_received())
 *         std::fill(x.local().begin(), x.local().end(), 1.0);
 *     while (*iteration < last) {
 *         for (double &value : x.local())
 *             compute(value, job.comm());
 *         ++*iteration;
 *         if (job.point() == nereus::action::leave)
 *             break;
 *     }
 *     job.finish();
 *
 * Every function that fails throws nereus::error with the sentence of nereus_last_error. What is
 * collective, local, or to be called in the same order everywhere is so here, too. The objects
 * below refer to their job and must not be used after it. Not thread-safe, as nereus.h.
 */
#ifndef NEREUS_HPP
#define NEREUS_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "nereus.hpp needs C++17"
#endif

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/* A function of nereus.h has the name of a struct, as in POSIX. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "nereus.h"
#pragma GCC diagnostic pop

namespace nereus
{

/** A call that failed: what() is its sentence. */
class error : public std::runtime_error
{
  public:
    error(enum nereus_status status, const std::string &sentence)
        : std::runtime_error(sentence), status_(status)
    {
    }
    /** The reason as a number (nereus/status.h). */
    enum nereus_status status() const noexcept
    {
        return status_;
    }

  private:
    enum nereus_status status_;
};

/** What a malleability point tells the application to do (enum nereus_action). */
enum class action {
    proceed = NEREUS_CONTINUE, /**< nothing has changed */
    resized = NEREUS_RESIZED,  /**< communicator, rank, size and local parts have changed */
    leave = NEREUS_LEAVE       /**< this process has left the job */
};

/** Whether the application writes registered data (enum nereus_data_kind). */
enum class kind { constant = NEREUS_CONSTANT, variable = NEREUS_VARIABLE };

/** How a dense matrix is distributed (enum nereus_data_shape). */
enum class shape { rows = NEREUS_BY_ROWS, columns = NEREUS_BY_COLUMNS };

/** struct nereus_options with all defaults; its members are set as in C. */
struct options : nereus_options {
    options() : nereus_options NEREUS_OPTIONS_INIT
    {
    }
    options(const options &) = delete;
    options &operator=(const options &) = delete;
    /** Changes of size that are known at the start. Copied, except the names of methods. */
    void set_schedule(std::vector<struct nereus_resize> resizes)
    {
        resizes_ = std::move(resizes);
        schedule = resizes_.data();
        schedule_count = static_cast<std::int64_t>(resizes_.size());
    }

  private:
    std::vector<struct nereus_resize> resizes_;
};

/** Elements first() .. first() + size() - 1 of distributed data, in the library's memory: valid
 * until a point returns resized or leave. A contiguous range, which std::span accepts. */
template <class T> class part
{
  public:
    part(T *data, std::int64_t first, std::int64_t size) : data_(data), first_(first), size_(size)
    {
    }
    T *data() const noexcept
    {
        return data_;
    }
    /** Index of the first element in the whole. */
    std::int64_t first() const noexcept
    {
        return first_;
    }
    std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(size_);
    }
    T *begin() const noexcept
    {
        return data_;
    }
    T *end() const noexcept
    {
        return data_ + size_;
    }
    /** Element i of this part, 0 <= i < size(). */
    T &operator[](std::size_t i) const noexcept
    {
        return data_[i];
    }

  private:
    T *data_;
    std::int64_t first_, size_;
};

/** A malleable job, as this process sees it. */
class job
{
  public:
    /**
     * nereus_init: start, or join the running job.
     * @param[in,out] argc, argv  of main
     * @throws error  also in a new process whose reconfiguration was rolled back
     *                (NEREUS_ERR_CANCELLED): return from main then
     */
    job(int &argc, char **&argv, const options &with = options())
        : exceptions_(std::uncaught_exceptions())
    {
        const enum nereus_status status = nereus_init(&argc, &argv, &with, &job_);
        if (status != NEREUS_OK)
            throw error(status, nereus_last_error(nullptr));
    }
    /** nereus_finalize, without its errors. Not while an exception passes: nereus_finalize is
     * collective, and the other processes would wait for it elsewhere. nereus-mpiexec ends a job of
     * which a process ends in this way. */
    ~job()
    {
        if (std::uncaught_exceptions() <= exceptions_)
            nereus_finalize(&job_);
    }
    job(const job &) = delete;
    job &operator=(const job &) = delete;

    /** nereus_finalize. Collective; the job is over, and only its destructor may follow. */
    void finish()
    {
        const enum nereus_status status = nereus_finalize(&job_);
        if (status != NEREUS_OK)
            throw error(status, nereus_last_error(job_));
    }
    /** The job for the functions of nereus.h. */
    nereus_job *get() const noexcept
    {
        return job_;
    }
    /** Throw the sentence of the last error unless the status is NEREUS_OK. */
    void need(enum nereus_status status) const
    {
        if (status != NEREUS_OK)
            throw error(status, nereus_last_error(job_));
    }

    /** Never freed by the caller; valid until a point returns resized or leave. */
    MPI_Comm comm() const
    {
        return nereus_comm(job_);
    }
    int rank() const
    {
        return nereus_rank(job_);
    }
    int size() const
    {
        return nereus_size(job_);
    }
    /** Did a reconfiguration or a restart bring this process into the job? */
    bool is_joined() const
    {
        return nereus_is_joined(job_);
    }
    std::int64_t points() const
    {
        return nereus_points(job_);
    }
    std::int64_t reconfigurations() const
    {
        return nereus_reconfigurations(job_);
    }
    std::int64_t restarts() const
    {
        return nereus_restarts(job_);
    }

    /** A malleability point. */
    action point()
    {
        enum nereus_action what = NEREUS_CONTINUE;
        need(nereus_point(job_, &what));
        return static_cast<action>(what);
    }
    /** A malleability point that also looks at the load. */
    action balance(const struct nereus_balance_options &with)
    {
        enum nereus_action what = NEREUS_CONTINUE;
        need(nereus_balance(job_, &with, &what));
        return static_cast<action>(what);
    }
    /** Write a checkpoint now. */
    void checkpoint()
    {
        need(nereus_checkpoint(job_));
    }
    /** Request another size; on rank 0 only. An empty method: the job's own. */
    void request_size(std::int64_t processes, const std::string &method = std::string())
    {
        need(nereus_request_size(job_, processes, method.empty() ? nullptr : method.c_str()));
    }
    /** Outcome of the latest request, and its sentence. */
    std::pair<enum nereus_outcome, std::string> last_outcome() const
    {
        const char *sentence = "";
        const enum nereus_outcome outcome = nereus_last_outcome(job_, &sentence);
        return {outcome, sentence != nullptr ? sentence : ""};
    }

    /** Keep memory of registered data, which the library may read until nereus_finalize. */
    void keep(std::shared_ptr<void> memory)
    {
        kept_.push_back(std::move(memory));
    }

  private:
    nereus_job *job_ = nullptr;
    int exceptions_; /* that were passing when the job began */
    std::vector<std::shared_ptr<void>> kept_;
};

namespace detail
{

/* MPI's name of an arithmetic type; MPI_DATATYPE_NULL: it has none. */
template <class T> MPI_Datatype predefined_type()
{
    if constexpr (std::is_same_v<T, float>)
        return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
        return MPI_DOUBLE;
    else if constexpr (std::is_same_v<T, bool> || !std::is_integral_v<T>)
        return MPI_DATATYPE_NULL;
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? MPI_INT8_T : MPI_UINT8_T;
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? MPI_INT16_T : MPI_UINT16_T;
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? MPI_INT32_T : MPI_UINT32_T;
    else
        return std::is_signed_v<T> ? MPI_INT64_T : MPI_UINT64_T;
}

/* The MPI type of an element, while data is registered with it. */
template <class T> class element_type
{
    static_assert(std::is_trivially_copyable_v<T>,
                  "elements are moved as bytes: use nereus::elements for other types");

  public:
    element_type() : type_(predefined_type<T>()), is_own_(type_ == MPI_DATATYPE_NULL)
    {
        if (is_own_) {
            MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type_);
            MPI_Type_commit(&type_);
        }
    }
    ~element_type()
    {
        if (is_own_)
            MPI_Type_free(&type_);
    }
    element_type(const element_type &) = delete;
    element_type &operator=(const element_type &) = delete;
    MPI_Datatype get() const
    {
        return type_;
    }

  private:
    MPI_Datatype type_;
    bool is_own_;
};

} // namespace detail

/** What all registered data has. */
class data
{
  public:
    /** The handle for the functions of nereus.h. */
    int id() const noexcept
    {
        return id_;
    }
    /** Did it come with values from other processes? Otherwise initialise it. */
    bool is_received() const
    {
        return nereus_is_received(job_->get(), id_);
    }

  protected:
    explicit data(job &of) : job_(&of)
    {
    }
    job *job_;
    int id_ = -1;
};

/** Data of which each process has a range of elements (rows, columns). */
class distributed : public data
{
  public:
    /** First element and number of elements of a rank. */
    std::pair<std::int64_t, std::int64_t> part_of(int rank) const
    {
        std::int64_t first = 0, count = 0;
        job_->need(nereus_part_of(job_->get(), id_, rank, &first, &count));
        return {first, count};
    }
    /** The rank that has an element. */
    int owner_of(std::int64_t element) const
    {
        int rank = 0;
        job_->need(nereus_owner_of(job_->get(), id_, element, &rank));
        return rank;
    }

  protected:
    using data::data;
    template <class T> part<T> local_part() const
    {
        void *memory = nullptr;
        std::int64_t first = 0, count = 0;
        job_->need(nereus_local(job_->get(), id_, &memory, &first, &count));
        return {static_cast<T *>(memory), first, count};
    }
};

/** A distributed array of trivially copyable elements (nereus_register_array_in). */
template <class T> class array : public distributed
{
  public:
    /** @param partition  a handle of nereus_register_partition, or NEREUS_BY_LENGTH */
    array(job &of, const std::string &name, std::int64_t count, kind is = kind::variable,
          int partition = NEREUS_BY_LENGTH)
        : distributed(of)
    {
        of.need(nereus_register_array_in(of.get(), name.c_str(), detail::element_type<T>().get(),
                                         count, partition, static_cast<nereus_data_kind>(is),
                                         &id_));
    }
    /** This process' elements, of this moment. */
    part<T> local() const
    {
        return this->template local_part<T>();
    }
};

/** Rows (columns) first() .. first() + size() - 1 of a matrix, one after the other in the library's
 * memory, which is valid as that of nereus::part. */
template <class T> class matrix_part
{
  public:
    matrix_part(part<T> of, std::int64_t width) : part_(of), width_(width)
    {
    }
    std::int64_t first() const noexcept
    {
        return part_.first();
    }
    std::size_t size() const noexcept
    {
        return part_.size();
    }
    /** The first value of row (column) i of this part, 0 <= i <= size(). */
    T *operator[](std::size_t i) const noexcept
    {
        return part_.data() + i * static_cast<std::size_t>(width_);
    }

  private:
    part<T> part_;
    std::int64_t width_;
};

/** A dense matrix of which each process has whole rows or columns (nereus_register_matrix). */
template <class T> class matrix : public distributed
{
  public:
    matrix(job &of, const std::string &name, std::int64_t rows, std::int64_t columns,
           shape by = shape::rows, kind is = kind::variable, int partition = NEREUS_BY_LENGTH)
        : distributed(of), width_(by == shape::rows ? columns : rows)
    {
        of.need(nereus_register_matrix(of.get(), name.c_str(), detail::element_type<T>().get(),
                                       rows, columns, static_cast<nereus_data_shape>(by), partition,
                                       static_cast<nereus_data_kind>(is), &id_));
    }
    /** This process' rows (columns), of this moment. */
    matrix_part<T> local() const
    {
        return {this->template local_part<T>(), width_};
    }

  private:
    std::int64_t width_; /* values of a row (column) */
};

/** A grid as the application gives it; numbers are one per dimension, or none: all zero. */
struct grid_shape {
    std::vector<std::int64_t> n;             /**< elements in all processes */
    std::vector<std::int64_t> halo = {};     /**< width of the halo on both sides */
    std::vector<std::int64_t> periodic = {}; /**< 1: first and last element are neighbours */
    std::vector<std::int64_t> block = {};    /**< block-cyclic: elements of a block, without halo */
    std::vector<std::int64_t> fixed = {};    /**< processes at every size; 0: chosen at each size */
};

/** A grid of 1 to 4 dimensions, cut into one box per process (nereus_register_grid):
 * nereus::grid space(job, "space", {{512, 512, 256}, {1, 1, 1}, {0, 0, 1}}); */
class grid
{
  public:
    grid(job &of, const std::string &name, const grid_shape &shape)
        : job_(&of), dimensions_(shape.n.size())
    {
        struct nereus_grid c = NEREUS_GRID_INIT;
        c.dimensions = static_cast<std::int64_t>(dimensions_);
        set(name, "n", shape.n, c.n);
        set(name, "halo", shape.halo, c.halo);
        set(name, "periodic", shape.periodic, c.periodic);
        set(name, "block", shape.block, c.block);
        set(name, "fixed", shape.fixed, c.fixed);
        of.need(nereus_register_grid(of.get(), name.c_str(), &c, &id_));
    }
    /** The handle for the functions of nereus.h. */
    int id() const noexcept
    {
        return id_;
    }
    /** Ranks in job.comm() of the processes below and above, a pair for each dimension;
     * MPI_PROC_NULL where the grid ends. */
    std::vector<std::pair<int, int>> neighbours() const
    {
        int lower[NEREUS_GRID_DIMENSIONS], upper[NEREUS_GRID_DIMENSIONS];
        std::vector<std::pair<int, int>> pairs;
        job_->need(nereus_grid_neighbours(job_->get(), id_, lower, upper));
        for (std::size_t d = 0; d < dimensions_; d++)
            pairs.emplace_back(lower[d], upper[d]);
        return pairs;
    }
    /** The Cartesian communicator, never freed by the caller; valid as job.comm() is. Collective at
     * the first call after a resize. */
    MPI_Comm comm() const
    {
        MPI_Comm cartesian = MPI_COMM_NULL;
        job_->need(nereus_grid_comm(job_->get(), id_, &cartesian));
        return cartesian;
    }

  private:
    void set(const std::string &name, const char *what, const std::vector<std::int64_t> &from,
             std::int64_t *to) const
    {
        if (!from.empty() && from.size() != dimensions_)
            throw error(NEREUS_ERR_ARGUMENT, "'" + name + "': " + what + " has " +
                                                 std::to_string(from.size()) + " numbers for " +
                                                 std::to_string(dimensions_) + " dimensions");
        for (std::size_t d = 0; d < from.size() && d < NEREUS_GRID_DIMENSIONS; d++)
            to[d] = from[d];
    }

    job *job_;
    std::size_t dimensions_;
    int id_ = -1;
};

/** The box of a process, in the library's memory, which is valid until a point returns resized or
 * leave, or until the field is swapped. `d` is a dimension, from 0. */
template <class T> class box_of
{
  public:
    explicit box_of(const struct nereus_box &box) : box_(box)
    {
    }
    /** Own elements, and index in the whole of the first one. */
    std::int64_t first(int d) const noexcept
    {
        return box_.first[d];
    }
    std::int64_t count(int d) const noexcept
    {
        return box_.count[d];
    }
    /** Elements in memory from one to the next; 1 in the last dimension. */
    std::int64_t stride(int d) const noexcept
    {
        return box_.stride[d];
    }
    /** Index in the whole of the i-th own element. */
    std::int64_t global(int d, std::int64_t i) const noexcept
    {
        return box_.grid.block[d] > 0
                   ? nereus_grid_global_index(&box_.grid, d, box_.coordinates[d], i)
                   : box_.first[d] + i;
    }
    /** The first own element; null: there is none. */
    T *data() const noexcept
    {
        return static_cast<T *>(box_.values);
    }
    /** An element, by an index for each dimension of the grid (asserted): own ones from 0, the halo
     * below 0 and from count on. */
    template <class... Index> T &operator()(Index... index) const noexcept
    {
        static_assert(sizeof...(Index) >= 1 && sizeof...(Index) <= NEREUS_GRID_DIMENSIONS,
                      "a grid has 1 to 4 dimensions");
        assert(sizeof...(Index) == static_cast<std::size_t>(box_.dimensions));
        const std::int64_t at[] = {static_cast<std::int64_t>(index)...};
        constexpr std::size_t last = sizeof...(Index) - 1;
        std::int64_t offset = at[last];
        for (std::size_t d = 0; d < last; d++)
            offset += at[d] * box_.stride[d];
        return data()[offset];
    }
    /** All else: the process grid, this process' coordinates in it. */
    const struct nereus_box &get() const noexcept
    {
        return box_;
    }

  private:
    struct nereus_box box_;
};

/** A trivially copyable value for each element of a grid (nereus_register_field). */
template <class T> class field : public data
{
  public:
    field(job &of, const std::string &name, const grid &on, kind is = kind::variable) : data(of)
    {
        of.need(nereus_register_field(of.get(), name.c_str(), detail::element_type<T>().get(),
                                      on.id(), static_cast<nereus_data_kind>(is), &id_));
    }
    /** This process' box, of this moment. */
    box_of<T> box() const
    {
        struct nereus_box own;
        job_->need(nereus_local_box(job_->get(), id_, &own));
        return box_of<T>(own);
    }
    /** Fill the halo from the neighbours (nereus_grid_exchange). */
    void exchange()
    {
        job_->need(nereus_grid_exchange(job_->get(), id_));
    }
};

/** Swap two arrays, matrices or fields: only what local() or box() gives is exchanged
 * (nereus_swap). */
template <class Data> void swap_parts(job &of, const Data &a, const Data &b)
{
    of.need(nereus_swap(of.get(), a.id(), b.id()));
}

/** Values that are the same in every process (nereus_register_replicated). In a process that joins
 * they are the received values. A copy of this object refers to the same values. */
template <class T> class replicated : public data
{
  public:
    replicated(job &of, const std::string &name, T initial = T())
        : replicated(of, name, std::vector<T>(1, initial))
    {
    }
    replicated(job &of, const std::string &name, std::vector<T> initial)
        : data(of), count_(initial.size()), values_(new T[count_ + 1](), std::default_delete<T[]>())
    {
        of.keep(values_);
        std::copy(initial.begin(), initial.end(), values_.get());
        of.need(nereus_register_replicated(of.get(), name.c_str(), detail::element_type<T>().get(),
                                           static_cast<std::int64_t>(count_), NEREUS_VARIABLE,
                                           values_.get(), &id_));
    }
    std::size_t size() const noexcept
    {
        return count_;
    }
    T &operator*() const noexcept
    {
        return values_.get()[0];
    }
    T *operator->() const noexcept
    {
        return values_.get();
    }
    T &operator[](std::size_t i) const noexcept
    {
        return values_.get()[i];
    }

  private:
    std::size_t count_;
    std::shared_ptr<T> values_;
};

/** How nereus::elements moves an element: its bytes. Specialise it for your own types. */
template <class E, class = void> struct packing;

/** Trivially copyable elements. */
template <class E> struct packing<E, std::enable_if_t<std::is_trivially_copyable_v<E>>> {
    static std::size_t bytes(const E &)
    {
        return sizeof(E);
    }
    static void pack(const E &element, unsigned char *buffer)
    {
        std::memcpy(buffer, &element, sizeof(E));
    }
    static void unpack(E &element, const unsigned char *buffer, std::size_t)
    {
        std::memcpy(&element, buffer, sizeof(E));
    }
};

/** std::vector and std::string of trivially copyable values: as long as they are. */
template <class E>
struct packing<E, std::enable_if_t<!std::is_trivially_copyable_v<E> &&
                                   std::is_trivially_copyable_v<typename E::value_type>>> {
    static std::size_t bytes(const E &element)
    {
        return element.size() * sizeof(typename E::value_type);
    }
    static void pack(const E &element, unsigned char *buffer)
    {
        if (!element.empty())
            std::memcpy(buffer, element.data(), bytes(element));
    }
    static void unpack(E &element, const unsigned char *buffer, std::size_t size)
    {
        element.resize(size / sizeof(typename E::value_type));
        if (size > 0)
            std::memcpy(element.data(), buffer, size);
    }
};

/**
 * Elements of any type and size, such as a list of particles for each cell
 * (nereus_register_custom): each process has a range of them, in a std::vector<E> of its own. They
 * move by packing<E>, inside a point.
 */
template <class E> class elements : public distributed
{
  public:
    elements(job &of, const std::string &name, std::int64_t count, int partition = NEREUS_BY_LENGTH)
        : distributed(of), store_(std::make_shared<store>())
    {
        of.keep(store_);
        struct nereus_custom custom = NEREUS_CUSTOM_INIT;
        custom.bytes = store::bytes;
        custom.pack = store::pack;
        custom.resize = store::resize;
        custom.unpack = store::unpack;
        custom.user = store_.get();
        of.need(nereus_register_custom(of.get(), name.c_str(), count, partition, &custom,
                                       NEREUS_VARIABLE, &id_));
        if (!is_received())
            std::tie(store_->first, store_->held) = initial_part();
    }
    /** Index of this process' first element in the whole. */
    std::int64_t first() const noexcept
    {
        return store_->first;
    }
    /** This process' elements; their number must not be changed. */
    std::vector<E> &local() const noexcept
    {
        return store_->held;
    }

  private:
    /* Each element is packed as its number of bytes and these. The callbacks are called from C: an
     * exception in one of them (no memory) ends the process with its message. */
    struct store {
        std::int64_t first = 0;
        std::vector<E> held;

        const E &at(std::int64_t i) const
        {
            return held[static_cast<std::size_t>(i - first)];
        }
        static std::int64_t bytes(void *user, std::int64_t from, std::int64_t count) noexcept
        {
            const store *own = static_cast<store *>(user);
            std::int64_t sum = 0;
            for (std::int64_t i = from; i < from + count; i++)
                sum += static_cast<std::int64_t>(sizeof(std::uint64_t) +
                                                 packing<E>::bytes(own->at(i)));
            return sum;
        }
        static void pack(void *user, std::int64_t from, std::int64_t count, void *buffer,
                         std::int64_t) noexcept
        {
            const store *own = static_cast<store *>(user);
            auto *to = static_cast<unsigned char *>(buffer);
            for (std::int64_t i = from; i < from + count; i++) {
                const std::uint64_t size = packing<E>::bytes(own->at(i));
                std::memcpy(to, &size, sizeof size);
                packing<E>::pack(own->at(i), to + sizeof size);
                to += sizeof size + size;
            }
        }
        static void resize(void *user, std::int64_t from, std::int64_t count) noexcept
        {
            store *own = static_cast<store *>(user);
            own->first = from;
            own->held.clear();
            own->held.resize(static_cast<std::size_t>(count));
        }
        static enum nereus_status unpack(void *user, std::int64_t from, std::int64_t count,
                                         const void *buffer, std::int64_t) noexcept
        {
            store *own = static_cast<store *>(user);
            auto *at = static_cast<const unsigned char *>(buffer);
            for (std::int64_t i = from; i < from + count; i++) {
                std::uint64_t size;
                std::memcpy(&size, at, sizeof size);
                packing<E>::unpack(own->held[static_cast<std::size_t>(i - own->first)],
                                   at + sizeof size, static_cast<std::size_t>(size));
                at += sizeof size + size;
            }
            return NEREUS_OK;
        }
    };

    std::pair<std::int64_t, std::vector<E>> initial_part() const
    {
        const auto [first, count] = part_of(job_->rank());
        return {first, std::vector<E>(static_cast<std::size_t>(count))};
    }

    std::shared_ptr<store> store_; /* the callbacks' `user` */
};

} // namespace nereus

#endif
