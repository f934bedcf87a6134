# Lives of a job: planned restarts, and what is survived (docs/failures.md, "Surviving a failure").
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    nereus_add_program(lives SOURCES ${CMAKE_CURRENT_LIST_DIR}/lives.c LINK nereus-runtime nereus-model NO_INSTALL)

    # nereus_add_lives_test(NAME STATUS SAYS OPTIONS... -- SCRIPT...): a job of lives.c, in a folder and a /dev/shm of its own.
    function(nereus_add_lives_test name status says)
        string(REPLACE ";--;" ";$<TARGET_FILE:lives>;" words "${ARGN}")
        add_test(NAME live-lives-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 ${status} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/own-shm.sh"
                    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/in-folder.sh" "${NEREUS_MPIEXEC_WRAPPER}" ${words})
        set_tests_properties(live-lives-${name} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77
                             ENVIRONMENT "NEREUS_TEST_SAYS=${says}")
    endfunction()

    # Planned: fewer, more and as many processes, after a change of size too; several times.
    nereus_add_lives_test(shrink 0 "^life 1 ends well as 1 processes$" -n 3 -- size=3,from=0,restart=1 size=1,from=1)
    nereus_add_lives_test(grow 0 "^life 1 ends well as 4 processes$" -np 2 -- size=2,restart=4 size=4,from=1)
    nereus_add_lives_test(same 0 "^life 1 ends well as 1 processes$" -n 1 -- restart=1 size=1)
    nereus_add_lives_test(thrice 0 "^life 3 ends well as 3 processes$" -n 2 -- restart=1 size=1,restart=2 size=2,restart=3 size=3)
    foreach(method IN ITEMS merge/coll baseline/coll merge-launch/coll baseline-launch/coll)
        string(REPLACE "/" "-" plain ${method})
        nereus_add_lives_test(spawned-${plain} 0 "^life 1 ends well as 2 processes$" -n 1 --
                              grow=3/${method},step,size=3,restart=2 size=2,step,from=1)
    endforeach()
    nereus_add_lives_test(hosts 0 "^life 1 ends well as 2 processes$" -hosts nowhere.invalid,localhost -n 1 -launcher fork --
                          restart=2@localhost:2 size=2)
    # The status is that of the last life; one that ends badly has none after it.
    nereus_add_lives_test(status 5 "process 0 of the initial world .* ended with status 5 " -n 2 -- restart=1 step,exit=5)
    nereus_add_lives_test(ends-badly 3 "ended with status 3 without having left the job$" -n 2 -- restart=2,exit=3/1 size=9)
    nereus_add_lives_test(several-programs 9 "a job of several programs .* cannot be restarted" -n 1 $<TARGET_FILE:lives> restart=2 : -n 1 --
                          restart=2)
endif()
