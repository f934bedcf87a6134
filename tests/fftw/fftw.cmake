# A library with a communicator of its own, FFTW's MPI part: its plans are freed and made again at
# each change of size (sam/programs/spectral.c).
if(NEREUS_HAVE_MPI AND NEREUS_TESTS AND NOT NEREUS_SANITIZE)
    function(nereus_add_fftw_test name status)
        add_test(NAME live-fftw-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                 COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 ${status} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run.sh"
                         "${NEREUS_MPIEXEC_WRAPPER}" ${ARGN})
        set_tests_properties(live-fftw-${name} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77
                             FAIL_REGULAR_EXPRESSION "live-run: ;not freed")
    endfunction()
    foreach(method IN ITEMS merge/coll baseline/p2p merge-launch/rma)
        string(REPLACE "/" "-" name ${method})
        nereus_add_fftw_test(${name} 0 4@10:${method},1@20:${method},3@30:${method} 120 77)
    endforeach()
    # FFTW's blocks of 121 rows are not those of Nereus on 4 processes.
    nereus_add_fftw_test(rows nonzero 4@10:merge/coll 121 77)
    set_tests_properties(live-fftw-rows PROPERTIES ENVIRONMENT
                         "NEREUS_TEST_SAYS=^spectral: FFTW has other rows here: all numbers of processes must divide that of the rows")
endif()
