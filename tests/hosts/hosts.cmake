# Several hosts on one machine (README.md): where processes are, to which cores they are bound, and
# that nothing stays.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(netmods ucx ofi)
    set(odd host0:1,host1:2,host2:1)  # three groups, unequal
    set(even host0:2,host1:2,host2:2) # hypercube takes equal groups only
    set(last host0:1,host1:1,host2:2)
    set(six host0:1,host1:1,host2:1,host3:1,host4:1,host5:1)
    # A case: hosts, processes, changes (size[:method]; the row's own method if it has none). Where
    # everybody should be follows from the machine, the first host full, then the next; with
    # "state", where others than the last leave, from the job's state.
    set(case_odd "${odd} 1 4 3")
    set(case_even "${even} 2 6 2")
    set(case_chain "${odd} 1 4 3 1 3")
    set(case_moved "${odd} 2 state 4 1 3") # the initial world spans two hosts, and rank 0 leaves with it
    set(case_tree "${six} 1 6 2") # five groups, one a host
    # After ss every host has a world of its own, or ts could not end one.
    set(case_ss "${last} 4 3 2:merge-ts/coll")
    # Those who sleep wake before anybody is started.
    set(case_zs "${odd} 4 2 4:merge/coll 3")
    # A world ends, and its host is used again.
    set(case_ts "${odd} 1 4:merge-diffusive/coll 3 4:merge-diffusive/coll 1")

    # A line: cases, then the methods that go through them; with "+async" each of them a second
    # time, with -async, over ucx (ofi: some, to save time). A word in capitals is each of these
    # strategies. The unit test hosts-methods finds what is missing.
    set(ANY single ${NEREUS_SEVERAL_WORLDS} launch) # with groups of any sizes
    list(REMOVE_ITEM ANY ${NEREUS_EQUAL_GROUPS})
    set(EQUAL ${NEREUS_EQUAL_GROUPS})
    set(RESPAWNING ${NEREUS_SEVERAL_WORLDS} launch)
    set(TREE ${NEREUS_TREES})
    set(lines
        "odd: merge/coll merge-ANY/coll +async"
        "odd: baseline/coll baseline-ANY/coll +async"
        "odd: baseline-intra/coll baseline-intra-ANY/coll +async"
        "even: merge-EQUAL/coll baseline-EQUAL/coll baseline-intra-EQUAL/coll +async"
        "ss: merge-ss/coll merge-RESPAWNING-ss/coll +async"
        "zs: merge-zs/coll +async"
        "ts: merge-ts/coll +async"
        "odd: merge/p2p baseline/p2p baseline-intra/p2p"
        "chain moved: merge/coll merge-diffusive/coll"
        "tree: merge-TREE/coll")
    set(lines_ofi
        "odd: merge-async/coll merge-single-async/coll merge-diffusive-async/coll merge-launch-async/coll"
        "odd: baseline-async/coll baseline-launch-async/coll baseline-intra-async/coll"
        "ss: merge-async-ss/coll")
    set(lines_ucx "")

    # One at a time: live-run and `hosts` take down whatever a test leaves, also when ctest is interrupted.
    # The library's own limits for hosts and programs are seconds: a slow machine gets more.
    function(add_hosts_test name)
        add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests" COMMAND ${ARGN})
        set_tests_properties(${name} PROPERTIES LABELS hosts TIMEOUT 90 RUN_SERIAL ON RESOURCE_LOCK hosts
                             SKIP_RETURN_CODE 77 ENVIRONMENT
                             "NEREUS_MPIEXEC=${NEREUS_MPIEXEC_WRAPPER};NEREUS_HOSTS_STATE=${PROJECT_BINARY_DIR}/tests/hosts;NEREUS_ANSWER_TIMEOUT=30;NEREUS_SPAWN_TIMEOUT=30")
    endfunction()

    set(here "${CMAKE_CURRENT_LIST_DIR}")
    # add_row(NETMOD METHOD CASE): a test, and a line in the list for each change.
    function(add_row netmod method case)
        string(REPLACE " " ";" words "${case_${case}}")
        list(POP_FRONT words hosts processes)
        string(REGEX MATCHALL "host" each "${hosts}")
        list(LENGTH each count)
        set(size ${processes})
        set(name ${size})
        set(changes "")
        foreach(change IN LISTS words)
            if(change STREQUAL "state")
                list(APPEND changes state)
                continue()
            endif()
            string(REGEX MATCH "^([0-9]+):?(.*)$" whole ${change})
            if(CMAKE_MATCH_2 STREQUAL "")
                set(change ${CMAKE_MATCH_1}:${method})
            endif()
            list(APPEND changes ${change})
            string(REPLACE ":" " " plain ${change})
            string(APPEND NEREUS_HOSTS_METHODS "${netmod} ${count} ${size} ${plain}\n")
            set(size ${CMAKE_MATCH_1})
            string(APPEND name -${size})
        endforeach()
        set(NEREUS_HOSTS_METHODS "${NEREUS_HOSTS_METHODS}" PARENT_SCOPE)
        string(REPLACE "/" "-" plain ${method})
        add_hosts_test(hosts-${netmod}-${plain}-${name} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0
                       "${here}/hosts" with ${count} "${here}/row" $<TARGET_FILE:resize> ${netmod} ${hosts} ${processes} ${changes})
    endfunction()

    # Hosts that cannot be had: a look at them comes before a spawn, so that the job goes on. Not
    # where it has processes already: what is spawned there then takes the job along.
    foreach(row IN ITEMS "unknown merge yes" "unknown merge-diffusive yes" "unknown baseline-launch yes"
                         "unreachable merge-launch yes" "unreachable merge yes" "unreachable merge-diffusive yes"
                         "silent merge-launch yes" "silent merge yes" "silent baseline-single yes" "silent merge-async yes" "silent restart yes"
                         "later merge no" "later merge-diffusive no" "later baseline-diffusive no")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 how)
        list(GET words 1 method)
        list(GET words 2 goes_on)
        set(limit NEREUS_ANSWER_TIMEOUT=3)
        if("${how}-${method}" STREQUAL "silent-merge") # by the default limit
            set(limit -u NEREUS_ANSWER_TIMEOUT)
        endif()
        add_hosts_test(hosts-${how}-${method} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env ${limit} MPIR_CVAR_CH4_NETMOD=ucx
                       "${here}/hosts" with 2 "${here}/lost" ${how} $<TARGET_FILE:resize> ${method}/coll ${goes_on})
    endforeach()
    # A job that is interrupted, or of which a process is killed: no process and no file in /dev/shm
    # stays, on any host.
    foreach(row IN ITEMS "INT merge" "TERM merge-diffusive" "INT merge-launch" "kill merge" "kill merge-launch")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 how)
        list(GET words 1 method)
        add_hosts_test(hosts-ended-${how}-${method} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                       "${here}/hosts" with 2 "${here}/ended" ${how} $<TARGET_FILE:resize> ${method}/coll)
    endforeach()
    # A job that loses a process or a host, and goes on from its checkpoint.
    foreach(how IN ITEMS rank gone cut silent grown named interrupted none)
        add_hosts_test(hosts-survived-${how} "${PROJECT_SOURCE_DIR}/tests/live-run" 80 0 env MPIR_CVAR_CH4_NETMOD=ucx
                       "${here}/hosts" with 2 "${here}/survived" ${how} $<TARGET_FILE:lives>)
    endforeach()
    # A rank that waits for one of another host, which never enters the library again: the sentence
    # is that of one host.
    foreach(row IN ITEMS "points|rank 1 has waited [0-9.]+ s at point 4 for rank 0, which is at point 2, in the program for [0-9.]+ s: do all ranks pass"
                         "early-root|rank 0 has waited [0-9.]+ s in nereus_finalize for rank 1, which is at point 2, in the program for [0-9.]+ s: do all ranks leave")
        string(REGEX MATCH "^([^|]*).(.*)$" whole "${row}")
        add_hosts_test(hosts-hangs-${CMAKE_MATCH_1} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                       "${here}/hosts" with 2 "${here}/hangs" ${CMAKE_MATCH_1} $<TARGET_FILE:hangs> ${CMAKE_MATCH_2})
    endforeach()
    add_hosts_test(hosts-clock "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 3 "${here}/clock" $<TARGET_FILE:resize>)
    add_hosts_test(hosts-study "${PROJECT_SOURCE_DIR}/tests/live-run" 80 0 "${here}/hosts" with 2 "${here}/study" $<TARGET_FILE:nereus-cli> ucx)
    add_hosts_test(hosts-spread "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${here}/hosts" with 2 "${here}/spread" $<TARGET_FILE:nereus-sam> ucx)
    add_hosts_test(hosts-layout "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${here}/hosts" with 3 "${here}/layout"
                   $<TARGET_FILE:by-node> ucx)
    add_hosts_test(hosts-asked "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 2 "${here}/asked" $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize>)
    add_hosts_test(hosts-offered "${PROJECT_SOURCE_DIR}/tests/live-run" 80 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 3 "${here}/offered" $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize>)
    add_hosts_test(hosts-policy "${PROJECT_SOURCE_DIR}/tests/live-run" 80 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 3 "${here}/policy" $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize>)
    add_hosts_test(hosts-link "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx NEREUS_HOSTS_LINK=200mbit
                   "${here}/hosts" with 2 "${here}/link" $<TARGET_FILE:nereus-cli> $<TARGET_FILE:nereus-calibrate>)
    # Also on the other MPIs (tests/each_mpi.cmake).
    add_hosts_test(hosts-each-mpi "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${here}/hosts" with 2 "${here}/each_mpi" $<TARGET_FILE:resize>)
    # Slurm: ./setup test installs it. On other systems than Debian, where it is missing, the row is
    # skipped and says so.
    add_hosts_test(hosts-slurm "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0
                   "${here}/hosts" with 3 "${here}/allocation" $<TARGET_FILE:resize>)
    # Over ofi, as Slurm's plug-in for PMI 2 loses now and then the long addresses of ucx (docs/jobs.md).
    add_hosts_test(hosts-slurm-step "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp
                   "${here}/hosts" with 2 "${here}/step" $<TARGET_FILE:resize> $<TARGET_FILE:kinds>)
    add_hosts_test(hosts-workload "${PROJECT_SOURCE_DIR}/tests/live-run" 300 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 3 "${here}/workload" $<TARGET_FILE:nereus-cli> "${PROJECT_SOURCE_DIR}/tests/cli/data/workloads/short.csv")
    set_tests_properties(hosts-workload PROPERTIES TIMEOUT 330)
    # What waits for Slurm most of the time: beside tests of the model and of the command line, and at first.
    foreach(case IN ITEMS sizes several cancelled lost down own)
        add_hosts_test(hosts-slurm-${case} "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0
                       "${here}/batch" ${case} $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize>)
        set_tests_properties(hosts-slurm-${case} PROPERTIES TIMEOUT 150 RUN_SERIAL OFF COST 1000)
    endforeach()
    foreach(case IN ITEMS limit steps real late more requeue preempted graceful anew node killed)
        add_hosts_test(hosts-requeued-${case} "${PROJECT_SOURCE_DIR}/tests/live-run" 240 0
                       "${here}/requeued" ${case} $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize>)
        set_tests_properties(hosts-requeued-${case} PROPERTIES TIMEOUT 270 RUN_SERIAL OFF COST 1000)
    endforeach()
    add_hosts_test(hosts-slurm-broker "${PROJECT_SOURCE_DIR}/tests/live-run" 1500 0
                   "${here}/brokered" long $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize> 600)
    set_tests_properties(hosts-slurm-broker PROPERTIES TIMEOUT 1600)
    # A minute or more, in which the processes sleep: all has to be seen before a job ends.
    add_hosts_test(hosts-slurm-broker-short "${PROJECT_SOURCE_DIR}/tests/live-run" 400 0
                   "${here}/brokered" short $<TARGET_FILE:nereus-cli> $<TARGET_FILE:resize> 120)
    set_tests_properties(hosts-slurm-broker-short PROPERTIES TIMEOUT 420 RUN_SERIAL OFF COST 1000)
    add_hosts_test(hosts-self bash "${here}/self.sh" "${PROJECT_BINARY_DIR}/tests/hosts")
    set(NEREUS_HOSTS_METHODS "")
    foreach(netmod IN LISTS netmods)
        foreach(line IN LISTS lines lines_${netmod})
            string(REGEX MATCH "^([^:]*): (.*)$" whole "${line}")
            string(REPLACE " " ";" line_cases "${CMAKE_MATCH_1}")
            string(REPLACE " " ";" words "${CMAKE_MATCH_2}")
            set(line_methods "")
            foreach(word IN LISTS words)
                if(word MATCHES "^(.*-)([A-Z]+)(.*)$")
                    list(TRANSFORM ${CMAKE_MATCH_2} REPLACE "(.+)" "${CMAKE_MATCH_1}\\1${CMAKE_MATCH_3}" OUTPUT_VARIABLE word)
                endif()
                list(APPEND line_methods ${word})
            endforeach()
            if("+async" IN_LIST line_methods)
                list(REMOVE_ITEM line_methods +async)
                set(async_methods ${line_methods})
                list(TRANSFORM async_methods REPLACE "((-[stz]s)?)/" "-async\\1/")
                if(netmod STREQUAL ucx)
                    list(APPEND line_methods ${async_methods})
                endif()
            endif()
            foreach(method IN LISTS line_methods)
                foreach(case IN LISTS line_cases)
                    add_row(${netmod} ${method} ${case})
                endforeach()
            endforeach()
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/hosts-methods.txt" CONTENT "${NEREUS_HOSTS_METHODS}")
    nereus_add_unit_test(hosts-methods SOURCES ${CMAKE_CURRENT_LIST_DIR}/hosts_methods.c LINK nereus-model)
endif()
