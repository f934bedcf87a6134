! Heat in a plate, explicit in time, by ranges of rows, malleable: heat.c in Fortran. A row of the
! plate is a column of u, contiguous in memory. Arguments: rows, columns, steps. MPI is called
! through C (heat_mpi.c), as the MPI at hand may come without Fortran.
module heat_plate
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use nereus
    implicit none

    type(nereus_job), save :: job
    integer, save :: u_id, next_id
    integer(int64), save :: rows = 200, columns = 300, steps = 100
    integer(int64), target, save :: step = 0

    interface
        subroutine heat_shift(comm, send, to, receive, from, count, tag) bind(c, name='heat_shift')
            import :: c_double, c_int, c_int64_t
            integer(c_int), value :: comm, to, from, tag
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: send(*)
            real(c_double), intent(inout) :: receive(*)
        end subroutine
        subroutine heat_report(comm, u, first, count, changes) bind(c, name='heat_report')
            import :: c_double, c_int, c_int64_t
            integer(c_int), value :: comm, changes
            integer(c_int64_t), value :: first, count
            real(c_double), intent(in) :: u(*)
        end subroutine
    end interface

contains

    ! Without status an error prints its sentence and ends the job.
    subroutine register_all()
        integer :: id
        call nereus_register_array(job, 'u', nereus_real64, rows, nereus_variable, u_id, &
            width=columns)
        call nereus_register_array(job, 'next', nereus_real64, rows, nereus_variable, next_id, &
            width=columns)
        call nereus_register_replicated(job, 'step', step, nereus_variable, id)
    end subroutine

    ! Cold, with a warm edge and a hot spot.
    subroutine fill()
        real(real64), pointer :: u(:, :)
        integer(int64) :: first, row, i, j
        call nereus_local(job, u_id, u, columns, first)
        do i = 1, size(u, 2, int64)
            row = first + i - 2 ! from 0, as in heat.c
            do j = 0, columns - 1
                u(j + 1, i) = 0
                if (row > rows/3 .and. row < rows/2 .and. j > columns/2) u(j + 1, i) = 10
                if (row == 0) u(j + 1, i) = 1 + 0.01_real64*real(j, real64)
            end do
        end do
    end subroutine

    ! The process that has a row, from 1; -1 beyond the plate. Ranges need not be in rank order.
    integer function owner_of(row)
        integer(int64), intent(in) :: row
        owner_of = -1
        if (row >= 1 .and. row <= rows) call nereus_owner_of(job, u_id, row, owner_of)
    end function

    subroutine compute()
        real(real64), pointer :: u(:, :), next(:, :)
        real(real64) :: above(columns), below(columns)
        integer(int64) :: first, count, i
        integer :: up, down
        call nereus_local(job, u_id, u, columns, first)
        call nereus_local(job, next_id, next, columns)
        count = size(u, 2, int64)
        if (count == 0) return
        up = owner_of(first - 1)
        down = owner_of(first + count)
        above = 0
        below = 0
        call heat_shift(nereus_comm(job), u(:, 1), up, below, down, columns, 0)
        call heat_shift(nereus_comm(job), u(:, count), down, above, up, columns, 1)
        do i = 1, count
            if (first + i - 1 == 1 .or. first + i - 1 == rows) then
                next(:, i) = u(:, i) ! edges of the plate keep their values
            else if (i == 1 .and. i == count) then
                call compute_row(above, u(:, i), below, next(:, i))
            else if (i == 1) then
                call compute_row(above, u(:, i), u(:, i + 1), next(:, i))
            else if (i == count) then
                call compute_row(u(:, i - 1), u(:, i), below, next(:, i))
            else
                call compute_row(u(:, i - 1), u(:, i), u(:, i + 1), next(:, i))
            end if
        end do
    end subroutine

    pure subroutine compute_row(above, row, below, next)
        real(real64), intent(in) :: above(:), row(:), below(:)
        real(real64), intent(out) :: next(:)
        integer(int64) :: j
        next(1) = row(1)
        next(columns) = row(columns)
        do j = 2, columns - 1
            next(j) = row(j) + 0.2_real64*(above(j) + below(j) + row(j - 1) + row(j + 1) - 4*row(j))
        end do
    end subroutine

    subroutine report()
        real(real64), pointer :: u(:, :)
        integer(int64) :: first
        call nereus_local(job, u_id, u, columns, first)
        call heat_report(nereus_comm(job), u, (first - 1)*columns, size(u, kind=int64), &
            int(nereus_reconfigurations(job)))
    end subroutine
end module

program heat
    use heat_plate
    implicit none
    integer :: action

    call read_arguments()
    call nereus_init(job)
    call register_all()
    if (.not. nereus_is_received(job, u_id)) call fill()
    action = nereus_continue
    do while (step < steps .and. action /= nereus_leave)
        call compute()
        call nereus_swap(job, u_id, next_id)
        step = step + 1
        call nereus_point(job, action)
    end do
    if (action /= nereus_leave) call report()
    call nereus_finalize(job)

contains

    subroutine read_arguments()
        if (command_argument_count() >= 1) rows = number_of(1)
        if (command_argument_count() >= 2) columns = number_of(2)
        if (command_argument_count() >= 3) steps = number_of(3)
    end subroutine

    integer(int64) function number_of(i)
        integer, intent(in) :: i
        character(len=32) :: word
        integer :: status
        call get_command_argument(i, word)
        read (word, *, iostat=status) number_of
        if (status /= 0 .or. number_of < 1) &
            error stop 'heat: the arguments are numbers of rows, columns and steps'
    end function
end program
