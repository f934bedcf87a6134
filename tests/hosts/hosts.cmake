# Several hosts on one machine (README.md): where processes are, to which cores they are bound, and that nothing stays.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(netmods ucx ofi)
    set(three host0:2,host1:2,host2:2)
    set(six host0:1,host1:1,host2:1,host3:1,host4:1,host5:1)
    # Name, hosts, processes, schedule, processes at the end.
    set(case_expand "2-4 ${three} 2 4@3 4")
    set(case_shrink "4-2 ${three} 4 2@3 2")
    set(case_chain "2-4-1-3 ${three} 2 4@3,1@5,3@7 3")
    set(case_equal "2-4-2 ${three} 2 4@3,2@5 2")
    set(case_ts "2-4-ts-2-3 ${three} 2 4@3,2@5:merge-ts/coll,3@7 3") # a world ends, and its node is used again
    set(case_tree "1-6-2 ${six} 1 6@3,2@5 2") # five groups, one a host

    # A line: the cases, then the methods that go through them. A method more is a word more.
    set(lines
        "expand shrink chain: merge/coll merge/p2p baseline/coll baseline/p2p"
        "chain: baseline-intra/coll merge-single/coll baseline-single/coll merge-multiple/coll baseline-multiple/coll"
        "chain: merge-hypercube/coll merge-diffusive/coll baseline-diffusive/coll"
        "chain: merge-launch/coll baseline-launch/coll"
        "chain: merge-async/coll merge-single-async/coll merge-diffusive-async/coll merge-launch-async/coll"
        "chain: baseline-async/coll baseline-intra-async/coll baseline-launch-async/coll"
        "ts: merge-diffusive/coll"
        "equal: baseline-hypercube/coll"
        "tree: merge-hypercube/coll merge-diffusive/coll")

    # One at a time: live-run and `hosts` take down whatever a test leaves, also when ctest is interrupted.
    function(add_hosts_test name)
        add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests" COMMAND ${ARGN})
        set_tests_properties(${name} PROPERTIES LABELS hosts TIMEOUT 90 RUN_SERIAL ON RESOURCE_LOCK hosts
                             SKIP_RETURN_CODE 77 ENVIRONMENT
                             "NEREUS_MPIEXEC=${NEREUS_MPIEXEC_WRAPPER};NEREUS_HOSTS_STATE=${PROJECT_BINARY_DIR}/tests/hosts")
    endfunction()

    set(here "${CMAKE_CURRENT_LIST_DIR}")
    function(add_row netmod method case)
        string(REPLACE " " ";" words "${case_${case}}")
        list(POP_FRONT words sizes)
        list(GET words 0 hosts)
        string(REGEX MATCHALL "host" each "${hosts}")
        list(LENGTH each count)
        string(REPLACE "/" "-" plain ${method})
        add_hosts_test(hosts-${netmod}-${plain}-${sizes} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0
                       "${here}/hosts" with ${count} "${here}/row" $<TARGET_FILE:resize> ${netmod} ${method} ${words})
    endfunction()

    # Hosts that cannot be had. What is launched may fail, what is spawned takes the job along, but for names that nobody knows.
    foreach(row IN ITEMS "unknown merge yes" "unknown merge-diffusive yes" "unknown baseline-launch yes"
                         "unreachable merge-launch yes" "unreachable merge no" "unreachable merge-diffusive no"
                         "silent merge-launch yes" "silent merge no" "silent baseline-single no")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 how)
        list(GET words 1 method)
        list(GET words 2 goes_on)
        add_hosts_test(hosts-${how}-${method} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                       "${here}/hosts" with 2 "${here}/lost" ${how} $<TARGET_FILE:resize> ${method}/coll ${goes_on})
    endforeach()
    add_hosts_test(hosts-clock "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 env MPIR_CVAR_CH4_NETMOD=ucx
                   "${here}/hosts" with 3 "${here}/clock" $<TARGET_FILE:resize>)
    add_hosts_test(hosts-self bash "${here}/self.sh" "${PROJECT_BINARY_DIR}/tests/hosts")
    foreach(netmod IN LISTS netmods)
        foreach(line IN LISTS lines)
            string(REGEX MATCH "^([^:]*): (.*)$" whole "${line}")
            string(REPLACE " " ";" line_cases "${CMAKE_MATCH_1}")
            string(REPLACE " " ";" line_methods "${CMAKE_MATCH_2}")
            foreach(method IN LISTS line_methods)
                foreach(case IN LISTS line_cases)
                    add_row(${netmod} ${method} ${case})
                endforeach()
            endforeach()
        endforeach()
    endforeach()
endif()
