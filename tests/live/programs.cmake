# The small programs of sam/programs: resized, each gives the same answer, bit for bit, as the
# program that it was before.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    # nereus_add_program_test(NAME SCHEDULE PLAIN... -- NP MALLEABLE...): see programs.sh.
    function(nereus_add_program_test name)
        add_test(NAME live-program-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/programs.sh"
                    "${NEREUS_MPIEXEC_WRAPPER}" ${ARGN})
        set_tests_properties(live-program-${name} PROPERTIES LABELS live TIMEOUT 160 RUN_SERIAL ON PROCESSORS 2)
    endfunction()

    # nereus_write_schedule(OUTPUT METHOD STEPS): 4 processes after a quarter of the steps, 1 after
    # a half, 3 after three quarters.
    function(nereus_write_schedule output method steps)
        math(EXPR first "${steps} / 4")
        math(EXPR second "${steps} / 2")
        math(EXPR third "3 * ${steps} / 4")
        set(${output} 4@${first}:${method},1@${second}:${method},3@${third}:${method} PARENT_SCOPE)
    endfunction()

    # nereus_add_resized_tests(NAME PLAIN PROGRAM SIZE...): with sets of arguments, as "203 300 40",
    # whose last one is the number of steps.
    function(nereus_add_resized_tests name plain program)
        foreach(method IN ITEMS merge/coll baseline/p2p merge/rma merge/shared-keep merge/coll-keep baseline-intra/rma-keep)
            string(REPLACE "/" "-" method_name ${method})
            foreach(size IN LISTS ARGN)
                string(REPLACE " " ";" words "${size}")
                list(GET words 0 first)
                list(GET words -1 steps)
                nereus_write_schedule(schedule ${method} ${steps})
                nereus_add_program_test(${name}-${method_name}-${first} ${schedule} $<TARGET_FILE:${plain}> ${words}
                                        -- 2 $<TARGET_FILE:${program}> ${words})
            endforeach()
        endforeach()
    endfunction()

    # Start-up code with collectives; two phases. Answers of few values (fewer than processes) and of many.
    file(WRITE "${PROJECT_BINARY_DIR}/tests/start.txt" "3.9 100003 40\n")
    file(WRITE "${PROJECT_BINARY_DIR}/tests/start-few.txt" "3.7 3 40\n")
    foreach(method IN ITEMS merge/coll baseline/p2p merge/rma merge-hypercube/shared-keep merge-launch/coll)
        string(REPLACE "/" "-" name ${method})
        nereus_write_schedule(schedule ${method} 40)
        foreach(input IN ITEMS start start-few)
            nereus_add_program_test(${input}-${name} ${schedule} $<TARGET_FILE:nereus-start-plain> ${input}.txt
                                    -- 2 $<TARGET_FILE:nereus-start> ${input}.txt)
        endforeach()
        nereus_add_program_test(phases-${name} 4@5:${method},3@20:${method},1@25:${method},4@30:${method},2@35:${method}
                                $<TARGET_FILE:nereus-phases> -- 2 $<TARGET_FILE:nereus-phases>)
    endforeach()

    # What NEREUS_SCHEDULE may not be.
    foreach(case IN ITEMS "word 4@x" "no-point 4@" "size-alone 4" "size-0 0@4" "no-method 4@10:" "method-first 4:merge/coll@4" "method 4@4:murge/coll" "backwards 2@20,4@10")
        string(REGEX REPLACE " .*" "" name "${case}")
        string(REGEX REPLACE ".* " "" case "${case}")
        nereus_add_live_test(live-schedule-${name} PROGRAM nereus-start NP 2 EXPECT 1 ARGS start.txt)
        set_tests_properties(live-schedule-${name} PROPERTIES ENVIRONMENT
            "NEREUS_SCHEDULE=${case};NEREUS_TEST_SAYS=(NEREUS_SCHEDULE has '.*', and takes SIZE@POINT|'murge'|the schedule goes back from point 20 to point 10)")
    endforeach()

    # Two arrays that swap; ranges that are not in rank order; fewer rows than processes; rows that
    # are packed, and not.
    set(heats nereus-heat)
    if(CMAKE_CXX_COMPILER)
        list(APPEND heats nereus-heat-cpp)
        # What the C++ of heat.cpp does not show: elements of any size, structs, exceptions; grids.
        foreach(program IN ITEMS elements boxes)
            nereus_add_program(${program} SOURCES ${CMAKE_CURRENT_LIST_DIR}/${program}.cpp LINK nereus-runtime NO_INSTALL)
            foreach(method IN ITEMS merge/coll baseline/p2p merge-async/p2p)
                string(REPLACE "/" "-" name ${method})
                nereus_add_live_test(live-${program}-${name} PROGRAM ${program} NP 2 ARGS ${method}
                                     ENVIRONMENT NEREUS_SCHEDULE=2@2:merge/coll) # options.schedule comes before it
            endforeach()
        endforeach()
    endif()
    if(NEREUS_HAVE_FORTRAN)
        list(APPEND heats nereus-heat-fortran)
    endif()
    foreach(program IN LISTS heats)
        nereus_add_resized_tests(${program} nereus-heat-plain ${program} "203 300 40" "41 7 40" "3 50 12")
    endforeach()

    # Fields that swap, in boxes of three dimensions with halos: points in each dimension, steps.
    nereus_add_program_test(wave-plain none $<TARGET_FILE:nereus-wave-plain> 24 19 13 40 -- 4 $<TARGET_FILE:nereus-wave-plain> 24 19 13 40)
    nereus_add_resized_tests(wave nereus-wave-plain nereus-wave "24 19 13 40" "5 3 41 12")
    foreach(method IN ITEMS merge-async/p2p merge/coll-thread merge/shared-waittargets) # which may end after the last step
        string(REPLACE "/" "-" name ${method})
        # All iterations take several times as long as the start of new processes, on many cores, too.
        nereus_add_program_test(wave-${name} any:4@50:${method},1@600:${method},3@900:${method}
                                $<TARGET_FILE:nereus-wave-plain> 48 38 52 1200 -- 2 $<TARGET_FILE:nereus-wave> 48 38 52 1200)
    endforeach()

    # Atoms that migrate, packed by planes of cells: cells, steps. Fewer planes than processes.
    nereus_add_program_test(atoms-plain none $<TARGET_FILE:nereus-atoms-plain> 5 40 -- 4 $<TARGET_FILE:nereus-atoms-plain> 5 40)
    nereus_add_resized_tests(atoms nereus-atoms-plain nereus-atoms "5 40" "3 60")
    foreach(method IN ITEMS merge-async/p2p merge/coll-thread) # which may end after the last step
        string(REPLACE "/" "-" name ${method})
        nereus_write_schedule(schedule ${method} 400)
        nereus_add_program_test(atoms-${name} any:${schedule} $<TARGET_FILE:nereus-atoms-plain> 3 400
                                -- 2 $<TARGET_FILE:nereus-atoms> 3 400)
    endforeach()

    # Data that the application moves itself: tiles; and what fails in its functions is taken back.
    nereus_add_program(mover SOURCES ${CMAKE_CURRENT_LIST_DIR}/mover.c ${CMAKE_CURRENT_LIST_DIR}/round_robin.c LINK nereus-runtime NO_INSTALL)
    foreach(method IN ITEMS merge/coll baseline/p2p baseline-intra/coll merge/rma merge-hypercube/shared-keep merge-launch/coll
                            merge-async/p2p merge/coll-thread merge/coll-waittargets)
        string(REPLACE "/" "-" name ${method})
        if(NOT method MATCHES "async|thread|wait") # which may end after the last step
            foreach(size IN ITEMS "203 300 40" "7 41 40")
                string(REPLACE " " ";" words "${size}")
                list(GET words 0 rows)
                nereus_write_schedule(schedule ${method} 40)
                nereus_add_program_test(nereus-tiles-${name}-${rows} ${schedule} $<TARGET_FILE:nereus-heat-plain> ${words}
                                        -- 2 $<TARGET_FILE:nereus-tiles> ${words})
            endforeach()
            nereus_add_live_test(live-mover-${name} PROGRAM mover NP 2 ARGS ${method})
        else()
            nereus_write_schedule(schedule ${method} 4000)
            nereus_add_program_test(nereus-tiles-${name} any:${schedule} $<TARGET_FILE:nereus-heat-plain> 203 300 4000
                                    -- 2 $<TARGET_FILE:nereus-tiles> 203 300 4000)
        endif()
    endforeach()
    # Two rows: 2 x 2 tiles, but not 3 x 1.
    nereus_add_program_test(nereus-tiles-few any:4@2:merge/coll,3@5:merge/coll $<TARGET_FILE:nereus-heat-plain> 2 300 40
                            -- 2 $<TARGET_FILE:nereus-tiles> 2 300 40)
    set_property(TEST live-program-nereus-tiles-few PROPERTY PASS_REGULAR_EXPRESSION "was cancelled.*changes of size 1\n")
    nereus_add_live_test(live-tiles-refused PROGRAM nereus-tiles NP 3 ARGS 2 300 40 EXPECT 1)
    set_property(TEST live-tiles-refused PROPERTY PASS_REGULAR_EXPRESSION "tiles: fewer rows or columns than tiles side by side")
    foreach(test IN ITEMS live-program-nereus-tiles-few live-tiles-refused) # beside the status, which live-run judges
        set_property(TEST ${test} PROPERTY FAIL_REGULAR_EXPRESSION "live-run: |left behind|answers differ")
    endforeach()
    foreach(fault IN ITEMS prepare:0 prepare:1 prepare:+3 move:0 move:1 move:+3 bytes:0 bytes:1)
        foreach(method IN ITEMS merge/coll baseline/p2p merge-launch/coll)
            string(REGEX REPLACE "[:+/]" "-" name ${fault}-${method})
            nereus_add_live_test(live-mover-fails-${name} PROGRAM mover NP 2 ARGS ${method} ${fault})
        endforeach()
    endforeach()
    nereus_add_live_test(live-mover-lacks PROGRAM mover NP 2 ARGS lacks)
    nereus_add_live_test(live-mover-unfinished PROGRAM mover NP 2 ARGS unfinished EXPECT 1 ENVIRONMENT
        "NEREUS_TEST_SAYS=^nereus: options.mover needs the functions bytes, prepare, move and end")

    # nereus_init behind the start-up code, which runs again in each world of new processes.
    nereus_add_program(start-slowly SOURCES ${CMAKE_CURRENT_LIST_DIR}/start_slowly.c LINK nereus-runtime NO_INSTALL)
    add_library(mpi-module MODULE ${CMAKE_CURRENT_LIST_DIR}/mpi_module.c)
    target_link_libraries(mpi-module PRIVATE nereus_mpi nereus_common)
    nereus_add_program(init-late SOURCES ${CMAKE_CURRENT_LIST_DIR}/init_late.c LINK nereus-runtime NO_INSTALL)
    foreach(method IN ITEMS merge/coll baseline/p2p merge-hypercube/coll merge-launch/coll)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-init-late-${name} PROGRAM init-late NP 2 ARGS ${method})
    endforeach()
    # Where no thread may call MPI, launched processes start beside the application all the same.
    nereus_add_live_test(live-init-late-single PROGRAM init-late NP 2 ARGS merge-launch-async/coll single
                         ENVIRONMENT NEREUS_FAULT=thread:1@1) # a thread, were one started, could not be
    nereus_add_live_test(live-init-late-single-refused PROGRAM init-late NP 2 ARGS merge-async/coll single EXPECT 1
                         ENVIRONMENT "NEREUS_TEST_SAYS=^nereus: asynchronous methods call MPI from two threads at once: initialise MPI with MPI_THREAD_MULTIPLE")

    # Load balance at the same size, by powers and times that are stated.
    nereus_add_program(balance SOURCES ${CMAKE_CURRENT_LIST_DIR}/balance.c LINK nereus-runtime m NO_INSTALL)
    foreach(row IN ITEMS powers times weights even near late one unknown come-and-go "powers merge/p2p-weighted"
                         "powers merge/rma-weighted" "powers merge-launch-async/shared-thread-weighted")
        string(REGEX REPLACE "[ /]" "-" name "${row}")
        string(REPLACE " " ";" words "${row}")
        nereus_add_live_test(live-balance-${name} PROGRAM balance NP 3 ARGS ${words})
    endforeach()
    # The move is priced by the profile, on a machine of the host file; else by a prior.
    foreach(row IN ITEMS "profile ${PROJECT_SOURCE_DIR}/tests/unit/data/calibrated.json" "prior /nowhere.json")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 name)
        list(GET words 1 profile)
        nereus_add_live_test(live-balance-${name} PROGRAM balance NP 3 ARGS ${name} merge/coll-weighted ${profile}
                             ENVIRONMENT NEREUS_HOSTFILE=${NEREUS_MACHINES}/pairs)
    endforeach()
    nereus_add_live_test(live-balance-fails PROGRAM balance NP 3 ARGS fails ENVIRONMENT
                         NEREUS_FAULT=allocate:1@1,agree:0@2,redistribute:2@3)

    # NEREUS_BALANCE: the same by what monitoring has measured.
    nereus_add_program(measured SOURCES ${CMAKE_CURRENT_LIST_DIR}/measured.c LINK nereus-runtime NO_INSTALL)
    foreach(row IN ITEMS "slow 3" "graded 3" "late 2" "neighbour 2")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 name)
        list(GET words 1 np)
        nereus_add_live_test(live-measured-${name} PROGRAM measured NP ${np} ARGS ${name} TIMEOUT 60
                             ENVIRONMENT NEREUS_BALANCE=5 ASAN_OPTIONS=verify_asan_link_order=0)
    endforeach()
    # With an interval in each iteration rank 0 waits in each point for the samples of the other, in
    # 19 of the 20 iterations between two looks.
    nereus_add_live_test(live-measured-point PROGRAM measured NP 2 ARGS point TIMEOUT 60
                         ENVIRONMENT NEREUS_BALANCE=20 NEREUS_MONITOR_EVERY=1 ASAN_OPTIONS=verify_asan_link_order=0)
    nereus_add_live_test(live-measured-bad PROGRAM measured NP 1 EXPECT 1 ENVIRONMENT NEREUS_BALANCE=often
                         ASAN_OPTIONS=verify_asan_link_order=0
                         "NEREUS_TEST_SAYS=NEREUS_BALANCE is 'often' and must be a whole number of at least 1")

    # Layouts by node, on virtual nodes: parts of nodes, moved ones, asked for in vain, put back.
    # The state tells where everybody is.
    nereus_add_program(by-node SOURCES ${CMAKE_CURRENT_LIST_DIR}/by_node.c ${CMAKE_CURRENT_LIST_DIR}/where.c LINK nereus-runtime NO_INSTALL)
    function(nereus_add_layout_test name np)
        cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ENV")
        list(TRANSFORM arg_UNPARSED_ARGUMENTS REPLACE "([a-e])([:+])" "localhost/\\1\\2")
        nereus_add_live_test(live-layout-${name} PROGRAM by-node NP ${np} ARGS ${arg_UNPARSED_ARGUMENTS} ENVIRONMENT
            NEREUS_HOSTFILE=${NEREUS_MACHINES}/pairs NEREUS_STATE=${PROJECT_BINARY_DIR}/tests/layout-${name}.json ${arg_ENV})
    endfunction()
    nereus_add_layout_test(parts 2 a:2,b:1=merge-diffusive/coll a:1,b:1 a:1,b:1^ a:2,b:1=merge/p2p a:2=merge-ts/coll)
    nereus_add_layout_test(moved 2 b:2 b:1,c:1 b:1,c:1^ a:2,b:2,c:1 c:1=merge-ts/coll)
    nereus_add_layout_test(emptied 4 a:2 a:1,c:2=baseline/coll)
    nereus_add_layout_test(refused 2 a:1,b:1=merge/coll!node_1_would_gain_processes_and_node_0_lose_some a:3!room_for_0_to_2_there
        b:1,b:1!in_a_layout_twice nowhere:1!is_not_in_the_job a:0!without_processes a:1,b:0=merge-ts/coll!ts_cannot_bring
        a:1=murge!murge a:1=merge/coll a:1,b:1=merge/coll!would_be_1_too_many_on_node_0 a:1,b:1)
    # Nodes that the host file does not have: gained, used again; put back where the change fails.
    nereus_add_layout_test(gains 2 a:2,d+2:2 a:2,d:1=merge-zs/coll d:2,e+1:1=baseline-diffusive/coll d:2=merge-ts/coll)
    nereus_add_layout_test(gain-fails 2 a:2,d+2:1~injected_failure a:2,d:1!named_with_its_cores
        a:2,d+1:2!room_for_0_to_1_there a:2,d+2:1 ENV NEREUS_FAULT=agree:0@1)
    # A schedule that spreads, over the nodes that the machine has by then.
    nereus_add_layout_test(spread-after-gain 2 a:2,d+2:1 "a:1,b:1,c:1,d:1>4=baseline-diffusive/coll")
    nereus_add_layout_test(fails 2 b:2~injected_failure a:2,b:1~injected_failure b:2 ENV NEREUS_FAULT=agree:0@1,agree:1@2)

    # Swaps while a reconfiguration is under way, at any moment of it; swaps of one process alone;
    # pairs that cannot be swapped.
    nereus_add_program(swap SOURCES ${CMAKE_CURRENT_LIST_DIR}/swap.c LINK nereus-runtime NO_INSTALL)
    foreach(method IN ITEMS merge/coll merge/shared merge-async/coll merge-async/p2p baseline-async/coll
                            merge/coll-thread merge/p2p-waitsources merge/coll-waittargets merge/rma-thread
                            merge/shared-thread merge/shared-waittargets merge/rma-waitsources merge-launch-async/coll)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-swap-${name} PROGRAM swap NP 2 ARGS ${method})
    endforeach()
    nereus_add_live_test(live-swap-alone PROGRAM swap NP 2 ARGS merge/coll alone ENVIRONMENT
        "NEREUS_TEST_SAYS=since the last resize rank 0 has called nereus_swap 2 times, and rank 1 3: all processes must swap alike")
    foreach(method IN ITEMS merge-async/coll merge/p2p-thread)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-swap-late-${name} PROGRAM swap NP 2 ARGS ${method} late ENVIRONMENT
            "NEREUS_TEST_SAYS=rank 0 has called nereus_swap 2 times since the last resize, and other ranks more or less often")
    endforeach()
endif()
