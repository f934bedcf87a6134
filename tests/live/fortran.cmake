# The module nereus, by a program in Fortran that changes its size three times.
if(NEREUS_HAVE_FORTRAN AND NEREUS_TESTS)
    add_library(fortran-mpi OBJECT ${CMAKE_CURRENT_LIST_DIR}/fortran_mpi.c)
    target_link_libraries(fortran-mpi PRIVATE nereus_mpi nereus_common)
    add_executable(fortran-job ${CMAKE_CURRENT_LIST_DIR}/fortran_job.f90 $<TARGET_OBJECTS:fortran-mpi>)
    set_target_properties(fortran-job PROPERTIES LINKER_LANGUAGE Fortran
        Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fortran-job")
    target_link_libraries(fortran-job PRIVATE nereus-fortran nereus_mpi nereus_fortran_common)
    foreach(method IN ITEMS merge/coll merge/p2p baseline/coll baseline-intra/p2p)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-fortran-${name} PROGRAM fortran-job NP 2 ARGS ${method} 4 1 3)
    endforeach()
    nereus_add_live_test(live-fortran-bad-method PROGRAM fortran-job NP 2 ARGS murge/coll 4 1 3 EXPECT nonzero TIMEOUT 20)
endif()
