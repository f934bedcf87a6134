# Jobs that answer (docs/jobs.md): asked from outside, with 2 to 4 ranks.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    # nereus_add_asked_test(NAME CASE LABEL [ENVIRONMENT...])
    function(nereus_add_asked_test name case label)
        if(case STREQUAL "asleep")
            set(program by-node)
        else()
            set(program resize)
        endif()
        add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                 COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${PROJECT_SOURCE_DIR}/tests/live/asked.sh" ${case}
                         "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:nereus-cli> $<TARGET_FILE:${program}>)
        set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 135 RUN_SERIAL ON PROCESSORS 2
                             SKIP_RETURN_CODE 77 ENVIRONMENT "${ARGN}")
    endfunction()
    foreach(case IN ITEMS moves gives_up returns refuses seldom hangs gains allocated asleep taken)
        nereus_add_asked_test(live-asked-${case} ${case} live)
    endforeach()
    if(TARGET clock-step)
        nereus_add_asked_test(live-asked-clock clock live NEREUS_TEST_CLOCK_STEP=$<TARGET_FILE:clock-step>)
    endif()
    if(TARGET PkgConfig::pmix)
        nereus_add_program(manager SOURCES ${CMAKE_CURRENT_LIST_DIR}/manager.c LINK PkgConfig::pmix NO_INSTALL)
        nereus_add_asked_test(live-asked-managed managed live NEREUS_TEST_PMIX=$<TARGET_FILE:nereus-pmix>
                              NEREUS_TEST_MANAGER=$<TARGET_FILE:manager>)
    else()
        nereus_skip_test(live-asked-managed live "this build has no libpmix, by which nereus-pmix asks a resource manager")
    endif()
    if(NEREUS_MPI_VERSION MATCHES "^Open MPI")
        nereus_add_asked_test(live-asked-loses loses "live;mpi")
    endif()
    if(NEREUS_SANITIZE STREQUAL "thread") # the thread that answers, beside the main thread
        foreach(case IN ITEMS moves gains)
            nereus_add_asked_test(threads-asked-${case} ${case} threads UCX_MEM_EVENTS=n
                                  "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp exitcode=66")
        endforeach()
    endif()
endif()
