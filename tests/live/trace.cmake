# The trace and the state file of live reconfigurations: steps that add up to RT, an answer to each
# request, and the worlds and zombies that there are. check_trace.c says what the words after --
# mean.
if(NEREUS_HAVE_MPI)
    nereus_add_program(check-trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/check_trace.c
                       LINK nereus-predictor nereus-model NO_INSTALL)

    # nereus_add_trace_test(NAME NP RESIZE-WORD... -- CHECK-WORD...)
    function(nereus_add_trace_test name np)
        if(NOT NEREUS_TESTS)
            return()
        endif()
        add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${PROJECT_SOURCE_DIR}/tests/live/trace.sh"
                    "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:resize> $<TARGET_FILE:check-trace> $<TARGET_FILE:nereus-cli> ${np}
                    ${ARGN})
        set_tests_properties(${name} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2)
    endfunction()

    foreach(data IN ITEMS coll p2p)
        nereus_add_trace_test(live-trace-merge-${data}-2-4 2 method=merge/${data} schedule=4@2 last=4
                              -- 4:merge/${data}:resized world=0:2:0 world=1:2:0)
        nereus_add_trace_test(live-trace-merge-${data}-4-1 4 method=merge/${data} schedule=1@2 last=4
                              -- 1:merge/${data}:resized world=0:1:3)
        nereus_add_trace_test(live-trace-baseline-${data}-2-4 2 method=baseline/${data} schedule=4@2 last=4
                              -- 4:baseline/${data}:resized world=1:4:0)
        nereus_add_trace_test(live-trace-baseline-${data}-4-1 4 method=baseline/${data} schedule=1@2 last=4
                              -- 1:baseline/${data}:resized world=1:1:0)
    endforeach()

    # Launched processes announce themselves: of the plan's step up the tree there is no line.
    nereus_add_trace_test(live-trace-launch 1 method=merge-launch/coll schedule=3@2 last=4
                          -- 3:merge-launch/coll:resized world=0:1:0 world=1:2:0)

    # More sources than cores: what a shrink overlaps moves at once, and the trace names the method so.
    nereus_add_trace_test(live-trace-crowded 4 method=merge/coll-thread schedule=3@2,2@3:baseline/p2p-waitsources last=5 --)
    if(NEREUS_TESTS)
        set_tests_properties(live-trace-crowded PROPERTIES ENVIRONMENT "NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/crowded;NEREUS_SLOTS=6")
    endif()

    # Zombies: who fell asleep last wakes first, whichever world it is of; only what is then missing
    # is spawned.
    nereus_add_trace_test(live-trace-zombies 2 schedule=4@2,1@3,2@4 last=6
                          -- 4:merge/coll:resized 1:merge/coll:resized 2:merge/coll:resized
                          world=0:2:0) # the second world had ended
    nereus_add_trace_test(live-trace-zombies-and-new 3 schedule=1@2,4@3 last=5
                          -- 1:merge/coll:resized 4:merge/coll:resized world=0:3:0 world=1:1:0)
    nereus_add_trace_test(live-trace-zombies-end 4 schedule=2@2,3@4:baseline/p2p last=6
                          -- 2:merge/coll:resized 3:baseline/p2p:resized world=1:3:0)
    nereus_add_trace_test(live-trace-mixed 4
                          schedule=2@2:baseline/p2p,3@3,3@4,1@5:baseline/coll,4@6:merge/p2p,2@7 last=9
                          -- 2:baseline/p2p:resized 3:merge/coll:resized 3:merge/coll:unchanged
                          1:baseline/coll:resized 4:merge/p2p:resized 2:merge/coll:resized
                          world=3:1:0 world=4:1:2)

    # What is not carried out has a line that says why.
    nereus_add_trace_test(live-trace-unchanged 2 schedule=2@2 last=4
                          -- 2:merge/coll:unchanged says=already world=0:2:0)
    nereus_add_trace_test(live-trace-failed 2 schedule=4@2,3@4:baseline/p2p program=/nowhere/program last=6
                          -- 4:merge/coll:failed 3:baseline/p2p:failed says=/nowhere/program world=0:2:0)
    nereus_add_trace_test(live-trace-too-late 2 schedule=4@2,3@98,1@99:baseline/p2p last=4
                          -- 4:merge/coll:resized 3:merge/coll:too-late 1:baseline/p2p:too-late says=ended
                          world=0:2:0 world=1:2:0)
    nereus_add_trace_test(live-trace-asked-too-late 2 ask=4@5 last=5
                          -- 4:merge/coll:too-late says=ended world=0:2:0)
    nereus_add_trace_test(live-trace-asked 2 ask=4@3 last=9 until=1
                          -- 4:merge/coll:resized world=0:2:0 world=1:2:0)

    # Trees: the trace shows who started whom, on which node. Virtual nodes of one process each.
    file(WRITE "${PROJECT_BINARY_DIR}/tests/trace.hosts"
         "localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\nlocalhost/d:1\nlocalhost/e:1\nlocalhost/f:1\n")
    foreach(strategy IN LISTS NEREUS_SEVERAL_WORLDS)
        nereus_add_trace_test(live-trace-${strategy} 1 method=merge-${strategy}/coll schedule=6@2 last=4
                              -- 6:merge-${strategy}/coll:resized
                              world=0:1:0:0 world=1:1:0:1 world=2:1:0:2 world=3:1:0:3 world=4:1:0:4 world=5:1:0:5)
        set_property(TEST live-trace-${strategy} PROPERTY ENVIRONMENT NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/trace.hosts)
    endforeach()
    nereus_add_trace_test(live-trace-single 2 method=merge-single/coll schedule=4@2 last=4
                          -- 4:merge-single/coll:resized world=0:2:0 world=1:2:0)
    nereus_add_trace_test(live-trace-async 2 method=merge-async/coll schedule=4@2 last=4 until=1 pause=0.01
                          -- 4:merge-async/coll:resized world=0:2:0 world=1:2:0)
    nereus_add_trace_test(live-trace-intra 2 method=baseline-intra/coll schedule=4@2 last=4
                          -- 4:baseline-intra/coll:resized world=1:4:0)
endif()
