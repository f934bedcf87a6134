# Checkpoints, and jobs that go on from them as other processes (checkpoint.sh, restart-programs.sh).
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(solver_matrix "${PROJECT_BINARY_DIR}/tests/unbalanced.mtx") # made in solver.cmake
    foreach(case IN ITEMS kinds few ranges unread damaged refused busy disk interval overlapped planned survived again smaller mover unspawnable impossible)
        add_test(NAME live-checkpoint-${case} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_LIST_DIR}/checkpoint.sh" ${case}
                    "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:kinds> $<TARGET_FILE:resize>
                    $<TARGET_FILE:nereus-cli>)
        set_tests_properties(live-checkpoint-${case} PROPERTIES LABELS live TIMEOUT 135 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
    endforeach()

    # The complete program of the manual.
    set(manual "${PROJECT_SOURCE_DIR}/docs/application.md")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manual}")
    file(READ "${manual}" text)
    string(REGEX MATCH "```c\n(/[*] sum[.]c:[^`]*)```" text "${text}")
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/manual_sum.c" CONTENT "${CMAKE_MATCH_1}" @ONLY)
    nereus_add_program(manual-sum SOURCES "${PROJECT_BINARY_DIR}/tests/manual_sum.c" LINK nereus-runtime NO_INSTALL)
    add_test(NAME live-restart-manual WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_LIST_DIR}/manual.sh" "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:manual-sum>)
    set_tests_properties(live-restart-manual PROPERTIES LABELS live TIMEOUT 135 RUN_SERIAL ON PROCESSORS 2)

    # nereus_add_restart_test(NAME WORD SIZES PLAIN... -- PROGRAM...): see restart-programs.sh. Programs of
    # sam/programs change their size as well.
    function(nereus_add_restart_test name word)
        add_test(NAME live-restart-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/restart-programs.sh"
                    ${word} "${NEREUS_MPIEXEC_WRAPPER}" ${ARGN})
        set_tests_properties(live-restart-${name} PROPERTIES LABELS live TIMEOUT 135 RUN_SERIAL ON PROCESSORS 2)
        if(word STREQUAL "answer")
            set_tests_properties(live-restart-${name} PROPERTIES ENVIRONMENT "NEREUS_SCHEDULE=4@10:merge/coll-keep,1@20:merge/coll-keep,3@30")
        endif()
    endfunction()
    nereus_add_restart_test(tiles-1-3-2 answer 1,3,2 $<TARGET_FILE:nereus-heat-plain> 203 300 40 -- $<TARGET_FILE:nereus-tiles> 203 300 40)
    nereus_add_restart_test(wave-1-4-2 answer 1,4,2 $<TARGET_FILE:nereus-wave-plain> 24 19 13 40 -- $<TARGET_FILE:nereus-wave> 24 19 13 40)
    nereus_add_restart_test(wave-3-1 answer 3,1 $<TARGET_FILE:nereus-wave-plain> 24 19 13 40 -- $<TARGET_FILE:nereus-wave> 24 19 13 40)
    nereus_add_restart_test(atoms-1-4-2 answer 1,4,2 $<TARGET_FILE:nereus-atoms-plain> 5 40 -- $<TARGET_FILE:nereus-atoms> 5 40)
    nereus_add_restart_test(atoms-3-1 answer 3,1 $<TARGET_FILE:nereus-atoms-plain> 5 40 -- $<TARGET_FILE:nereus-atoms> 5 40)
    foreach(sizes IN ITEMS 2,3 3,1)
        string(REPLACE "," "-" name "${sizes}")
        nereus_add_restart_test(heat-${name} answer ${sizes} $<TARGET_FILE:nereus-heat-plain> 203 300 40
                                -- $<TARGET_FILE:nereus-heat> 203 300 40)
        nereus_add_restart_test(cg-${name} residual ${sizes} $<TARGET_FILE:nereus-cg-plain> --grid 11,9,10 --print
                                -- $<TARGET_FILE:nereus-cg> --grid 11,9,10 --print --pause 0.01)
        nereus_add_restart_test(cg-matrix-${name} residual ${sizes} $<TARGET_FILE:nereus-cg-plain> --matrix ${solver_matrix} --print
                                -- $<TARGET_FILE:nereus-cg> --matrix ${solver_matrix} --print --pause 0.01)
        nereus_add_restart_test(jacobi-${name} residual ${sizes} $<TARGET_FILE:nereus-jacobi-plain> --unknowns 83 --print
                                -- $<TARGET_FILE:nereus-jacobi> --unknowns 83 --print --pause 0.01)
        nereus_add_restart_test(epidemic-${name} day ${sizes} $<TARGET_FILE:nereus-epidemic> --persons 300 --days 24 --seed 7 --print
                                -- $<TARGET_FILE:nereus-epidemic> --persons 300 --days 24 --seed 7 --print)
    endforeach()
    if(NEREUS_HAVE_FORTRAN)
        nereus_add_restart_test(heat-fortran answer 2,3 $<TARGET_FILE:nereus-heat-plain> 203 300 40
                                -- $<TARGET_FILE:nereus-heat-fortran> 203 300 40)
    endif()
endif()
