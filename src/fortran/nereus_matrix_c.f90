! Interfaces of the C functions for matrices (bound_data.c).
module nereus_matrix_c
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        integer(c_int) function c_register_partition(job, name, n, partition) &
            bind(c, name='nereus_register_partition')
            import :: c_int, c_ptr, c_char, c_int64_t
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: n
            integer(c_int), intent(inout) :: partition
        end function
        integer(c_int) function c_register_matrix(job, name, element, rows, columns, shape, &
            partition, kind, id) bind(c, name='nereus_fortran_register_matrix')
            import :: c_int, c_ptr, c_char, c_int64_t
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: element, shape, partition, kind
            integer(c_int64_t), value :: rows, columns
            integer(c_int), intent(inout) :: id
        end function
        integer(c_int) function c_register_sparse(job, name, element, by_columns, rows, columns, &
            partition, pointer_count, pointers, indices, values, kind, id) &
            bind(c, name='nereus_fortran_register_sparse')
            import :: c_int, c_ptr, c_char, c_bool, c_int64_t
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            logical(c_bool), value :: by_columns
            integer(c_int64_t), value :: rows, columns, pointer_count
            integer(c_int), value :: element, partition, kind
            integer(c_int64_t), intent(in) :: pointers(*), indices(*)
            type(*), intent(in) :: values(*)
            integer(c_int), intent(inout) :: id
        end function
        integer(c_int) function c_local_sparse(job, id, element, first, count, nonzeros, pointers, &
            indices, values) bind(c, name='nereus_fortran_local_sparse')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job
            integer(c_int), value :: id, element
            integer(c_int64_t), intent(inout) :: first, count, nonzeros
            type(c_ptr), intent(inout) :: pointers, indices, values
        end function
        integer(c_int) function c_weigh_by_nonzeros(job, id) bind(c, &
            name='nereus_weigh_by_nonzeros')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: id
        end function
        integer(c_int) function c_part_of(job, id, rank, first, count) &
            bind(c, name='nereus_fortran_part_of')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job
            integer(c_int), value :: id, rank
            integer(c_int64_t), intent(inout) :: first, count
        end function
        integer(c_int) function c_owner_of(job, id, element, rank) &
            bind(c, name='nereus_fortran_owner_of')
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: job
            integer(c_int), value :: id
            integer(c_int64_t), value :: element
            integer(c_int), intent(inout) :: rank
        end function
    end interface
end module
