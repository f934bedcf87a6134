! Matrices in Fortran: dense by columns and by rows, sparse by columns, cut as one partition, in a
! program that uses the module mpi and initialises MPI itself. Changes its size three times and
! looks at every element after each point.
!
!   fortran-kinds METHOD SIZE SIZE SIZE
module fortran_kinds_data
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use mpi
    use nereus
    implicit none

    integer(int64), parameter :: rows = 5, columns = 37, last = 12
    type(nereus_job), save :: job
    integer, save :: wrong = 0, dense_id, turned_id, sparse_id, whole_id
    integer(int64), target, save :: iteration = 0

contains

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        wrong = wrong + 1
        print '(3a, i0)', 'wrong: ', what, ' at iteration ', iteration
    end subroutine

    ! Column j has mod(j, 4) non-zeros, in the rows 1, 2, ..., and those are 100 j + row.
    subroutine make_columns(first, count, pointers, indices, values)
        integer(int64), intent(in) :: first, count
        integer(int64), allocatable, intent(out) :: pointers(:), indices(:)
        real(real64), allocatable, intent(out) :: values(:)
        integer(int64) :: i, k
        pointers = [integer(int64) :: 1]
        allocate (indices(0), values(0))
        do i = first, first + count - 1
            indices = [indices, (k, k = 1, mod(i, 4_int64))]
            values = [values, (real(100*i + k, real64), k = 1, mod(i, 4_int64))]
            pointers = [pointers, pointers(size(pointers)) + mod(i, 4_int64)]
        end do
    end subroutine

    subroutine register_all()
        integer(int64), allocatable :: pointers(:), indices(:)
        real(real64), allocatable :: values(:)
        integer(int64) :: first, count
        integer :: cut, id
        call nereus_register_partition(job, 'columns', columns, cut)
        call nereus_register_matrix(job, 'dense', nereus_real64, rows, columns, nereus_by_columns, &
            nereus_variable, dense_id, partition=cut)
        call nereus_register_matrix(job, 'turned', nereus_real64, columns, rows, nereus_by_rows, &
            nereus_constant, turned_id, partition=cut)
        call nereus_register_array(job, 'whole', nereus_int64, columns, nereus_constant, whole_id, &
            partition=cut)
        call nereus_part_of(job, dense_id, nereus_rank(job), first, count)
        if (nereus_is_joined(job)) count = 0 ! it has received the matrix
        call make_columns(first, count, pointers, indices, values)
        if (nereus_is_joined(job)) deallocate (pointers)
        if (nereus_is_joined(job)) allocate (pointers(0))
        call nereus_register_csc(job, 'sparse', rows, columns, pointers, indices, values, &
            nereus_constant, sparse_id, partition=cut)
        call nereus_weigh_by_nonzeros(job, sparse_id)
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
    end subroutine

    subroutine fill()
        real(real64), pointer :: dense(:, :), turned(:, :)
        integer(int64), pointer :: whole(:)
        integer(int64) :: first, i, k
        call nereus_local(job, dense_id, dense, rows, first)
        call nereus_local(job, turned_id, turned, rows)
        call nereus_local(job, whole_id, whole)
        do i = 1, size(dense, 2)
            dense(:, i) = [(real(10*(first + i - 1) + k, real64), k = 1, rows)]
            turned(:, i) = -dense(:, i)
            whole(i) = first + i - 1
        end do
    end subroutine

    ! dense grows by 1 in each iteration; all else stays.
    subroutine check()
        real(real64), pointer :: dense(:, :), turned(:, :)
        integer(int64), pointer :: whole(:)
        type(nereus_sparse) :: sparse
        integer(int64), allocatable :: pointers(:), indices(:)
        real(real64), allocatable :: values(:)
        integer(int64) :: first, of_rank, count, i, k
        integer :: owner, sums(2), all_of(2), error
        call nereus_local(job, dense_id, dense, rows, first)
        call nereus_local(job, turned_id, turned, rows)
        call nereus_local(job, whole_id, whole)
        call nereus_local_sparse(job, sparse_id, sparse)
        call expect(size(turned, 2) == size(dense, 2) .and. size(whole) == size(dense, 2) .and. &
            sparse%count == size(dense, 2) .and. sparse%first == first, 'parts of one partition')
        do i = 1, size(dense, 2)
            call expect(all(nint(dense(:, i)) == [(10*(first + i - 1) + k + iteration, k = 1, &
                rows)]), &
                'dense')
            call expect(all(nint(turned(:, i)) == [(-10*(first + i - 1) - k, k = 1, rows)]), &
                'turned')
            call expect(whole(i) == first + i - 1, 'whole')
        end do
        call make_columns(first, int(size(dense, 2), int64), pointers, indices, values)
        call expect(all(sparse%pointers == pointers), 'pointers')
        call expect(size(sparse%indices) == size(indices), 'number of indices')
        if (size(sparse%indices) == size(indices)) &
            call expect(all(sparse%indices == indices) .and. &
                all(abs(sparse%values - values) < 1e-9), &
                'indices and values')
        call nereus_part_of(job, dense_id, nereus_rank(job), of_rank, count)
        call expect(of_rank == first .and. count == size(dense, 2), 'part_of')
        if (count > 0) then
            call nereus_owner_of(job, sparse_id, first + count - 1, owner)
            call expect(owner == nereus_rank(job), 'owner_of')
        end if
        sums = [size(dense, 2), size(sparse%values)]
        call MPI_Allreduce(sums, all_of, 2, MPI_INTEGER, MPI_SUM, nereus_comm(job), error)
        call expect(all_of(1) == columns .and. all_of(2) == 55, 'all columns and non-zeros')
    end subroutine

    subroutine iterate()
        real(real64), pointer :: dense(:, :)
        call nereus_local(job, dense_id, dense, rows)
        dense = dense + 1
        iteration = iteration + 1
    end subroutine

    ! What is wrong in one process is refused in all, and what is no matrix is refused.
    subroutine check_refusals()
        integer(int64), allocatable :: pointers(:), indices(:)
        real(real64), allocatable :: values(:)
        type(nereus_sparse) :: sparse
        integer(int64) :: first, count
        integer :: id, status
        call nereus_part_of(job, dense_id, nereus_rank(job), first, count)
        call make_columns(first, count, pointers, indices, values)
        if (nereus_rank(job) == 0) pointers = pointers - 1
        call nereus_register_csc(job, 'other', rows, columns, pointers, indices, values, &
            nereus_constant, id, status=status)
        call expect(status /= nereus_ok, 'pointers from 0')
        if (nereus_rank(job) == 0) call expect(index(nereus_last_error(job), 'begin with 1') > 0, &
            'the sentence for pointers from 0')
        call nereus_local_sparse(job, dense_id, sparse, status)
        call expect(status /= nereus_ok .and. sparse%count == 0, 'a dense matrix as a sparse one')
        call nereus_owner_of(job, dense_id, columns + 1, id, status)
        call expect(status /= nereus_ok, 'the owner of no column')
    end subroutine
end module

program fortran_kinds
    use fortran_kinds_data
    implicit none
    type(nereus_options) :: options
    character(len=64) :: word
    integer(int64) :: nt
    integer :: i, action, error, provided, all_wrong(1)

    if (command_argument_count() /= 4) error stop 'fortran-kinds METHOD SIZE SIZE SIZE'
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
    if (.not. nereus_is_joined(job)) then
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
