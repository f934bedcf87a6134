! Changes of size from the command line: --resize SIZE@ITERATION[:METHOD],..., as schedule.c reads
! them, and --settle.
module schedule
    use, intrinsic :: iso_fortran_env, only: int64
    use nereus
    use solver, only: give_up, is_given, text_of
    implicit none
    private
    public :: read_schedule, is_unsettled

contains

    subroutine read_schedule(options)
        type(nereus_options), intent(inout) :: options
        character(len=:), allocatable :: list
        integer :: comma
        options%method = text_of('--method', '')
        list = text_of('--resize', '')
        allocate (options%schedule(0))
        do while (len(list) > 0)
            comma = index(list//',', ',')
            options%schedule = [options%schedule, resize_of(list(:comma - 1))]
            list = list(min(comma + 1, len(list) + 1):)
        end do
    end subroutine

    ! SIZE@ITERATION or SIZE@ITERATION:METHOD
    type(nereus_resize) function resize_of(word)
        character(len=*), intent(in) :: word
        integer :: at, colon, failed
        at = index(word, '@')
        colon = index(word//':', ':')
        failed = 1
        if (at > 1 .and. colon > at + 1) then
            if (verify(word(:at - 1)//word(at + 1:colon - 1), '0123456789') == 0) failed = 0
        end if
        if (failed == 0) read (word(:at - 1), *, iostat=failed) resize_of%nt
        if (failed == 0) read (word(at + 1:colon - 1), *, iostat=failed) resize_of%point
        if (failed /= 0) &
            call give_up('--resize takes SIZE@ITERATION or SIZE@ITERATION:METHOD, not ''' &
                //word//'''')
        if (colon < len(word)) resize_of%method = word(colon + 1:)
    end function

    ! Is a change under way which --settle waits for?
    logical function is_unsettled(job)
        type(nereus_job), intent(in) :: job
        is_unsettled = .false.
        if (is_given('--settle')) is_unsettled = nereus_last_outcome(job) == nereus_outcome_pending
    end function
end module
