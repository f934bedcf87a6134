# Monitoring (docs/jobs.md): exact numbers of MPI calls and bytes in each interval, of each process;
# what work is counted in, and what is said where that is less than was wanted; intervals and files
# go on when sizes change. monitor.c checks nereus_metrics, monitor.sh the file.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    nereus_add_program(monitor SOURCES ${CMAKE_CURRENT_LIST_DIR}/monitor.c LINK nereus-runtime NO_INSTALL)
    add_library(papi-stub SHARED ${CMAKE_CURRENT_LIST_DIR}/papi_stub.c)
    target_link_libraries(papi-stub PRIVATE nereus_common)

    # In builds with sanitizers: the library that counts comes before theirs.
    set(link_order ASAN_OPTIONS=verify_asan_link_order=0)

    # nereus_add_monitor_test(NAME ENVIRONMENT NP WORK INTERVALS WORD...): see monitor.sh.
    function(nereus_add_monitor_test name environment)
        add_test(NAME live-monitor-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${PROJECT_SOURCE_DIR}/tests/live/monitor.sh"
                    "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:nereus-cli> ${ARGN})
        set_tests_properties(live-monitor-${name} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2
            ENVIRONMENT "${environment};${link_order}")
    endfunction()
    list(APPEND stub "NEREUS_PAPI=$<TARGET_FILE:papi-stub>" NEREUS_MONITOR_EVERY=4)
    set(monitor $<TARGET_FILE:monitor>)

    # 2 -> 4 -> 1: a change ends an interval, and the next one begins after it.
    nereus_add_monitor_test(sizes "${stub}" 2 flop
        4:4:2,8:4:2,9:1:2,13:4:4,17:4:4,18:1:4,22:4:1,23:1:1 ${monitor} work=flop last=23
        schedule=4@9:merge/coll,1@18:merge/p2p)
    # Other processes carry on, and write to the same file.
    nereus_add_monitor_test(respawned "${stub}" 2 flop 4:4:2,7:3:2,11:4:3,12:1:3 ${monitor} work=flop last=12
        schedule=3@7:baseline/coll)
    nereus_add_monitor_test(zombies "${stub}" 3 flop 4:4:3,5:1:3,9:4:1,10:1:1,14:4:3,15:1:3 ${monitor} work=flop last=15
        schedule=1@5:merge-zs/coll,3@10:merge/coll)
    nereus_add_monitor_test(unchanged "${stub}" 2 flop 4:4:2,6:2:2,10:4:2,13:3:2 ${monitor} work=flop last=13
        schedule=2@6:merge/coll)
    # While it is under way nothing is sampled; how many points that takes is not known before.
    nereus_add_monitor_test(asynchronous "${stub}" 1 flop any ${monitor} work=flop last=400 pause=0.002
        schedule=2@6:merge-async/coll)
    # By seconds: rank 0 chooses the number of points.
    nereus_add_monitor_test(seconds "NEREUS_PAPI=$<TARGET_FILE:papi-stub>;NEREUS_MONITOR_EVERY=0.01s" 2 flop
        any ${monitor} work=flop last=2000 schedule=1@1000:merge/coll)
    nereus_add_monitor_test(one "${stub}" 1 flop 4:4:1,8:4:1,9:1:1 ${monitor} work=flop last=9)

    # What degrades is said in one sentence. Instructions are counted where the machine can.
    set(no_papi NEREUS_MONITOR_EVERY=4)
    nereus_add_monitor_test(told "NEREUS_MONITOR_WORK=cpu-time;${no_papi}" 2 cpu-time 4:4:2,6:2:2 ${monitor} work=cpu-time last=6 power=7.5)
    nereus_add_monitor_test(cpu-time "NEREUS_MONITOR_WORK=cpu-time;${no_papi}" 2 cpu-time 4:4:2,6:2:2 ${monitor} work=cpu-time last=6)
    nereus_add_monitor_test(uncounted "NEREUS_TEST_PRELOAD=no;NEREUS_MONITOR_WORK=cpu-time;${no_papi}" 2
        "cpu-time/MPI calls are not counted in 2 of 2 processes" 4:4:2,6:2:2 ${monitor} work=cpu-time last=6)
    foreach(row IN ITEMS "init|PAPI_library_init: Invalid argument" "event|Event does not exist" "start|PAPI_start: Invalid argument")
        string(REPLACE "|" ";" words "${row}")
        list(GET words 0 name)
        list(GET words 1 sentence)
        nereus_add_monitor_test(papi-${name} "${stub};NEREUS_TEST_PAPI=${name}" 1
            "any/^work is counted as (instructions|CPU time) .PAPI: .*${sentence}" 4:4:1,6:2:1 ${monitor} last=6)
    endforeach()
    # All count the same event, not only the same kind of work.
    nereus_add_monitor_test(papi-mixed "${stub};NEREUS_TEST_PAPI=mixed" 2
        "flop/^work is counted as PAPI_FP_OPS .another process can count no better" 4:4:2,6:2:2 ${monitor} work=flop last=6)
    nereus_add_monitor_test(papi-old "${stub};NEREUS_TEST_PAPI=old" 1 flop 4:4:1,6:2:1 ${monitor} work=flop last=6)

    # A wrong setting ends the job at nereus_init; a file that cannot be written is said once, and
    # the job goes on.
    nereus_add_live_test(live-monitor-bad-every PROGRAM monitor NP 2 EXPECT 1 ENVIRONMENT NEREUS_MONITOR_EVERY=often ${link_order}
        "NEREUS_TEST_SAYS=NEREUS_MONITOR_EVERY is 'often' and must be a number of iterations")
    nereus_add_live_test(live-monitor-no-file PROGRAM monitor NP 2 ARGS last=9 ENVIRONMENT NEREUS_MONITOR=/nowhere/job.jsonl
        NEREUS_MONITOR_EVERY=2 ${link_order} "NEREUS_TEST_SAYS=the monitoring file cannot be written to '/nowhere/job.jsonl': No such file")

    # Of an iteration of 10 ms at most 1 %, with an interval in each iteration: see instructions.sh.
    add_test(NAME live-monitor-instructions WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${PROJECT_SOURCE_DIR}/tests/live/instructions.sh"
                --monitored 50 $<TARGET_FILE:nereus-watch> $<TARGET_FILE:nereus-jacobi> --unknowns 100 --tolerance 0 --iterations 50)
    set_tests_properties(live-monitor-instructions PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
endif()
