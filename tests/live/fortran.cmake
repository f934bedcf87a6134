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
    # Of two declared cores, two for each process, there is one slot.
    file(WRITE "${PROJECT_BINARY_DIR}/tests/fortran-cores.hosts" "localhost:2\n")
    nereus_add_live_test(live-fortran-cores PROGRAM fortran-job NP 1 ARGS merge/coll 2 1 2 2 EXPECT 1 ENVIRONMENT
                         NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/fortran-cores.hosts
                         "NEREUS_TEST_SAYS=2: only 1 slot is declared")
    nereus_add_live_test(live-fortran-bad-method PROGRAM fortran-job NP 2 ARGS murge/coll 4 1 3 EXPECT 1
                         ENVIRONMENT "NEREUS_TEST_SAYS=^nereus: .*'murge/coll'")
    add_test(NAME fortran-target COMMAND "${CMAKE_CURRENT_LIST_DIR}/fortran_target.sh" "${CMAKE_Fortran_COMPILER}"
             "${PROJECT_BINARY_DIR}/src/fortran/modules")
    set_tests_properties(fortran-target PROPERTIES LABELS cli TIMEOUT 60)
    # Matrices and grids, in programs with the module mpi.
    if(NEREUS_HAVE_MPI_FORTRAN)
        foreach(program IN ITEMS kinds boxes)
            add_executable(fortran-${program} ${CMAKE_CURRENT_LIST_DIR}/fortran_${program}.f90)
            set_target_properties(fortran-${program} PROPERTIES
                                  Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fortran-${program}")
            target_link_libraries(fortran-${program} PRIVATE nereus-fortran nereus_fortran_common)
            # The module mpi has no interfaces for buffers, which are of any type.
            set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/fortran_${program}.f90 PROPERTIES
                                        Fortran_PREPROCESS ON COMPILE_OPTIONS -Wno-implicit-interface)
        endforeach()
        foreach(method IN ITEMS merge/coll merge/p2p-keep merge/coll-weighted baseline/p2p)
            string(REPLACE "/" "-" name ${method})
            nereus_add_live_test(live-fortran-kinds-${name} PROGRAM fortran-kinds NP 2 ARGS ${method} 4 1 3)
        endforeach()
        foreach(method IN ITEMS merge/coll merge/p2p-keep baseline/p2p)
            string(REPLACE "/" "-" name ${method})
            nereus_add_live_test(live-fortran-boxes-${name} PROGRAM fortran-boxes NP 2 ARGS ${method} 4 1 3)
        endforeach()
    endif()
endif()
