! What the two solvers in Fortran share, as solver.c does for those in C: options, vectors in parts,
! sums, results.
module solver
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_ptr
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
    use mpi_f08
    implicit none

    ! A vector of so many unknowns, of which each process has rows from first on (counted from 1).
    type :: layout
        type(MPI_Comm) :: comm = MPI_COMM_NULL
        integer :: rank = 0, size = 0
        integer(int64) :: unknowns = 0, first = 1, rows = 0
        integer, allocatable :: counts(:), firsts(:) ! of each rank; from 0, as MPI wants them
        real(real64), allocatable :: whole(:)        ! a gathered vector
    end type

    ! What all options of solvers say.
    integer(int64) :: most_iterations
    real(real64) :: tolerance, pause_s

    type(MPI_Datatype), private :: pair
    type(MPI_Op), private :: add_pairs
    logical, private :: sums_ready = .false.
    real(real64), private :: began_clock, began_cpu
    integer(int64), private :: began_iteration

    interface
        integer(c_int) function usleep(microseconds) bind(c)
            import :: c_int
            integer(c_int), value :: microseconds
        end function
    end interface

contains

    ! ---- options ---------------------------------------------------------------------------------

    function program_name() result(name)
        character(len=:), allocatable :: name
        character(len=1024) :: path
        call get_command_argument(0, path)
        name = trim(path(index(path, '/', back=.true.) + 1:))
    end function

    subroutine abort_job(sentence)
        character(len=*), intent(in) :: sentence
        write (error_unit, '(3a)') program_name(), ': ', sentence
        stop 64
    end subroutine

    ! The number of the argument that is this option; 0: it was not given.
    integer function place_of(option)
        character(len=*), intent(in) :: option
        character(len=64) :: word
        integer :: i
        place_of = 0
        do i = 1, command_argument_count()
            call get_command_argument(i, word)
            if (word == option) place_of = i
        end do
    end function

    logical function is_given(option)
        character(len=*), intent(in) :: option
        is_given = place_of(option) > 0
    end function

    ! The word behind an option, else this one.
    function text_of(option, otherwise) result(text)
        character(len=*), intent(in) :: option, otherwise
        character(len=:), allocatable :: text
        integer :: place, length
        text = otherwise
        place = place_of(option)
        if (place == 0) return
        call get_command_argument(place + 1, length=length)
        deallocate (text)
        allocate (character(len=length) :: text)
        call get_command_argument(place + 1, text)
        if (length == 0 .or. index(text, '--') == 1) call abort_job(option//' needs a value')
    end function

    integer(int64) function number_of(option, otherwise, least)
        character(len=*), intent(in) :: option, otherwise
        integer(int64), intent(in) :: least
        character(len=:), allocatable :: text
        integer :: failed
        text = text_of(option, otherwise)
        failed = verify(text, '0123456789')
        if (failed == 0) read (text, *, iostat=failed) number_of
        if (failed == 0) then
            if (number_of >= least .and. number_of <= huge(1)) return
        end if
        call abort_job(option//' takes a whole number, not '''//text//'''')
        number_of = least ! not reached
    end function

    real(real64) function fraction_of(option, otherwise)
        character(len=*), intent(in) :: option, otherwise
        character(len=:), allocatable :: text
        integer :: failed
        text = text_of(option, otherwise)
        fraction_of = -1
        read (text, *, iostat=failed) fraction_of
        if (failed /= 0 .or. fraction_of < 0 .or. fraction_of >= 1) &
            call abort_job(option//' takes a number from 0 to below 1, not '''//text//'''')
    end function

    ! Refuses what is not among the words of `known`, and reads the options of both solvers.
    subroutine read_options(known)
        character(len=*), intent(in) :: known
        character(len=64) :: word
        integer :: i
        do i = 1, command_argument_count()
            call get_command_argument(i, word)
            if (index(word, '--') == 1 .and. &
                index(' --iterations --tolerance --print --pause '//known//' ', &
                      ' '//trim(word)//' ') == 0) call abort_job('unknown option '//trim(word))
        end do
        most_iterations = number_of('--iterations', '1000', 0_int64)
        tolerance = fraction_of('--tolerance', '1e-10')
        pause_s = fraction_of('--pause', '0')
    end subroutine

    ! ---- sums with twice the digits, so that they are the same for any number of processes -------

    ! Knuth's sum without a loss: high is the sum, low gathers the rounding errors.
    pure subroutine add(high, low, x)
        real(real64), intent(inout) :: high, low
        real(real64), intent(in) :: x
        real(real64) :: sum, part
        sum = high + x
        part = sum - high
        low = low + ((high - (sum - part)) + (x - part))
        high = sum
    end subroutine

    ! The upper half of the digits (Veltkamp).
    pure real(real64) function upper_half(x)
        real(real64), intent(in) :: x
        real(real64) :: large
        large = 134217729*x ! 2**27 + 1
        upper_half = large - (large - x)
    end function

    ! high + low + a * b: the rounding error of a product is a real64 (Dekker).
    pure subroutine add_product(high, low, a, b)
        real(real64), intent(inout) :: high, low
        real(real64), intent(in) :: a, b
        real(real64) :: product, a_high, b_high, a_low, b_low
        product = a*b
        a_high = upper_half(a)
        b_high = upper_half(b)
        a_low = a - a_high
        b_low = b - b_high
        call add(high, low, product)
        low = low + (a_low*b_low - (((product - a_high*b_high) - a_low*b_high) - a_high*b_low))
    end subroutine

    subroutine add_all(in, in_out, count, type)
        type(c_ptr), value :: in, in_out
        integer :: count
        type(MPI_Datatype) :: type
        real(real64), pointer :: more(:, :), sums(:, :)
        integer :: i
        call c_f_pointer(in, more, [2, count])
        call c_f_pointer(in_out, sums, [2, count])
        do i = 1, count
            call add(sums(1, i), sums(2, i), more(1, i))
            sums(2, i) = sums(2, i) + more(2, i)
        end do
        if (type == MPI_DATATYPE_NULL) return ! always a pair
    end subroutine

    real(real64) function dot(l, a, b)
        type(layout), intent(in) :: l
        real(real64), intent(in) :: a(:), b(:)
        real(real64) :: mine(2), all_of(2)
        integer(int64) :: i
        mine = 0
        do i = 1, l%rows
            call add_product(mine(1), mine(2), a(i), b(i))
        end do
        call MPI_Allreduce(mine, all_of, 1, pair, add_pairs, l%comm)
        dot = all_of(1) + all_of(2)
    end function

    ! ---- vectors in parts ------------------------------------------------------------------------

    subroutine block_of(comm, unknowns, first, rows)
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: unknowns
        integer(int64), intent(out) :: first, rows
        integer(int64) :: more
        integer :: rank, size
        call MPI_Comm_rank(comm, rank)
        call MPI_Comm_size(comm, size)
        more = mod(unknowns, int(size, int64))
        rows = unknowns/size + merge(1, 0, rank < more)
        first = rank*(unknowns/size) + min(int(rank, int64), more) + 1
    end subroutine

    ! What depends on communicator and rows.
    subroutine lay_out(l, comm, unknowns, first, rows)
        type(layout), intent(out) :: l
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: unknowns, first, rows
        integer :: mine(2), rank
        integer, allocatable :: all_of(:, :)
        l%comm = comm
        l%unknowns = unknowns
        l%first = first
        l%rows = rows
        call MPI_Comm_rank(comm, rank)
        l%rank = rank
        call MPI_Comm_size(comm, l%size)
        allocate (all_of(2, l%size), l%whole(unknowns))
        mine = [int(rows), int(first) - 1]
        call MPI_Allgather(mine, 2, MPI_INTEGER, all_of, 2, MPI_INTEGER, comm)
        l%counts = all_of(1, :)
        l%firsts = all_of(2, :)
        if (sums_ready) return
        call MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, pair)
        call MPI_Type_commit(pair)
        call MPI_Op_create(add_all, .true., add_pairs)
        sums_ready = .true.
    end subroutine

    subroutine end_sums()
        if (.not. sums_ready) return
        call MPI_Type_free(pair)
        call MPI_Op_free(add_pairs)
    end subroutine

    subroutine gather(l, part)
        type(layout), intent(inout) :: l
        real(real64), intent(in) :: part(:)
        call MPI_Allgatherv(part, int(l%rows), MPI_DOUBLE_PRECISION, l%whole, l%counts, l%firsts, &
            MPI_DOUBLE_PRECISION, l%comm)
    end subroutine

    ! ---- iterations and results ------------------------------------------------------------------

    logical function has_ended(iteration, residual)
        integer(int64), intent(in) :: iteration
        real(real64), intent(in) :: residual
        has_ended = iteration >= most_iterations .or. (tolerance > 0 .and. residual <= tolerance)
    end function

    subroutine pause_between()
        integer(c_int) :: ignored
        if (pause_s > 0) ignored = usleep(int(pause_s*1e6_real64, c_int))
    end subroutine

    subroutine start_clock(iteration)
        integer(int64), intent(in) :: iteration
        began_clock = MPI_Wtime()
        call cpu_time(began_cpu)
        began_iteration = iteration
    end subroutine

    function text_real(value, form) result(text)
        real(real64), intent(in) :: value
        character(len=*), intent(in) :: form
        character(len=:), allocatable :: text
        character(len=32) :: room
        write (room, form) value
        text = trim(adjustl(room))
    end function

    ! reconfigurations: below 0 for a program that has none. @return the exit status
    integer function report(l, history, iterations, x, reconfigurations) result(status)
        type(layout), intent(in) :: l
        integer(int64), intent(in) :: iterations, reconfigurations
        real(real64), intent(in) :: history(0:), x(:)
        real(real64) :: mine, error, clock, cpu
        integer(int64) :: i
        clock = MPI_Wtime() - began_clock
        call cpu_time(cpu)
        cpu = cpu - began_cpu
        mine = 0
        if (l%rows > 0) mine = maxval(abs(x - 1))
        call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, l%comm)
        status = merge(0, 1, tolerance <= 0 .or. history(iterations) <= tolerance)
        if (l%rank /= 0) return
        do i = 0, merge(iterations, -1_int64, is_given('--print'))
            print '(a, i0, 1x, a)', 'residual ', i, text_real(history(i), '(es25.16e3)')
        end do
        write (*, '(i0, 5a, i0, a)', advance='no') iterations, ' iterations, residual ', &
            text_real(history(iterations), '(es12.2)'), ', largest error ', &
            text_real(error, '(es12.2)'), ', ', l%size, ' processes, '
        if (reconfigurations >= 0) write (*, '(i0, a)', advance='no') reconfigurations, &
            ' reconfigurations, '
        print '(a, i0, 5a)', 'from iteration ', began_iteration, ' on ', text_real(clock, &
            '(f20.6)'), &
            ' s, ', text_real(cpu, '(f20.6)'), ' s CPU'
        if (status /= 0) write (error_unit, '(4a, i0, 3a)') program_name(), ': the residual is ', &
            text_real(history(iterations), '(es12.2)'), ' after ', iterations, ' iterations; ', &
            text_real(tolerance, '(es12.2)'), ' was wanted'
    end function
end module
