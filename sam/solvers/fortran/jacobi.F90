! nereus-jacobi-fortran: Jacobi's iteration on a dense system of equations, by rows, malleable:
! jacobi.c in Fortran. Compiled without NEREUS_MALLEABLE it is the program before malleability,
! nereus-jacobi-fortran-plain.
!
!   NEREUS_SCHEDULE=4@20,2@60 nereus-mpiexec -n 2 nereus-jacobi-fortran --unknowns 500 --print
module jacobi
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use mpi_f08
    use solver
#ifdef NEREUS_MALLEABLE
    use nereus
#endif
    implicit none

    integer(int64) :: unknowns
    integer(int64), target :: iteration = 0
    real(real64), target :: norm_b = 0 ! of the right-hand side
    real(real64), allocatable, target :: history(:)
    type(layout) :: l
    ! a(:, i) is row i of this process; its parts of the vectors:
    real(real64), pointer :: a(:, :)
    real(real64), pointer :: b(:), x(:)
    real(real64), allocatable :: r(:)    ! residual; temporary
#ifdef NEREUS_MALLEABLE
    type(nereus_job) :: job
    integer :: a_id, b_id, x_id
#endif

contains

    ! ---- data ------------------------------------------------------------------------------------

    ! What depends on communicator and rows.
    subroutine make_room(comm, first, rows)
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: first, rows
        call lay_out(l, comm, unknowns, first, rows)
        if (allocated(r)) deallocate (r)
        allocate (r(rows))
    end subroutine

#ifdef NEREUS_MALLEABLE
    ! The data to keep across changes of size. In a joining process it arrives with the
    ! registration.
    subroutine register_all()
        integer :: id
        call nereus_register_matrix(job, 'a', nereus_real64, unknowns, unknowns, nereus_by_rows, &
            nereus_constant, a_id)
        call nereus_register_array(job, 'b', nereus_real64, unknowns, nereus_constant, b_id)
        call nereus_register_array(job, 'x', nereus_real64, unknowns, nereus_variable, x_id)
        call nereus_register_replicated(job, 'norm_b', norm_b, nereus_constant, id)
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
        call nereus_register_replicated(job, 'history', history, nereus_variable, id)
    end subroutine

    ! The local parts: after registration, and after each change of size.
    subroutine take_parts()
        integer(int64) :: first
        type(MPI_Comm) :: comm
        call nereus_local(job, a_id, a, unknowns, first)
        call nereus_local(job, b_id, b)
        call nereus_local(job, x_id, x)
        comm%mpi_val = nereus_comm(job)
        call make_room(comm, first, size(x, kind=int64))
    end subroutine

    ! @return false: this process is no longer needed
    logical function pass_point()
        integer :: action
        call nereus_point(job, action)
        if (action == nereus_resized) call take_parts()
        pass_point = action /= nereus_leave
    end function
#else
    subroutine take_memory()
        integer(int64) :: first, rows
        call block_of(MPI_COMM_WORLD, unknowns, first, rows)
        allocate (a(unknowns, rows), b(rows), x(rows))
        x = 0
        call make_room(MPI_COMM_WORLD, first, rows)
    end subroutine
#endif

    ! ---- the method ------------------------------------------------------------------------------

    ! A pseudo-random element in [0, 1], a function of row and column alone.
    pure real(real64) function hashed_element(row, column)
        integer(int64), intent(in) :: row, column
        hashed_element = abs(sin(real(row, real64)*12.9898_real64 + real(column, real64)*78.233_real64))
    end function

    ! A row of a strictly diagonally dominant matrix, for which Jacobi's iteration converges.
    subroutine fill_row(row, elements)
        integer(int64), intent(in) :: row
        real(real64), intent(out) :: elements(:)
        integer(int64) :: j
        do j = 1, unknowns
            elements(j) = -0.5_real64 - 0.5_real64*hashed_element(row, j)
        end do
        elements(row) = 0
        elements(row) = 1 - 1.25_real64*sum(elements)
    end subroutine

    ! The solution is all 1: the right-hand side is the row sums; x starts at 0.
    subroutine begin()
        integer(int64) :: i
        l%whole = 1
        do i = 1, l%rows
            call fill_row(l%first + i - 1, a(:, i))
            b(i) = dot_product(a(:, i), l%whole)
        end do
        norm_b = sqrt(dot(l, b, b))
        history(1) = 1
    end subroutine

    subroutine iterate()
        integer(int64) :: i
        call gather(l, x)
        do i = 1, l%rows
            r(i) = b(i) - dot_product(a(:, i), l%whole)
            x(i) = x(i) + r(i)/a(l%first + i - 1, i)
        end do
        iteration = iteration + 1
        history(iteration + 1) = sqrt(dot(l, r, r))/norm_b
    end subroutine

    ! @return false: this process is no longer needed
    logical function solve()
        solve = .false.
        do while (.not. has_ended(iteration, history(iteration + 1)))
            call iterate()
#ifdef NEREUS_MALLEABLE
            if (.not. pass_point()) return
#endif
            call pause_between()
        end do
        solve = .true.
    end function
end module

program main
    use jacobi
    implicit none
    integer :: status = 0
    integer(int64) :: reconfigurations = -1
    call read_options('--unknowns')
    unknowns = number_of('--unknowns', '500', 1_int64)
    allocate (history(most_iterations + 1))
    history = 0
#ifdef NEREUS_MALLEABLE
    call nereus_init(job)
    call register_all()
    call take_parts()
    if (.not. nereus_is_joined(job)) call begin()
#else
    call MPI_Init()
    call take_memory()
    call begin()
#endif
    call start_clock(iteration)
    if (solve()) then
#ifdef NEREUS_MALLEABLE
        reconfigurations = nereus_reconfigurations(job)
#endif
        status = report(l, history, iteration, x, reconfigurations)
    end if
    call end_sums()
#ifdef NEREUS_MALLEABLE
    call nereus_finalize(job)
#else
    call MPI_Finalize()
#endif
    if (status /= 0) stop 1
end program
