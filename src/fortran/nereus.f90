! The module nereus: libnereus for Fortran, over ISO_C_BINDING. It needs no MPI module:
! communicators are the integers that mpif.h and the module mpi use too. Integers without a kind are
! those that MPI's own Fortran interface takes: ranks, sizes, status. All other numbers have a kind
! of iso_fortran_env, or in interfaces of C one of iso_c_binding.
!
! The meaning of each call is in nereus.h, with these differences:
! - Each subroutine has an optional last argument status. Without it an error ends the whole job,
!   with its message.
! - Positions count from 1: first is the place of part(1) among all elements.
! - Variables that are registered as replicated must have the attribute target, which the compiler
!   demands, and save, or live in the main program: they are written when a process joins or wakes
!   up.
module nereus
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use nereus_matrix_c
    use nereus_grid_c
    implicit none
    private

    ! The numbers are those of nereus.h; otherwise bound_job.c does not compile.
    integer, parameter, public :: nereus_ok = 0
    integer, parameter, public :: nereus_err_busy = 8
    integer, parameter, public :: nereus_err_cancelled = 10
    integer, parameter, public :: nereus_constant = 0, nereus_variable = 1
    integer, parameter, public :: nereus_continue = 0, nereus_resized = 1, nereus_leave = 2
    integer, parameter, public :: nereus_outcome_none = 0, nereus_outcome_pending = 1, &
                                  nereus_outcome_resized = 2, nereus_outcome_unchanged = 3, &
                                  nereus_outcome_failed = 4, &
                                  nereus_outcome_too_late = 5
    ! Types of elements.
    integer, parameter, public :: nereus_int32 = 1, nereus_int64 = 2, nereus_real32 = 3, &
                                   nereus_real64 = 4

    ! How a dense matrix is cut; the partition that all data of one length share.
    integer, parameter, public :: nereus_by_rows = 1, nereus_by_columns = 2, nereus_by_length = -1

    integer, parameter :: text_max = 256

    type, public :: nereus_job
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    ! A change of size, at the first malleability point that is not before `point`: to this number
    ! of processes, by this method (blank: options%method).
    type, public :: nereus_resize
        integer(int64) :: point = 0, nt = 0
        character(len=text_max) :: method = ''
    end type

    type, bind(c) :: c_sizes ! struct nereus_sizes
        integer(c_int64_t) :: minimum = 0, maximum = 0, multiple_of = 0
        logical(c_bool) :: powers_of_two = .false.
    end type

    ! This process' part of a sparse matrix; everything counts from 1. Row (csc: column) first + i -
    ! 1 of the whole has the non-zeros pointers(i) to pointers(i + 1) - 1 of indices and values,
    ! which are the library's memory, valid until a point returns nereus_resized or nereus_leave.
    type :: sparse_part
        integer(int64) :: first = 1, count = 0, nonzeros = 0
        integer(int64), allocatable :: pointers(:)
        integer(int64), pointer :: indices(:) => null()
    end type
    type, extends(sparse_part), public :: nereus_sparse
        real(real64), pointer :: values(:) => null()
    end type
    type, extends(sparse_part), public :: nereus_sparse_real32
        real(real32), pointer :: values(:) => null()
    end type
    type, extends(sparse_part), public :: nereus_sparse_int64
        integer(int64), pointer :: values(:) => null()
    end type
    type, extends(sparse_part), public :: nereus_sparse_int32
        integer(int32), pointer :: values(:) => null()
    end type

    abstract interface
        subroutine nereus_callback(job)
            import :: nereus_job
            type(nereus_job), intent(in) :: job
        end subroutine
    end interface
    public :: nereus_callback

    ! Blank, 0 and null mean the default.
    type, public :: nereus_options
        character(len=text_max) :: method = '', program = '', hostfile = '', trace = '', &
            state = '', bind = '', connect = '', profile = '', goal = '', scaling = '', &
            policy = '', checkpoint = ''
        type(nereus_resize), allocatable :: schedule(:)
        integer(int64) :: slots = 0, batch = 0, test_every = 0, cores_per_process = 0, &
            iterations = 0
        real(real64) :: spawn_timeout_s = 0, checkpoint_every_s = 0, node_power_w = 0, &
            idle_power_w = 0, resize_power_w = 0
        procedure(nereus_callback), pointer, nopass :: before => null(), after => null()
    end type

    public :: nereus_init, nereus_finalize, nereus_will_join, nereus_is_joined, nereus_comm, &
              nereus_rank, nereus_size, nereus_points, nereus_reconfigurations, &
              nereus_restarts, nereus_checkpoint, &
              nereus_register_array, nereus_register_replicated, nereus_is_received, nereus_local, &
              nereus_swap, nereus_point, &
              nereus_register_partition, nereus_register_matrix, nereus_register_csr, &
              nereus_register_csc, nereus_local_sparse, nereus_weigh_by_nonzeros, nereus_part_of, &
              nereus_owner_of, &
              nereus_register_grid, nereus_register_field, nereus_local_box, &
              nereus_grid_exchange, nereus_grid_neighbours, nereus_grid_comm, &
              nereus_request_size, nereus_request_release, nereus_set_iterations_left, &
              nereus_declare_sizes, &
              nereus_last_outcome, nereus_last_error

    interface nereus_register_replicated
        module procedure replicate_int32, replicate_int64, replicate_real32, replicate_real64, &
            vector_int32, vector_int64, vector_real32, vector_real64
    end interface

    ! call nereus_local(job, id, part [, first] [, status]); of elements of several values:
    ! part(width, count), then width.
    interface nereus_local
        module procedure local_int32, local_int64, local_real32, local_real64, &
            wide_int32, wide_int64, wide_real32, wide_real64
    end interface

    ! call nereus_register_csr(job, name, rows, columns, pointers, indices, values, kind, id
    ! [, partition, status]): a sparse matrix from this process' own rows, which are copied: one
    ! pointer more than own rows, the first is 1; the columns from 1. In a joined process, which has
    ! received it, the three arrays may have length 0.
    interface nereus_register_csr
        module procedure csr_int32, csr_int64, csr_real32, csr_real64
    end interface

    ! As nereus_register_csr, by columns: own columns, indices of rows.
    interface nereus_register_csc
        module procedure csc_int32, csc_int64, csc_real32, csc_real64
    end interface

    ! call nereus_local_sparse(job, id, local [, status]): each call allocates the pointers anew;
    ! indices and values are the library's memory.
    interface nereus_local_sparse
        module procedure sparse_int32, sparse_int64, sparse_real32, sparse_real64
    end interface

    ! call nereus_local_box(job, id, u [, first, count, coordinates, processes, status]): u is a
    ! pointer with the dimensions of the grid; own elements have indices 1 to count, and the halo
    ! has indices below 1 and above count.
    interface nereus_local_box
        module procedure box_1_int32, box_1_int64, box_1_real32, box_1_real64, box_2_int32, &
            box_2_int64, box_2_real32, box_2_real64, box_3_int32, box_3_int64, box_3_real32, &
            box_3_real64, box_4_int32, box_4_int64, box_4_real32, box_4_real64
    end interface

    integer(int64), target, save :: nothing ! what a part of length 0 points to

    procedure(nereus_callback), pointer, save :: before_callback => null(), after_callback => null()

    ! inout, not out: C does not write these arguments after an error, and gfortran 14 drops the
    ! value of an argument with intent(out) that was set before the call.
    interface
        subroutine c_add_argument(text) bind(c, name='nereus_fortran_add_argument')
            import :: c_char
            character(kind=c_char), intent(in) :: text(*)
        end subroutine
        subroutine c_set_text(option, text) bind(c, name='nereus_fortran_set_text')
            import :: c_char
            character(kind=c_char), intent(in) :: option(*), text(*)
        end subroutine
        subroutine c_set_counts(slots, batch, test_every, cores_per_process, iterations) &
            bind(c, name='nereus_fortran_set_counts')
            import :: c_int64_t
            integer(c_int64_t), value :: slots, batch, test_every, cores_per_process, iterations
        end subroutine
        subroutine c_set_reals(spawn_timeout_s, checkpoint_every_s, node_w, idle_w, resize_w) &
            bind(c, name='nereus_fortran_set_reals')
            import :: c_double
            real(c_double), value :: spawn_timeout_s, checkpoint_every_s, node_w, idle_w, resize_w
        end subroutine
        subroutine c_set_callbacks(before, after) bind(c, name='nereus_fortran_set_callbacks')
            import :: c_funptr
            type(c_funptr), value :: before, after
        end subroutine
        subroutine c_add_resize(point, nt, method) bind(c, name='nereus_fortran_add_resize')
            import :: c_int64_t, c_char
            integer(c_int64_t), value :: point, nt
            character(kind=c_char), intent(in) :: method(*)
        end subroutine
        integer(c_int) function c_init(job) bind(c, name='nereus_fortran_init')
            import :: c_int, c_ptr
            type(c_ptr), intent(inout) :: job
        end function
        integer(c_int) function c_comm(job) bind(c, name='nereus_fortran_comm')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_register_array(job, name, element, width, count, partition, &
            kind, id) bind(c, name='nereus_fortran_register_array')
            import :: c_int, c_ptr, c_char, c_int64_t
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: element, partition, kind
            integer(c_int64_t), value :: width, count
            integer(c_int), intent(inout) :: id
        end function
        integer(c_int) function c_register_replicated(job, name, element, count, kind, values, id) &
            bind(c, name='nereus_fortran_register_replicated')
            import :: c_int, c_ptr, c_char, c_int64_t
            type(c_ptr), value :: job, values
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: element, kind
            integer(c_int64_t), value :: count
            integer(c_int), intent(inout) :: id
        end function
        subroutine c_abort(sentence) bind(c, name='nereus_fortran_abort')
            import :: c_ptr
            type(c_ptr), value :: sentence
        end subroutine
        logical(c_bool) function c_will_join() bind(c, name='nereus_will_join')
            import :: c_bool
        end function
        logical(c_bool) function c_is_joined(job) bind(c, name='nereus_is_joined')
            import :: c_bool, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_rank(job) bind(c, name='nereus_rank')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_size(job) bind(c, name='nereus_size')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int64_t) function c_points(job) bind(c, name='nereus_points')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int64_t) function c_reconfigurations(job) bind(c, name='nereus_reconfigurations')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int64_t) function c_restarts(job) bind(c, name='nereus_restarts')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_checkpoint(job) bind(c, name='nereus_checkpoint')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_local(job, id, element, width, part, first, count) &
            bind(c, name='nereus_fortran_local')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job
            integer(c_int), value :: id, element
            integer(c_int64_t), value :: width
            type(c_ptr), intent(inout) :: part
            integer(c_int64_t), intent(inout) :: first, count
        end function
        logical(c_bool) function c_is_received(job, id) bind(c, name='nereus_is_received')
            import :: c_bool, c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: id
        end function
        integer(c_int) function c_swap(job, a, b) bind(c, name='nereus_fortran_swap')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: a, b
        end function
        integer(c_int) function c_point(job, action) bind(c, name='nereus_point')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), intent(inout) :: action
        end function
        subroutine c_set_iterations_left(job, left) bind(c, name='nereus_set_iterations_left')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: job
            integer(c_int64_t), value :: left
        end subroutine
        integer(c_int) function c_declare_sizes(job, sizes) bind(c, name='nereus_declare_sizes')
            import :: c_int, c_ptr, c_sizes
            type(c_ptr), value :: job
            type(c_sizes), intent(in) :: sizes
        end function
        integer(c_int) function c_request_size(job, nt, method) bind(c, name='nereus_request_size')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job, method
            integer(c_int64_t), value :: nt
        end function
        integer(c_int) function c_request_release(job, nodes, count, method) &
            bind(c, name='nereus_request_release')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job, method
            type(c_ptr), intent(in) :: nodes(*)
            integer(c_int64_t), value :: count
        end function
        integer(c_int) function c_last_outcome(job, sentence) bind(c, name='nereus_last_outcome')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            type(c_ptr), intent(inout) :: sentence
        end function
        type(c_ptr) function c_last_error(job) bind(c, name='nereus_last_error')
            import :: c_ptr
            type(c_ptr), value :: job
        end function
        integer(c_int) function c_finalize(job) bind(c, name='nereus_finalize')
            import :: c_int, c_ptr
            type(c_ptr), intent(inout) :: job
        end function
        integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
            import :: c_size_t, c_ptr
            type(c_ptr), value :: text
        end function
    end interface

contains

    ! ---- texts and status ------------------------------------------------------------------------

    ! Appends the zero byte after the last character that is not blank.
    pure function to_c(text) result(bytes)
        character(len=*), intent(in) :: text
        character(kind=c_char) :: bytes(len_trim(text) + 1)
        integer :: i
        do i = 1, len_trim(text)
            bytes(i) = text(i:i)
        end do
        bytes(len_trim(text) + 1) = c_null_char
    end function

    function from_c(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: bytes(:)
        integer :: i, length
        if (.not. c_associated(pointer)) then
            text = ''
            return
        end if
        length = int(c_strlen(pointer))
        call c_f_pointer(pointer, bytes, [length])
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = bytes(i)
        end do
    end function

    subroutine hand_over(job, found, status)
        type(nereus_job), intent(in) :: job
        integer(c_int), intent(in) :: found
        integer, optional, intent(out) :: status
        if (present(status)) then
            status = found
        else if (found /= nereus_ok) then
            call c_abort(c_last_error(job%handle))
        end if
    end subroutine

    ! ---- begin and end ---------------------------------------------------------------------------

    ! Initialises MPI if the program has not.
    subroutine nereus_init(job, options, status)
        type(nereus_job), intent(out) :: job
        type(nereus_options), optional, intent(in) :: options
        integer, optional, intent(out) :: status
        integer(c_int) :: found
        call add_arguments()
        if (present(options)) call set_options(options)
        found = c_init(job%handle)
        ! nereus_init has printed the reason, once.
        if (found /= nereus_ok .and. .not. present(status)) call c_abort(c_null_ptr)
        call hand_over(job, found, status)
    end subroutine

    subroutine add_arguments()
        character(len=:), allocatable :: argument
        integer :: i, length
        do i = 0, command_argument_count()
            call get_command_argument(i, length=length)
            allocate (character(len=length) :: argument)
            call get_command_argument(i, value=argument)
            call c_add_argument(argument//c_null_char) ! with its blanks
            deallocate (argument)
        end do
    end subroutine

    subroutine set_options(options)
        type(nereus_options), intent(in) :: options
        type(c_funptr) :: before, after
        integer :: i
        call c_set_text(to_c('method'), to_c(options%method))
        call c_set_text(to_c('program'), to_c(options%program))
        call c_set_text(to_c('hostfile'), to_c(options%hostfile))
        call c_set_text(to_c('trace'), to_c(options%trace))
        call c_set_text(to_c('state'), to_c(options%state))
        call c_set_text(to_c('bind'), to_c(options%bind))
        call c_set_text(to_c('connect'), to_c(options%connect))
        call c_set_text(to_c('profile'), to_c(options%profile))
        call c_set_text(to_c('goal'), to_c(options%goal))
        call c_set_text(to_c('scaling'), to_c(options%scaling))
        call c_set_text(to_c('policy'), to_c(options%policy))
        call c_set_text(to_c('checkpoint'), to_c(options%checkpoint))
        call c_set_counts(options%slots, options%batch, options%test_every, &
            options%cores_per_process, options%iterations)
        call c_set_reals(options%spawn_timeout_s, options%checkpoint_every_s, &
            options%node_power_w, options%idle_power_w, options%resize_power_w)
        if (allocated(options%schedule)) then
            do i = 1, size(options%schedule)
                call c_add_resize(options%schedule(i)%point, options%schedule(i)%nt, &
                    to_c(options%schedule(i)%method))
            end do
        end if
        before = c_null_funptr
        after = c_null_funptr
        before_callback => options%before
        after_callback => options%after
        if (associated(before_callback)) before = c_funloc(call_before)
        if (associated(after_callback)) after = c_funloc(call_after)
        call c_set_callbacks(before, after)
    end subroutine

    subroutine call_before(job, user) bind(c)
        type(c_ptr), value :: job, user
        call before_callback(nereus_job(job))
        if (c_associated(user)) return ! always null: the callback has its own module
    end subroutine

    subroutine call_after(job, user) bind(c)
        type(c_ptr), value :: job, user
        call after_callback(nereus_job(job))
        if (c_associated(user)) return
    end subroutine

    subroutine nereus_finalize(job, status)
        type(nereus_job), intent(inout) :: job
        integer, optional, intent(out) :: status
        call hand_over(job, c_finalize(job%handle), status)
    end subroutine

    ! ---- queries ---------------------------------------------------------------------------------

    logical function nereus_will_join()
        nereus_will_join = c_will_join()
    end function

    logical function nereus_is_joined(job)
        type(nereus_job), intent(in) :: job
        nereus_is_joined = c_is_joined(job%handle)
    end function

    ! For mpif.h and the module mpi; with mpi_f08 it is the value of the component mpi_val.
    integer function nereus_comm(job)
        type(nereus_job), intent(in) :: job
        nereus_comm = c_comm(job%handle)
    end function

    integer function nereus_rank(job)
        type(nereus_job), intent(in) :: job
        nereus_rank = c_rank(job%handle)
    end function

    integer function nereus_size(job)
        type(nereus_job), intent(in) :: job
        nereus_size = c_size(job%handle)
    end function

    integer(int64) function nereus_points(job)
        type(nereus_job), intent(in) :: job
        nereus_points = c_points(job%handle)
    end function

    integer(int64) function nereus_reconfigurations(job)
        type(nereus_job), intent(in) :: job
        nereus_reconfigurations = c_reconfigurations(job%handle)
    end function

    integer(int64) function nereus_restarts(job)
        type(nereus_job), intent(in) :: job
        nereus_restarts = c_restarts(job%handle)
    end function

    ! ---- data ------------------------------------------------------------------------------------

    ! count elements in all, each of width values of this type, which are not separated (a column of
    ! part(width, count)).
    subroutine nereus_register_array(job, name, element, count, kind, id, width, status, partition)
        type(nereus_job), intent(in) :: job
        character(len=*), intent(in) :: name
        integer, intent(in) :: element, kind
        integer(int64), intent(in) :: count
        integer, intent(out) :: id
        integer(int64), optional, intent(in) :: width
        integer, optional, intent(out) :: status
        integer, optional, intent(in) :: partition
        integer(int64) :: values
        integer(c_int) :: made
        values = 1
        if (present(width)) values = width
        made = 0
        call hand_over(job, c_register_array(job%handle, to_c(name), element, values, count, &
            partition_or_default(partition), kind, made), status)
        id = made
    end subroutine

    pure integer(c_int) function partition_or_default(partition)
        integer, optional, intent(in) :: partition
        partition_or_default = nereus_by_length
        if (present(partition)) partition_or_default = partition
    end function

    subroutine replicate(job, name, element, count, kind, values, id, status)
        type(nereus_job), intent(in) :: job
        character(len=*), intent(in) :: name
        integer, intent(in) :: element, kind
        integer(int64), intent(in) :: count
        type(c_ptr), intent(in) :: values
        integer, intent(out) :: id
        integer, optional, intent(out) :: status
        integer(c_int) :: made
        made = 0
        call hand_over(job, c_register_replicated(job%handle, to_c(name), element, count, kind, &
            values, made), status)
        id = made
    end subroutine

    ! Address of a part, its position among all elements (from 1), and its length, for an array that
    ! was registered with this type of values and this number of values in an element. For other
    ! data the length is 0, and status has the error.
    subroutine find_part(job, id, element, width, at, first, count, status)
        type(nereus_job), intent(in) :: job
        integer, intent(in) :: id, element
        integer(int64), intent(in) :: width
        type(c_ptr), intent(out) :: at
        integer(int64), optional, intent(out) :: first
        integer(int64), intent(out) :: count
        integer, optional, intent(out) :: status
        integer(c_int64_t) :: from
        integer(c_int) :: found
        from = 0
        count = 0
        at = c_null_ptr
        found = c_local(job%handle, id, element, width, at, from, count)
        if (count == 0) at = c_loc(nothing)
        if (present(first)) first = from + 1
        call hand_over(job, found, status)
    end subroutine

    include 'nereus_matrix.inc'
    include 'nereus_grid.inc'

    ! /**/ joins two names, as Fortran compilers use the traditional preprocessor.
#define VALUE integer(int32)
#define ELEMENT nereus_int32
#define SPARSE nereus_sparse_int32
#define OF(name) name/**/_int32
#include "nereus_of_type.inc"
#define VALUE integer(int64)
#define ELEMENT nereus_int64
#define SPARSE nereus_sparse_int64
#define OF(name) name/**/_int64
#include "nereus_of_type.inc"
#define VALUE real(real32)
#define ELEMENT nereus_real32
#define SPARSE nereus_sparse_real32
#define OF(name) name/**/_real32
#include "nereus_of_type.inc"
#define VALUE real(real64)
#define ELEMENT nereus_real64
#define SPARSE nereus_sparse
#define OF(name) name/**/_real64
#include "nereus_of_type.inc"

    ! Has this process received the values from others? False: the data is new in all processes.
    logical function nereus_is_received(job, id)
        type(nereus_job), intent(in) :: job
        integer, intent(in) :: id
        nereus_is_received = c_is_received(job%handle, id)
    end function

    ! Two arrays of the same shape exchange their parts: call nereus_local again.
    subroutine nereus_swap(job, a, b, status)
        type(nereus_job), intent(in) :: job
        integer, intent(in) :: a, b
        integer, optional, intent(out) :: status
        call hand_over(job, c_swap(job%handle, a, b), status)
    end subroutine

    ! ---- changes of size -------------------------------------------------------------------------

    subroutine nereus_point(job, action, status)
        type(nereus_job), intent(in) :: job
        integer, intent(out) :: action
        integer, optional, intent(out) :: status
        integer(c_int) :: result
        result = nereus_continue
        call hand_over(job, c_point(job%handle, result), status)
        action = result
    end subroutine

    ! Writes all registered data into the folder options%checkpoint.
    subroutine nereus_checkpoint(job, status)
        type(nereus_job), intent(in) :: job
        integer, optional, intent(out) :: status
        call hand_over(job, c_checkpoint(job%handle), status)
    end subroutine

    ! `at` is null for a blank text, which means the default. A text that is longer than any method
    ! is replaced by an invalid word.
    subroutine keep_method(method, text, at)
        character(len=*), optional, intent(in) :: method
        character(kind=c_char), target, intent(out) :: text(text_max + 1)
        type(c_ptr), intent(out) :: at
        integer :: length
        text = c_null_char
        at = c_null_ptr
        if (.not. present(method)) return
        length = min(len_trim(method), text_max)
        text(:length + 1) = to_c(method(:length))
        if (length > 0) at = c_loc(text)
    end subroutine

    ! Rank 0: number of iterations that are left; below 0: unknown.
    subroutine nereus_set_iterations_left(job, left)
        type(nereus_job), intent(in) :: job
        integer(int64), intent(in) :: left
        call c_set_iterations_left(job%handle, left)
    end subroutine

    ! Sizes that the program can have; an absent argument is not declared.
    subroutine nereus_declare_sizes(job, minimum, maximum, multiple_of, powers_of_two, status)
        type(nereus_job), intent(in) :: job
        integer(int64), optional, intent(in) :: minimum, maximum, multiple_of
        logical, optional, intent(in) :: powers_of_two
        integer, optional, intent(out) :: status
        type(c_sizes) :: sizes
        if (present(minimum)) sizes%minimum = minimum
        if (present(maximum)) sizes%maximum = maximum
        if (present(multiple_of)) sizes%multiple_of = multiple_of
        if (present(powers_of_two)) sizes%powers_of_two = powers_of_two
        call hand_over(job, c_declare_sizes(job%handle, sizes), status)
    end subroutine

    subroutine nereus_request_size(job, nt, method, status)
        type(nereus_job), intent(in) :: job
        integer(int64), intent(in) :: nt
        character(len=*), optional, intent(in) :: method
        integer, optional, intent(out) :: status
        character(kind=c_char), target :: text(text_max + 1)
        type(c_ptr) :: at
        call keep_method(method, text, at)
        call hand_over(job, c_request_size(job%handle, nt, at), status)
    end subroutine

    ! Releases one node.
    subroutine nereus_request_release(job, node, method, status)
        type(nereus_job), intent(in) :: job
        character(len=*), intent(in) :: node
        character(len=*), optional, intent(in) :: method
        integer, optional, intent(out) :: status
        character(kind=c_char), target :: text(text_max + 1), name(len_trim(node) + 1)
        type(c_ptr) :: at
        name(:) = to_c(node)
        call keep_method(method, text, at)
        call hand_over(job, c_request_release(job%handle, [c_loc(name)], 1_int64, at), status)
    end subroutine

    integer function nereus_last_outcome(job, sentence)
        type(nereus_job), intent(in) :: job
        character(len=:), allocatable, optional, intent(out) :: sentence
        type(c_ptr) :: at
        nereus_last_outcome = c_last_outcome(job%handle, at)
        if (present(sentence)) sentence = from_c(at)
    end function

    ! Message of the last error in this process; without a job, of nereus_init.
    function nereus_last_error(job) result(sentence)
        type(nereus_job), intent(in) :: job
        character(len=:), allocatable :: sentence
        sentence = from_c(c_last_error(job%handle))
    end function
end module
