# Several hosts on one machine (README.md): where processes are, to which cores they are bound, and that nothing stays. A
# method more is a word more in `methods` (its process part; it must go both ways, or have cases of its own).
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(methods merge baseline)
    set(data coll p2p)
    set(netmods ucx ofi)
    # Name, processes, schedule, processes at the end.
    set(cases "2-4 2 4@3 4" "4-2 4 2@3 2" "2-4-1-3 2 4@3,1@5,3@7 3")
    set(hosts "${CMAKE_CURRENT_LIST_DIR}")

    # One at a time: live-run and `hosts` take down whatever a test leaves, also when ctest is interrupted.
    function(add_hosts_test name)
        add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests" COMMAND ${ARGN})
        set_tests_properties(${name} PROPERTIES LABELS hosts TIMEOUT 90 RUN_SERIAL ON RESOURCE_LOCK hosts
                             SKIP_RETURN_CODE 77 ENVIRONMENT
                             "NEREUS_MPIEXEC=${NEREUS_MPIEXEC_WRAPPER};NEREUS_HOSTS_STATE=${PROJECT_BINARY_DIR}/tests/hosts")
    endfunction()

    add_hosts_test(hosts-self bash "${hosts}/self.sh" "${PROJECT_BINARY_DIR}/tests/hosts")
    foreach(netmod IN LISTS netmods)
        foreach(method IN LISTS methods)
            foreach(way IN LISTS data)
                foreach(case IN LISTS cases)
                    string(REPLACE " " ";" words "${case}")
                    list(POP_FRONT words name)
                    add_hosts_test(hosts-${netmod}-${method}-${way}-${name} "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0
                                   "${hosts}/hosts" with 3 "${hosts}/row" ${method}/${way} ${netmod} ${words}
                                   $<TARGET_FILE:resize>)
                endforeach()
            endforeach()
        endforeach()
    endforeach()
endif()
