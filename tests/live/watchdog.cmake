# Jobs that hang: who waits for whom is said, with the usual cause (hangs.c makes the mistakes).
# With ",abort" the job ends then.
if(NEREUS_HAVE_MPI)
    nereus_add_program(hangs SOURCES ${CMAKE_CURRENT_LIST_DIR}/hangs.c LINK nereus-runtime NO_INSTALL)
    set(points "do all ranks pass the same points[?]")
    set(loop "do all ranks leave their loop after the same iteration[?]")
    set(joined "what a joined process calls between nereus_init and its loop")
    set(new "rank 2(, which)? joined at point 4 and has not come to a point")
    set(ended "^nereus-mpiexec: the job hangs and is ended: ")
    foreach(row IN ITEMS
            "points|${ended}rank 1 has waited [0-9.]+ s at point 4 for rank 0, which is at point 2, in the program for [0-9.]+ s: ${points}"
            "points-root|${ended}rank 0 has waited [0-9.]+ s at point 4 for rank 1, which is at point 2, in the program for [0-9.]+ s: ${points}"
            "early|${ended}rank 1 has waited [0-9.]+ s in nereus_finalize for rank 0, which is at point 2, in the program for [0-9.]+ s: ${loop}"
            "early-root|${ended}rank 0 has waited [0-9.]+ s in nereus_finalize for rank 1, which is at point 2, in the program for [0-9.]+ s: ${loop}"
            "bcast|${new}.*${joined}" "barrier|${new}.*${joined}" "dup|${new}.*${joined}"
            "init|${ended}rank 0 has waited [0-9.]+ s in nereus_init for others, which have not come to it on this host: do all ranks call it[?]")
        string(REPLACE "|" ";" row "${row}")
        list(POP_FRONT row mistake)
        list(JOIN row "|" says)
        nereus_add_live_test(live-hangs-${mistake} PROGRAM hangs NP 2 ARGS ${mistake} EXPECT 1
                             ENVIRONMENT NEREUS_WATCHDOG=5s,abort "NEREUS_TEST_SAYS=${says}")
    endforeach()
    # One leaves the loop, another comes to a change of size: MPI itself may fail in the first
    # collective that is not the same.
    nereus_add_live_test(live-hangs-early-alone PROGRAM hangs NP 2 ARGS early-alone EXPECT nonzero
                         ENVIRONMENT NEREUS_WATCHDOG=5s,abort
                         "NEREUS_TEST_SAYS=is ended: rank . has waited [0-9.]+ s (at point 4|in nereus_finalize) for rank .*${loop}")
    nereus_add_live_test(live-hangs-forgets PROGRAM hangs NP 2 ARGS forgets EXPECT 1
                         ENVIRONMENT NEREUS_WATCHDOG=5s,abort
                         "NEREUS_TEST_SAYS=nereus: rank 2 joined and came to its first point, but has not registered 'iteration'")
    nereus_add_live_test(live-hangs-differs PROGRAM hangs NP 2 ARGS differs
                         "ENVIRONMENT" NEREUS_WATCHDOG=5s,abort
                         "NEREUS_TEST_SAYS=outcome: rank 1 has registered other data than rank 0: as number 1 'x', a variable array of 101 .*, rank 0 'x', a variable array of 100 ")
    nereus_add_live_test(live-hangs-none PROGRAM hangs NP 2 ARGS none ENVIRONMENT NEREUS_WATCHDOG=0.1s)
    nereus_add_live_test(live-watchdog-bad PROGRAM hangs NP 2 ARGS none EXPECT 2
                         ENVIRONMENT NEREUS_WATCHDOG=soon
                         "NEREUS_TEST_SAYS=^nereus: NEREUS_WATCHDOG is 'soon' and must be a time")
    if(NEREUS_TESTS)
        add_test(NAME live-watchdog-again WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                 COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/watchdog.sh"
                         "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:hangs>)
        set_tests_properties(live-watchdog-again PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2)
    endif()
endif()
