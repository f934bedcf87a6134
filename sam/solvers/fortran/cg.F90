! nereus-cg-fortran: conjugate gradient on the sparse matrix of a 27-point stencil, by rows,
! malleable: cg.c in Fortran. Compiled without NEREUS_MALLEABLE it is the program before
! malleability, nereus-cg-fortran-plain.
!
!   NEREUS_SCHEDULE=4@5,1@10:baseline/p2p nereus-mpiexec -n 2 nereus-cg-fortran --grid 20,20,20
module cg
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use mpi_f08
    use solver
#ifdef NEREUS_MALLEABLE
    use nereus
#endif
    implicit none

    integer(int64) :: grid(3), unknowns
    integer(int64), target :: iteration = 0
    real(real64), target :: rr = 0     ! square of the present residual
    real(real64), target :: norm_b = 0 ! of the right-hand side
    real(real64), allocatable, target :: history(:)
    type(layout) :: l
    ! The rows of this process: row i has pointers(i) to pointers(i + 1) - 1 of columns and values.
    integer(int64), pointer :: pointers(:), columns(:)
    real(real64), pointer :: values(:)
    real(real64), pointer :: b(:), x(:), r(:), p(:) ! its parts of the vectors
    real(real64), allocatable :: product(:)         ! of the matrix and p; temporary
#ifdef NEREUS_MALLEABLE
    type(nereus_job) :: job
    type(nereus_sparse), target :: a
    integer :: a_id, b_id, x_id, r_id, p_id
#endif

contains

    ! ---- the matrix ------------------------------------------------------------------------------

    ! The points around a row's point, low to high in each direction, from 0.
    pure subroutine around(row, low, high)
        integer(int64), intent(in) :: row
        integer(int64), intent(out) :: low(3), high(3)
        integer(int64) :: point(3)
        point = [mod(row - 1, grid(1)), mod((row - 1)/grid(1), grid(2)), (row - 1)/grid(1)/grid(2)]
        low = max(point - 1, 0_int64)
        high = min(point + 1, grid - 1)
    end subroutine

    ! Own rows, in memory of their own.
    subroutine make_rows(first, rows)
        integer(int64), intent(in) :: first, rows
        integer(int64) :: i, k, low(3), high(3), ix, iy, iz
        allocate (pointers(rows + 1))
        pointers(1) = 1
        do i = 1, rows
            call around(first + i - 1, low, high)
            pointers(i + 1) = pointers(i) + int(high(1) - low(1) + 1, int64)* &
                (high(2) - low(2) + 1)*(high(3) - low(3) + 1)
        end do
        allocate (columns(pointers(rows + 1) - 1), values(pointers(rows + 1) - 1))
        k = 0
        do i = 1, rows
            call around(first + i - 1, low, high)
            do iz = low(3), high(3)
                do iy = low(2), high(2)
                    do ix = low(1), high(1)
                        k = k + 1
                        columns(k) = (iz*grid(2) + iy)*grid(1) + ix + 1
                        values(k) = merge(26, -1, columns(k) == first + i - 1)
                    end do
                end do
            end do
        end do
    end subroutine

    subroutine multiply(vector, result)
        real(real64), intent(in) :: vector(:)
        real(real64), intent(out) :: result(:)
        integer(int64) :: i, k
        do i = 1, l%rows
            result(i) = 0
            do k = pointers(i), pointers(i + 1) - 1
                result(i) = result(i) + values(k)*vector(columns(k))
            end do
        end do
    end subroutine

    ! ---- data ------------------------------------------------------------------------------------

    ! What depends on communicator and rows.
    subroutine make_room(comm, first, rows)
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: first, rows
        call lay_out(l, comm, unknowns, first, rows)
        if (allocated(product)) deallocate (product)
        allocate (product(rows))
    end subroutine

#ifdef NEREUS_MALLEABLE
    ! The data to keep across changes of size. In a joining process it arrives with the
    ! registration.
    subroutine register_all()
        integer :: id
        call nereus_register_csr(job, 'a', unknowns, unknowns, pointers, columns, values, &
            nereus_constant, a_id)
        call nereus_weigh_by_nonzeros(job, a_id)
        call nereus_register_array(job, 'b', nereus_real64, unknowns, nereus_constant, b_id)
        call nereus_register_array(job, 'x', nereus_real64, unknowns, nereus_variable, x_id)
        call nereus_register_array(job, 'r', nereus_real64, unknowns, nereus_variable, r_id)
        call nereus_register_array(job, 'p', nereus_real64, unknowns, nereus_variable, p_id)
        call nereus_register_replicated(job, 'norm_b', norm_b, nereus_constant, id)
        call nereus_register_replicated(job, 'rr', rr, nereus_variable, id)
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
        call nereus_register_replicated(job, 'history', history, nereus_variable, id)
        deallocate (pointers, columns, values) ! they were copied
    end subroutine

    ! The local parts: after registration, and after each change of size.
    subroutine take_parts()
        type(MPI_Comm) :: comm
        call nereus_local_sparse(job, a_id, a)
        pointers => a%pointers
        columns => a%indices
        values => a%values
        call nereus_local(job, b_id, b)
        call nereus_local(job, x_id, x)
        call nereus_local(job, r_id, r)
        call nereus_local(job, p_id, p)
        comm%mpi_val = nereus_comm(job)
        call make_room(comm, a%first, a%count)
    end subroutine

    ! @return false: this process is no longer needed
    logical function pass_point()
        integer :: action
        call nereus_point(job, action)
        if (action == nereus_resized) call take_parts()
        pass_point = action /= nereus_leave
    end function
#endif

    ! Own rows of the matrix, and the vectors, in the initial processes; in one that joins they are
    ! there.
    subroutine set_up()
        type(MPI_Comm) :: comm
        integer(int64) :: first, rows
#ifdef NEREUS_MALLEABLE
        comm%mpi_val = nereus_comm(job)
        call block_of(comm, unknowns, first, rows)
        if (nereus_is_joined(job)) then
            allocate (pointers(0), columns(0), values(0))
        else
            call make_rows(first, rows)
        end if
        call register_all()
        call take_parts()
#else
        comm = MPI_COMM_WORLD
        call block_of(comm, unknowns, first, rows)
        call make_rows(first, rows)
        allocate (b(rows), x(rows), r(rows), p(rows))
        x = 0
        call make_room(comm, first, rows)
#endif
    end subroutine

    ! ---- the method ------------------------------------------------------------------------------

    ! The solution is all 1: the right-hand side is the row sums; x starts at 0.
    subroutine begin()
        l%whole = 1
        call multiply(l%whole, b)
        r = b
        p = b
        rr = dot(l, r, r)
        norm_b = sqrt(rr)
        history(1) = 1
    end subroutine

    subroutine iterate()
        real(real64) :: alpha, before
        call gather(l, p)
        call multiply(l%whole, product)
        alpha = rr/dot(l, p, product) ! the stencil's matrix is positive definite
        x = x + alpha*p
        r = r - alpha*product
        before = rr
        rr = dot(l, r, r)
        p = r + rr/before*p
        iteration = iteration + 1
        history(iteration + 1) = sqrt(rr)/norm_b
    end subroutine

    ! @return false: this process is no longer needed
    logical function solve()
        solve = .false.
        do while (.not. has_ended(iteration, history(iteration + 1)) .and. rr > 0)
            call iterate()
#ifdef NEREUS_MALLEABLE
            if (.not. pass_point()) return
#endif
            call pause_between()
        end do
        solve = .true.
    end function

    subroutine read_grid(text)
        character(len=*), intent(in) :: text
        integer :: failed
        grid = 0
        failed = verify(text, '0123456789,')
        if (failed == 0) read (text, *, iostat=failed) grid
        if (failed /= 0 .or. any(grid < 1 .or. grid > 1000)) &
            call abort_job('--grid takes three sizes from 1 to 1000, as in 20,20,20, not ''' &
                //text//'''')
        unknowns = grid(1)*grid(2)*grid(3)
    end subroutine
end module

program main
    use cg
    implicit none
    integer :: status = 0
    integer(int64) :: reconfigurations = -1
    call read_options('--grid')
    call read_grid(text_of('--grid', '16,16,16'))
    allocate (history(most_iterations + 1))
    history = 0
#ifdef NEREUS_MALLEABLE
    call nereus_init(job)
    call set_up()
    if (.not. nereus_is_joined(job)) call begin()
#else
    call MPI_Init()
    call set_up()
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
