# The runtime, live: resize.c checks every element of every array after each reconfiguration (its
# head names the words).
if(NEREUS_HAVE_MPI)
    nereus_add_program(resize SOURCES ${CMAKE_CURRENT_LIST_DIR}/resize.c ${CMAKE_CURRENT_LIST_DIR}/where.c
                               ${CMAKE_CURRENT_LIST_DIR}/measure.c ${CMAKE_CURRENT_LIST_DIR}/walk.c
                       LINK nereus-runtime nereus-model NO_INSTALL)
    nereus_add_program(called SOURCES ${CMAKE_CURRENT_LIST_DIR}/called.c LINK nereus_mpi NO_INSTALL) # for cli-twin
    nereus_add_program(zombies SOURCES ${CMAKE_CURRENT_LIST_DIR}/zombies.c LINK nereus-runtime NO_INSTALL)

    # Who ends without nereus_finalize: told, and no success. A status of its own is the program's word.
    nereus_add_program(forgets SOURCES ${CMAKE_CURRENT_LIST_DIR}/forgets.c LINK nereus-runtime NO_INSTALL)
    nereus_add_live_test(live-forgets-finalize PROGRAM forgets NP 2 EXPECT 1
                         ENVIRONMENT "NEREUS_TEST_SAYS=^nereus-mpiexec: the program ends without nereus_finalize")
    nereus_add_live_test(live-forgets-finalize-status PROGRAM forgets NP 2 ARGS 5 EXPECT 5)
    set_property(TEST live-forgets-finalize-status PROPERTY FAIL_REGULAR_EXPRESSION "live-run: |without nereus_finalize")

    # Who is lost without a word, at any moment, however it ends, alone and under a wrapper: status,
    # when, how.
    set(lost "^nereus-mpiexec: the job cannot go on and is ended: process . of")
    foreach(row IN ITEMS "1 start 0 the initial world .* ended with status 0 before libnereus had seen MPI_Init"
                         "3 mpi 3 the initial world .* ended with status 3 before it had called nereus_init"
                         "1 loop 0 the initial world .* ended with status 0 without having left the job"
                         "1 loop exec the initial world .* has become another program"
                         "134 loop abort the initial world .* was killed by signal 6 "
                         "1 left 0 the initial world .* ended with status 0 before it had called MPI_Finalize"
                         "1 joined 0 a spawned world .* ended with status 0 after it had reached MPI")
        string(REGEX MATCH "^([0-9]+) ([a-z]+) ([a-z0-9]+) (.*)$" ignored "${row}")
        nereus_add_live_test(live-lost-${CMAKE_MATCH_2}-${CMAKE_MATCH_3} PROGRAM forgets NP 2
                             ARGS ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} EXPECT ${CMAKE_MATCH_1}
                             ENVIRONMENT "NEREUS_TEST_SAYS=${lost} ${CMAKE_MATCH_4}")
    endforeach()

    # Name, processes, schedule, processes at the end. The last is a chain.
    set(cases "1-3 1 3@3 3" "3-1 3 1@3 1" "2-2 2 2@3 2" "2-4-1-3 2 4@3,1@5,3@7 3")
    foreach(method IN ITEMS merge/coll merge/p2p baseline/coll baseline/p2p)
        string(REPLACE "/" "-" plain ${method})
        foreach(case IN LISTS cases)
            string(REPLACE " " ";" words "${case}")
            list(GET words 0 name)
            list(GET words 1 processes)
            list(GET words 2 schedule)
            list(GET words 3 expected)
            nereus_add_live_test(live-${plain}-${name} PROGRAM resize NP ${processes}
                                 ARGS method=${method} schedule=${schedule} expect=${expected} last=9 data=all)
        endforeach()
        foreach(data IN ITEMS many replicated none)
            nereus_add_live_test(live-${plain}-chain-${data} PROGRAM resize NP 2
                                 ARGS method=${method} schedule=4@3,1@5,3@7 expect=3 last=9 data=${data})
        endforeach()
    endforeach()

    # A resize that has nothing to do is not waited for.
    nereus_add_live_test(live-job-left-out PROGRAM nereus-calibrate-job NP 2
                         ARGS --sizes 3:merge/coll,3:merge/coll,2:merge-zs/coll --method merge/coll)
    nereus_add_live_test(live-replicated-large PROGRAM resize NP 1
                         ARGS data=none replicated=3000000 last=9 schedule=3@2:merge/p2p,2@4:baseline/coll,3@6:baseline-intra/rma
                         expect=3 outcome=resized)
    nereus_add_live_test(live-mixed-chain PROGRAM resize NP 3
                         ARGS schedule=1@2,3@4,2@6,4@8,2@10,1@12,4@14 expect=4 last=16)
    nereus_add_live_test(live-two-at-one-point PROGRAM resize NP 2 ARGS schedule=4@2,3@2 expect=3 last=6)
    nereus_add_live_test(live-zombies PROGRAM zombies NP 4 ARGS 100 TIMEOUT 120)

    # Requests made at run time: answered whenever they come. How many points that takes depends on
    # how soon messages arrive: each attempt to stop is twice as far ahead as the one before.
    nereus_add_live_test(live-ask PROGRAM resize NP 2 ARGS ask=4@3 last=9 until=1 expect=4 outcome=resized)
    nereus_add_live_test(live-ask-baseline PROGRAM resize NP 2
                         ARGS ask=4@3 last=9 until=1 expect=4 outcome=resized method=baseline/p2p)
    nereus_add_live_test(live-ask-present-size PROGRAM resize NP 2 ARGS ask=2@3 last=300 expect=2 outcome=unchanged)
    nereus_add_live_test(live-ask-at-the-end PROGRAM resize NP 2 ARGS ask=4@9 last=9 expect=2 outcome=pending)
    nereus_add_live_test(live-ask-while-scheduled PROGRAM resize NP 2
                         ARGS ask=3@3 schedule=4@3 last=12 until=2 expect=3 outcome=resized)
    nereus_add_live_test(live-schedule-after-the-end PROGRAM resize NP 2 ARGS schedule=4@99,2@100 last=5 expect=2 outcome=none
        ENVIRONMENT "NEREUS_TEST_SAYS=^nereus: 2 of 2 changes of the schedule were not carried out: the application ended first, at point 5$")

    # What new processes start: name, arguments, environment, wrapper.
    nereus_add_program(started SOURCES ${CMAKE_CURRENT_LIST_DIR}/started.c LINK nereus-runtime NO_INSTALL)
    add_test(NAME live-started WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
             COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/started.sh"
                     "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:started>)
    set_tests_properties(live-started PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2)

    # New processes start without UCX's memory hooks where no device needs them, unless the user has chosen.
    set(hooks PROGRAM resize NP 1 ARGS method=merge/coll schedule=2@2 last=4 expect=2 program=${CMAKE_CURRENT_LIST_DIR}/start-hooks
              ENVIRONMENT NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize> "NEREUS_TEST_SAYS=^memory hooks '.*': right$")
    nereus_add_live_test(live-memory-hooks ${hooks})
    nereus_add_live_test(live-memory-hooks-set ${hooks} UCX_MEM_MMAP_HOOK_MODE=bistro NEREUS_TEST_HOOKS=bistro)

    # Waiting processes give their core away inside MPI's blocking calls too, where MPI allows it.
    if(NEREUS_HAVE_MPIX_ASYNC)
        nereus_add_program(blocking SOURCES ${CMAKE_CURRENT_LIST_DIR}/blocking.c LINK nereus-runtime NO_INSTALL)
        nereus_add_live_test(live-blocking-calls PROGRAM blocking NP 2)
    endif()

    # The status of the world that ends the job.
    foreach(method IN ITEMS merge baseline)
        nereus_add_live_test(live-exit-5-${method} PROGRAM resize NP 2
                             ARGS method=${method}/coll schedule=4@2,1@4,3@6 last=8 exit=5 EXPECT 5)
    endforeach()
    nereus_add_live_test(live-killed-merge PROGRAM resize NP 2
                         ARGS schedule=4@2,1@4,3@6 last=8 kill=0 EXPECT 137
                         ENVIRONMENT "NEREUS_TEST_SAYS=^nereus-mpiexec: the job cannot go on and is ended: process . of the initial world .* was killed by signal 9 ")
    nereus_add_live_test(live-killed-baseline PROGRAM resize NP 2
                         ARGS method=baseline/coll schedule=4@2,1@4,3@6 last=8 kill=0 EXPECT 137)

    # New processes that cannot be had: the job goes on as it was.
    foreach(method IN ITEMS merge baseline)
        nereus_add_live_test(live-missing-program-${method} PROGRAM resize NP 2
                             ARGS method=${method}/coll schedule=4@2 program=/nowhere/program last=6 expect=2 outcome=failed)
        nereus_add_live_test(live-early-end-${method} PROGRAM resize NP 2
                             ARGS method=${method}/coll schedule=4@2 program=/bin/false last=6 expect=2 outcome=failed)
        nereus_add_live_test(live-no-memory-source-${method} PROGRAM resize NP 2
                             ARGS method=${method}/coll schedule=4@2 last=6 expect=2 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=agree:1)
        nereus_add_live_test(live-no-memory-target-${method} PROGRAM resize NP 2
                             ARGS method=${method}/coll schedule=4@2 last=6 expect=2 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=allocate:1)
    endforeach()
    nereus_add_live_test(live-no-guard PROGRAM resize NP 2
                         ARGS schedule=4@2 last=6 expect=2 outcome=failed ENVIRONMENT NEREUS_GUARD=/nowhere/guard)
    nereus_add_live_test(live-never-reaches-mpi PROGRAM resize NP 2
                         ARGS schedule=4@2 program=/usr/bin/yes last=6 expect=2 outcome=failed
                         ENVIRONMENT NEREUS_SPAWN_TIMEOUT=2)
    nereus_add_live_test(live-no-bed PROGRAM resize NP 4
                         ARGS schedule=2@2 last=6 expect=4 outcome=failed ENVIRONMENT NEREUS_FAULT=gather:3)
    # A failure, then the same again without one: nothing is left over.
    nereus_add_live_test(live-again-after-failure PROGRAM resize NP 2
                         ARGS schedule=4@2,4@4,2@6 last=9 expect=2 outcome=resized ENVIRONMENT NEREUS_FAULT=allocate:0)
    nereus_add_live_test(live-wake-cancelled PROGRAM resize NP 4
                         ARGS schedule=2@2,4@4,4@6 last=9 expect=4 outcome=resized ENVIRONMENT NEREUS_FAULT=allocate:2@2)
    nereus_add_live_test(live-wake-impossible PROGRAM resize NP 4
                         ARGS schedule=2@2,4@4,4@6 last=9 expect=4 outcome=resized ENVIRONMENT NEREUS_FAULT=wake:0)
    nereus_add_live_test(live-wake-impossible-elsewhere PROGRAM resize NP 4
                         ARGS schedule=2@2,4@4,4@6 last=9 expect=4 outcome=resized ENVIRONMENT NEREUS_FAULT=wake:1)
    nereus_add_live_test(live-cancelled-with-zombies PROGRAM resize NP 3
                         ARGS schedule=1@2,4@4,3@6 last=9 expect=3 outcome=resized
                         ENVIRONMENT NEREUS_FAULT=allocate:3)

    # Processes that registered different data: detected, and the reconfiguration cancelled,
    # whatever the plan.
    foreach(case "merge 4 2" "merge 2 4" "baseline 2 4" "baseline 4 2")
        string(REPLACE " " ";" words "${case}")
        list(GET words 0 method)
        list(GET words 1 processes)
        list(GET words 2 target)
        nereus_add_live_test(live-uneven-data-${method}-${processes}-${target} PROGRAM resize NP ${processes}
                             ARGS method=${method}/coll schedule=${target}@2 data=uneven last=6 expect=${processes}
                                  outcome=failed)
    endforeach()
    foreach(overlap IN ITEMS waitsources waittargets thread)
        foreach(process IN ITEMS merge merge-async)
            nereus_add_live_test(live-uneven-data-${process}-${overlap} PROGRAM resize NP 2
                                 ARGS method=${process}/coll-${overlap} schedule=4@2 data=uneven-constant last=6 settle=1
                                      pause=0.001 expect=2 outcome=failed)
        endforeach()
    endforeach()

    # Slots that were declared are a limit.
    nereus_add_live_test(live-above-slots PROGRAM resize NP 2
                         ARGS schedule=4@2 last=5 EXPECT 7 ENVIRONMENT NEREUS_SLOTS=3)
    # Where none were, a size that can only be a typing error is refused all the same: so it is at
    # the start, long before its turn.
    nereus_add_live_test(live-far-too-many PROGRAM resize NP 2 ARGS schedule=2000000@9 last=5 EXPECT 7)
    nereus_add_live_test(live-bad-slots PROGRAM resize NP 1 ARGS last=5 EXPECT 7 ENVIRONMENT NEREUS_SLOTS=many)
    nereus_add_live_test(live-unknown-method PROGRAM resize NP 2 ARGS method=murge/coll last=5 EXPECT 7)
    # Also where nothing is to be done by it.
    nereus_add_live_test(live-illegal-default-method PROGRAM resize NP 1 ARGS method=baseline/rma last=5 EXPECT 7)
    nereus_add_live_test(live-bad-shared PROGRAM resize NP 1 ARGS last=5 EXPECT 7 ENVIRONMENT NEREUS_SHARED=nonsense)
    nereus_add_live_test(live-illegal-method PROGRAM resize NP 2
                         ARGS method=baseline/rma schedule=4@2 last=5 EXPECT 7)

    # What is said where something cannot be written.
    add_test(NAME live-full-disk WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 240 0 "${CMAKE_CURRENT_LIST_DIR}/full-disk.sh" "${NEREUS_MPIEXEC_WRAPPER}"
                $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize> "${PROJECT_SOURCE_DIR}/sam/examples/chain.ini")
    set_tests_properties(live-full-disk PROPERTIES LABELS live TIMEOUT 260 RUN_SERIAL ON PROCESSORS 2
        ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0)
    # What is written where a path is no UTF-8 and the program's locale has a decimal comma.
    if(NEREUS_TESTS)
        add_test(NAME live-text WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/text.sh"
                    "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:resize> $<TARGET_FILE:nereus-cli>)
        set_tests_properties(live-text PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77
            ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0)
    endif()
endif()
