! Interfaces of the C functions for grids (bound_grid.c).
module nereus_grid_c
    use, intrinsic :: iso_c_binding
    implicit none

    type, bind(c) :: c_box ! struct nereus_fortran_box
        type(c_ptr) :: at
        integer(c_int64_t) :: extent(4), lower(4), first(4), count(4), coordinates(4), processes(4)
    end type

    interface
        integer(c_int) function c_register_grid(job, name, dimensions, numbers, id) &
            bind(c, name='nereus_fortran_register_grid')
            import :: c_int, c_ptr, c_char, c_int64_t
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: dimensions
            integer(c_int64_t), intent(in) :: numbers(4, 5)
            integer(c_int), intent(inout) :: id
        end function
        integer(c_int) function c_register_field(job, name, element, grid, kind, id) &
            bind(c, name='nereus_fortran_register_field')
            import :: c_int, c_ptr, c_char
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: element, grid, kind
            integer(c_int), intent(inout) :: id
        end function
        integer(c_int) function c_local_box(job, id, element, dimensions, box) &
            bind(c, name='nereus_fortran_local_box')
            import :: c_int, c_ptr, c_box
            type(c_ptr), value :: job
            integer(c_int), value :: id, element, dimensions
            type(c_box), intent(inout) :: box
        end function
        integer(c_int) function c_grid_exchange(job, id) bind(c, name='nereus_grid_exchange')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: id
        end function
        integer(c_int) function c_grid_neighbours(job, grid, dimensions, lower, upper) &
            bind(c, name='nereus_fortran_grid_neighbours')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: grid, dimensions
            integer(c_int), intent(inout) :: lower(4), upper(4)
        end function
        integer(c_int) function c_grid_comm(job, grid, cartesian) &
            bind(c, name='nereus_fortran_grid_comm')
            import :: c_int, c_ptr
            type(c_ptr), value :: job
            integer(c_int), value :: grid
            integer(c_int), intent(inout) :: cartesian
        end function
        integer(c_int) function c_fail(job, sentence) bind(c, name='nereus_fortran_fail')
            import :: c_int, c_ptr, c_char
            type(c_ptr), value :: job
            character(kind=c_char), intent(in) :: sentence(*)
        end function
    end interface
end module
