! Order of arguments: a matrix of 3 x 1000 by columns, an array in the same partition, and two
! counters.
!
!     NEREUS_SCHEDULE=3@10:merge/coll nereus-mpiexec -n 2 ./ordered
program ordered
    use mpi
    use nereus
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    type(nereus_job) :: job
    integer(int64), target, save :: counters(2) = [0_int64, 1000_int64]
    integer :: columns, matrix, vector, id, error, action = nereus_continue
    integer(int64) :: first, i
    real(real64), pointer :: a(:, :), v(:)
    real(real64) :: total

    call nereus_init(job)
    call nereus_register_replicated(job, 'counters', counters, nereus_variable, id)
    call nereus_register_partition(job, 'columns', counters(2), columns)
    call nereus_register_matrix(job, 'a', nereus_real64, 3_int64, counters(2), nereus_by_columns, &
        nereus_variable, matrix, partition=columns)
    call nereus_register_array(job, 'v', nereus_real64, counters(2), nereus_variable, vector, partition=columns)
    if (.not. nereus_is_received(job, matrix)) then
        call nereus_local(job, matrix, a, 3_int64, first)
        do i = 1, size(a, 2, int64)
            a(:, i) = real(first + i - 1, real64)      ! the column's number in the whole, from 1
        end do
    end if
    do while (counters(1) < 20 .and. action /= nereus_leave)
        call nereus_local(job, matrix, a, 3_int64, first)
        call nereus_local(job, vector, v)
        v = v + a(2, :)
        counters(1) = counters(1) + 1
        call nereus_point(job, action)
    end do
    if (action /= nereus_leave) then
        call nereus_local(job, vector, v)
        call MPI_Allreduce(sum(v), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, nereus_comm(job), error)
        if (nereus_rank(job) == 0) print '(a, i0, a, i0, a)', 'sum ', nint(total), ' on ', nereus_size(job), ' processes'
    end if
    call nereus_finalize(job)
end program
