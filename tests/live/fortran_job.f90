! A malleable program in Fortran that checks itself: changes its size three times (or as often as
! its words say) and looks at every element of everything that it registered after each point.
! Words: the method for all changes, sizes at iterations 3, 6 and 9.
!
!   fortran-job METHOD SIZE SIZE SIZE [CORES]      (that each process takes)
module fortran_job_data
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use nereus
    implicit none

    integer(int64), parameter :: elements = 1009, few = 2, width = 3, last = 12

    type(nereus_job), save :: job
    integer, save :: x_id, rows_id, few_id, wrong = 0, before_calls = 0, after_calls = 0
    integer(int64), target, save :: iteration = 0
    integer(int32), target, save :: year = 0
    real(real64), target, save :: parameters(3) = 0

    interface
        integer(c_int) function sum_of(comm, mine) bind(c, name='fortran_test_sum')
            use, intrinsic :: iso_c_binding, only: c_int
            integer(c_int), value :: comm, mine
        end function
    end interface

contains

    subroutine register_all()
        integer :: id
        call nereus_register_array(job, 'x', nereus_real64, elements, nereus_variable, x_id)
        call nereus_register_array(job, 'rows', nereus_real64, elements, nereus_constant, &
            rows_id, width=width)
        call nereus_register_array(job, 'few', nereus_int64, few, nereus_constant, few_id)
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
        call nereus_register_replicated(job, 'year', year, nereus_constant, id)
        call nereus_register_replicated(job, 'parameters', parameters, nereus_constant, id)
    end subroutine

    subroutine fill()
        real(real64), pointer :: x(:), rows(:, :)
        integer(int64), pointer :: two(:)
        integer(int64) :: first, i, j
        call nereus_local(job, x_id, x, first)
        x = [(real(first + i, real64), i = 0, size(x) - 1)]
        call nereus_local(job, rows_id, rows, width, first)
        do i = 1, size(rows, 2)
            rows(:, i) = [(real(10*(first + i - 1) + j, real64), j = 1, width)]
        end do
        call nereus_local(job, few_id, two, first)
        two = [(1000 + first + i, i = 0, size(two) - 1)]
        year = 1998
        parameters = [0.5_real64, -2.25_real64, 1e300_real64]
    end subroutine

    subroutine expect(good)
        logical, intent(in) :: good
        if (.not. good) wrong = wrong + 1
    end subroutine

    ! x grows by 1 in each iteration; all else stays.
    subroutine check()
        real(real64), pointer :: x(:), rows(:, :)
        integer(int64), pointer :: two(:)
        integer(int64) :: first, i
        integer :: all_elements
        call nereus_local(job, x_id, x, first)
        do i = 1, size(x)
            if (int(x(i), int64) /= first + i - 1 + iteration) wrong = wrong + 1
        end do
        all_elements = sum_of(nereus_comm(job), size(x))
        if (all_elements /= elements) wrong = wrong + 1
        call nereus_local(job, rows_id, rows, width, first)
        do i = 1, size(rows, 2)
            if (any(nint(rows(:, i)) /= [10, 10, 10]*(first + i - 1) + [1, 2, 3])) wrong = wrong + 1
        end do
        call nereus_local(job, few_id, two, first)
        do i = 1, size(two)
            if (two(i) /= 1000 + first + i - 1) wrong = wrong + 1
        end do
        if (year /= 1998 .or. nint(4*parameters(2)) /= -9) wrong = wrong + 1
    end subroutine

    subroutine iterate()
        real(real64), pointer :: x(:)
        call nereus_local(job, x_id, x)
        x = x + 1
        iteration = iteration + 1
    end subroutine

    ! A pointer that would run past the data, or read them as others, is refused, and has length 0.
    subroutine check_refusals()
        real(real64), pointer :: x(:), rows(:, :)
        real(real32), pointer :: half(:)
        integer(int32), pointer :: whole(:)
        integer(int64) :: first, count
        integer :: status, rank
        call nereus_local(job, rows_id, rows, 7_int64, status=status)
        call expect(status /= nereus_ok .and. size(rows) == 0)
        call expect(index(nereus_last_error(job), "'rows' was registered with elements of 3") > 0)
        call nereus_local(job, rows_id, x, status=status)
        call expect(status /= nereus_ok .and. size(x) == 0)
        call nereus_local(job, x_id, half, status=status)
        call expect(status /= nereus_ok .and. size(half) == 0)
        call nereus_local(job, x_id, whole, status=status)
        call expect(status /= nereus_ok .and. size(whole) == 0)
        call expect(index(nereus_last_error(job), 'nereus_int32') > 0)
        call nereus_swap(job, x_id, few_id, status)
        call expect(status /= nereus_ok)
        call expect(index(nereus_last_error(job), '1 values of nereus_real64 cannot be') > 0)
        call nereus_swap(job, rows_id, rows_id, status)
        call expect(status /= nereus_ok)
        call expect(index(nereus_last_error(job), "'rows' is constant") > 0)
        call nereus_owner_of(job, x_id, 0_int64, rank, status)
        call expect(status /= nereus_ok)
        call expect(index(nereus_last_error(job), 'from 1') > 0)
        call nereus_part_of(job, x_id, -1, first, count, status)
        call expect(status /= nereus_ok .and. count == 0)
        call nereus_part_of(job, x_id, nereus_rank(job), first, count)
        call nereus_owner_of(job, x_id, first + count - 1, rank)
        call expect(rank == nereus_rank(job))
        call expect(nereus_is_received(job, x_id) .eqv. nereus_is_joined(job))
        call nereus_local(job, -1, x, status=status)
        call expect(status /= nereus_ok)
    end subroutine

    subroutine count_before(given)
        type(nereus_job), intent(in) :: given
        before_calls = before_calls + min(1, nereus_size(given))
    end subroutine

    subroutine count_after(given)
        type(nereus_job), intent(in) :: given
        after_calls = after_calls + min(1, nereus_size(given))
    end subroutine
end module

program fortran_job
    use fortran_job_data
    implicit none
    type(nereus_options) :: options
    character(len=64) :: word
    character(len=:), allocatable :: sentence
    integer(int64) :: sizes(3)
    integer :: i, action, status
    logical :: rank_0

    if (command_argument_count() < 4) error stop 'fortran-job METHOD SIZE SIZE SIZE [CORES]'
    call get_command_argument(1, options%method)
    allocate (options%schedule(3))
    do i = 1, 3
        call get_command_argument(i + 1, word)
        read (word, *) sizes(i)
        options%schedule(i) = nereus_resize(point=3_int64*i, nt=sizes(i))
    end do
    if (command_argument_count() > 4) then
        call get_command_argument(5, word)
        read (word, *) options%cores_per_process
    end if
    options%before => count_before
    options%after => count_after
    call nereus_init(job, options, status)
    if (status == nereus_err_cancelled) stop
    if (status /= nereus_ok) error stop 'nereus_init refused'
    call register_all()
    ! The others are at the end of the same iteration, and check as well.
    if (nereus_is_joined(job)) then
        call expect(after_calls == 1)
        call check()
    else
        call fill()
    end if
    ! What a call refuses comes back as a status.
    call nereus_register_array(job, 'x', nereus_real64, elements, nereus_variable, i, status=status)
    call expect(status /= nereus_ok)
    call expect(index(nereus_last_error(job), 'x') > 0)
    call check_refusals()
    call nereus_declare_sizes(job, maximum=64_int64, multiple_of=1_int64)
    call nereus_declare_sizes(job, maximum=7_int64, multiple_of=8_int64, status=status)
    call expect(status /= nereus_ok)
    call nereus_declare_sizes(job, maximum=7_int64, powers_of_two=.true., status=status)
    call expect(status == nereus_ok)

    action = nereus_continue
    do while (iteration < last .and. action /= nereus_leave)
        call iterate()
        call nereus_point(job, action)
        if (action /= nereus_leave) call check()
        if (action == nereus_resized .and. after_calls == 0) wrong = wrong + 1
    end do

    rank_0 = nereus_rank(job) == 0
    if (action /= nereus_leave) then
        call expect(nereus_reconfigurations(job) == 3)
        call expect(nereus_size(job) == sizes(3))
        call expect(nereus_last_outcome(job, sentence) == nereus_outcome_resized)
        call expect(nereus_points(job) == last)
        wrong = sum_of(nereus_comm(job), wrong)
        if (rank_0) print '(a, i0, a, i0, a, i0)', 'iteration ', iteration, ', ', &
            nereus_size(job), ' processes, wrong ', wrong
    else if (before_calls == 0) then
        wrong = wrong + 1
    end if
    call nereus_finalize(job)
    ! A main program keeps them to its end, which a look for leaks does not like.
    deallocate (options%schedule)
    if (allocated(sentence)) deallocate (sentence)
    if (wrong /= 0) stop 1
end program
