! Uses the runtime from Fortran, with the module mpi: an array goes from 2 to 3 processes.
program use_module
    use mpi
    use nereus
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    type(nereus_job) :: job
    type(nereus_options) :: options
    integer(int64), target :: iteration = 0
    real(real64), pointer :: x(:)
    real(real64) :: total
    integer :: x_id, id, error, action = nereus_continue

    options%schedule = [nereus_resize(point=2, nt=3, method='merge/coll')]
    call nereus_init(job, options)
    call nereus_register_array(job, 'x', nereus_real64, 100_int64, nereus_variable, x_id)
    call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
    do while (iteration < 4 .and. action /= nereus_leave)
        call nereus_local(job, x_id, x)
        x = x + 1
        iteration = iteration + 1
        call nereus_point(job, action)
    end do
    call nereus_local(job, x_id, x)
    call MPI_Allreduce(sum(x), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, nereus_comm(job), error)
    if (nereus_rank(job) == 0) print '(a, i0, a, i0)', 'use_module: ', nereus_size(job), &
        ' processes, sum ', nint(total)
    if (nereus_size(job) /= 3 .or. nint(total) /= 400) error stop 'use_module: wrong'
    call nereus_finalize(job)
end program
