! Grids in Fortran: a field in three dimensions with its halo, two fields that swap, blocks in
! turns, a box that may be empty. Changes its size three times and looks at every element after each
! point.
!
!   fortran-boxes METHOD SIZE SIZE SIZE
module fortran_boxes_data
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use mpi
    use nereus
    implicit none

    integer(int64), parameter :: n(3) = [17, 9, 14], halo(3) = [1, 0, 2], cards_n(2) = [13, 11], &
        block(2) = [3, 2], last = 12
    type(nereus_job), save :: job
    integer, save :: wrong = 0, space, deal, few, u_id, next_id, cards_id, few_id
    integer(int64), target, save :: iteration = 0

contains

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        wrong = wrong + 1
        print '(3a, i0)', 'wrong: ', what, ' at iteration ', iteration
    end subroutine

    subroutine register_all()
        integer :: id
        call nereus_register_grid(job, 'space', n, space, halo=halo, periodic=[.true., .false., &
            .false.])
        call nereus_register_field(job, 'u', nereus_real64, space, nereus_variable, u_id)
        call nereus_register_field(job, 'next', nereus_real64, space, nereus_variable, next_id)
        call nereus_register_grid(job, 'deal', cards_n, deal, block=block, fixed=[0_int64, 1_int64])
        call nereus_register_field(job, 'cards', nereus_int32, deal, nereus_constant, cards_id)
        call nereus_register_grid(job, 'few', [2_int64], few)
        call nereus_register_field(job, 'few', nereus_real32, few, nereus_variable, few_id)
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
    end subroutine

    pure real(real64) function value_of(i, j, k)
        integer(int64), intent(in) :: i, j, k
        value_of = real(10000*i + 100*j + k, real64)
    end function

    ! Index in the whole of the l-th own element of blocks in turns, as ScaLAPACK's INDXL2G.
    pure integer(int64) function dealt(l, size, coordinate, processes)
        integer(int64), intent(in) :: l, size, coordinate, processes
        dealt = ((l - 1)/size*processes + coordinate)*size + mod(l - 1, size) + 1
    end function

    subroutine fill()
        real(real64), pointer :: u(:, :, :)
        integer(int64) :: first(3), count(3), i, j, k
        call nereus_local_box(job, u_id, u, first, count)
        do k = 1, count(3)
            do j = 1, count(2)
                do i = 1, count(1)
                    u(i, j, k) = value_of(first(1) + i - 1, first(2) + j - 1, first(3) + k - 1)
                end do
            end do
        end do
        call each_card(.true.)
    end subroutine

    subroutine each_card(fills)
        logical, intent(in) :: fills
        integer(int32), pointer :: cards(:, :)
        integer(int64) :: count(2), coordinates(2), processes(2), i, j
        integer(int32) :: card
        call nereus_local_box(job, cards_id, cards, count=count, coordinates=coordinates, &
            processes=processes)
        call expect(all(processes == [nereus_size(job), 1]), 'fixed processes')
        do j = 1, count(2)
            do i = 1, count(1)
                card = int(100*dealt(i, block(1), coordinates(1), processes(1)) + &
                    dealt(j, block(2), coordinates(2), processes(2)), int32)
                if (fills) cards(i, j) = card
                if (cards(i, j) /= card) call expect(.false., 'card')
            end do
        end do
    end subroutine

    ! u grows by 1 in each iteration. Its halo is periodic in the first dimension, and that beyond
    ! the ends of the third one is nobody's.
    subroutine check()
        real(real64), pointer :: u(:, :, :)
        real(real32), pointer :: some(:)
        integer(int64) :: first(3), count(3), own(1), i, j, k, at
        integer :: total(1), error
        call nereus_grid_exchange(job, u_id)
        call nereus_local_box(job, u_id, u, first, count)
        call expect(all(lbound(u) == 1 - halo) .and. all(ubound(u) == count + halo), 'bounds')
        do k = max(-1_int64, 2 - first(3)), min(count(3) + 2, n(3) - first(3) + 1)
            do j = 1, count(2)
                do i = 0, count(1) + 1
                    at = modulo(first(1) + i - 2, n(1)) + 1
                    if (nint(u(i, j, k)) /= nint(value_of(at, first(2) + j - 1, first(3) + k - 1)) &
                        + iteration) call expect(.false., 'u with its halo')
                end do
            end do
        end do
        call each_card(.false.)
        call nereus_local_box(job, few_id, some, count=own)
        call MPI_Allreduce([int(own(1))], total, 1, MPI_INTEGER, MPI_SUM, nereus_comm(job), error)
        call expect(total(1) == 2 .and. size(some) == own(1), 'few')
        call check_neighbours()
    end subroutine

    ! The communicator's dimensions are in C's order.
    subroutine check_neighbours()
        real(real64), pointer :: u(:, :, :)
        integer(int64) :: coordinates(3)
        integer :: lower(3), upper(3), comm, rank, below, above, at(3), d, error
        call nereus_grid_neighbours(job, space, lower, upper)
        call nereus_local_box(job, u_id, u, coordinates=coordinates)
        call nereus_grid_comm(job, space, comm)
        call MPI_Comm_rank(comm, rank, error)
        call MPI_Cart_coords(comm, rank, 3, at, error)
        call expect(all(at(3:1:-1) == coordinates), 'coordinates')
        do d = 1, 3
            call MPI_Cart_shift(comm, 3 - d, 1, below, above, error)
            call expect((below == MPI_PROC_NULL) .eqv. (lower(d) == MPI_PROC_NULL), 'lower')
            call expect((above == MPI_PROC_NULL) .eqv. (upper(d) == MPI_PROC_NULL), 'upper')
        end do
        call expect(lower(1) /= MPI_PROC_NULL, 'a ring')
    end subroutine

    subroutine iterate()
        real(real64), pointer :: u(:, :, :), next(:, :, :)
        integer(int64) :: count(3)
        call nereus_local_box(job, u_id, u, count=count)
        call nereus_local_box(job, next_id, next)
        next(1:count(1), 1:count(2), 1:count(3)) = u(1:count(1), 1:count(2), 1:count(3)) + 1
        call nereus_swap(job, u_id, next_id)
        iteration = iteration + 1
    end subroutine

    subroutine check_refusals()
        real(real64), pointer :: u(:, :, :), flat(:)
        real(real32), pointer :: single(:, :, :)
        integer :: id, status, short(2), other(2)
        call nereus_local_box(job, u_id, flat, status=status)
        call expect(status /= nereus_ok .and. size(flat) == 0, 'a pointer of one dimension')
        call expect(index(nereus_last_error(job), 'on a grid of 3 dimensions') > 0, 'its sentence')
        call nereus_local_box(job, u_id, single, status=status)
        call expect(status /= nereus_ok .and. size(single) == 0, 'a pointer of another type')
        call nereus_local_box(job, 999, u, status=status)
        call expect(status /= nereus_ok .and. size(u) == 0, 'an id of nothing')
        call nereus_register_grid(job, 'bad', n, id, halo=[1_int64], status=status)
        call expect(status /= nereus_ok, 'one halo for three dimensions')
        call expect(index(nereus_last_error(job), "'bad' needs 1 to 4") > 0, 'its sentence')
        call nereus_register_grid(job, 'bad', n, id, halo=halo, block=n, status=status)
        call expect(status /= nereus_ok, 'blocks with a halo')
        call nereus_register_field(job, 'bad', 7, space, nereus_variable, id, status)
        call expect(status /= nereus_ok, 'a field of no type')
        call nereus_grid_neighbours(job, space, short, other, status)
        call expect(status /= nereus_ok, 'neighbours in two dimensions')
        call nereus_swap(job, u_id, few_id, status)
        call expect(status /= nereus_ok, 'a swap of two grids')
    end subroutine
end module

program fortran_boxes
    use fortran_boxes_data
    implicit none
    type(nereus_options) :: options
    character(len=64) :: word
    integer(int64) :: nt
    integer :: i, action, error, provided, all_wrong(1)

    if (command_argument_count() /= 4) error stop 'fortran-boxes METHOD SIZE SIZE SIZE'
    call get_command_argument(1, options%method)
    allocate (options%schedule(3))
    do i = 1, 3
        call get_command_argument(i + 1, word)
        read (word, *) nt
        options%schedule(i) = nereus_resize(point=3_int64*i, nt=nt)
    end do
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
    call nereus_init(job, options)
    call register_all()
    if (.not. nereus_is_received(job, u_id)) then
        call fill()
        call check_refusals()
    end if
    call check()

    action = nereus_continue
    do while (iteration < last .and. action /= nereus_leave)
        call iterate()
        call nereus_point(job, action)
        if (action /= nereus_leave) call check()
    end do
    if (action /= nereus_leave) then
        call expect(nereus_reconfigurations(job) == 3, 'reconfigurations')
        call MPI_Allreduce([wrong], all_wrong, 1, MPI_INTEGER, MPI_SUM, nereus_comm(job), error)
        if (nereus_rank(job) == 0) print '(a, i0, a, i0, a, i0)', 'iteration ', iteration, ', ', &
            nereus_size(job), ' processes, wrong ', all_wrong
        wrong = all_wrong(1)
    end if
    call nereus_finalize(job)
    call MPI_Finalize(error)
    deallocate (options%schedule)
    if (wrong /= 0) stop 1
end program
