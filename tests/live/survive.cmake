# Lives of a job: planned restarts, and what is survived (docs/failures.md, "Surviving a failure").
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    nereus_add_program(lives SOURCES ${CMAKE_CURRENT_LIST_DIR}/lives.c LINK nereus-runtime nereus-model NO_INSTALL)

    # nereus_add_lives_test(NAME STATUS SAYS OPTIONS... -- SCRIPT...): a job of lives.c, in a folder
    # and a /dev/shm of its own.
    function(nereus_add_lives_test name status says)
        string(REPLACE ";--;" ";$<TARGET_FILE:lives>;" words "${ARGN}")
        string(REPLACE ";" "." says "${says}") # which would end a variable of ENVIRONMENT
        add_test(NAME live-lives-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 ${status} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/own-shm.sh"
                    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/in-folder.sh" "${NEREUS_MPIEXEC_WRAPPER}" ${words})
        set_tests_properties(live-lives-${name} PROPERTIES LABELS live TIMEOUT 160 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77
                             ENVIRONMENT "NEREUS_TEST_SAYS=${says}")
    endfunction()

    # Begun by hand or by Slurm, interrupted, with a checkpoint that cannot be read.
    foreach(case IN ITEMS by-hand requeued limit interrupted-INT interrupted-TERM damaged another)
        add_test(NAME live-lives-${case} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_LIST_DIR}/own-shm.sh" "${CMAKE_CURRENT_LIST_DIR}/in-folder.sh"
                    "${CMAKE_CURRENT_LIST_DIR}/lives.sh" ${case} "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:lives>)
        set_tests_properties(live-lives-${case} PROPERTIES LABELS live TIMEOUT 160 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
    endforeach()

    # Planned: fewer, more and as many processes, after a change of size too; several times.
    nereus_add_lives_test(shrink 0 "^life 1 ends well as 1 processes$" -n 3 -- size=3,from=0,restart=1 size=1,from=1)
    nereus_add_lives_test(grow 0 "^life 1 ends well as 4 processes$" -np 2 -- size=2,restart=4 size=4,from=1)
    nereus_add_lives_test(same 0 "^life 1 ends well as 1 processes$" -n 1 -- restart=1 size=1)
    nereus_add_lives_test(thrice 0 "^life 3 ends well as 3 processes$" -n 2 -- restart=1 size=1,restart=2,from=1 size=2,from=2,restart=3 size=3,from=3)
    foreach(method IN ITEMS merge/coll baseline/coll merge-launch/coll baseline-launch/coll)
        string(REPLACE "/" "-" plain ${method})
        nereus_add_lives_test(spawned-${plain} 0 "^life 1 ends well as 2 processes$" -n 1 --
                              grow=3/${method},step,size=3,restart=2 size=2,step,from=1)
    endforeach()
    nereus_add_lives_test(hosts 0 "^life 1 ends well as 2 processes$" -hosts nowhere.invalid,localhost -n 1 -launcher fork --
                          restart=2@localhost:2 size=2)
    # Losses: what is said, and that the job goes on. With a new process as well, and a launched one.
    set(on "the job goes on as 2 processes from .*/checkpoint-1 .points 0.; [1-3] points? (is|are) repeated$")
    set(it "process 1 of the initial world .* was")
    set(proxy "proxy|the launcher's proxy over .* has ended")
    if(NEREUS_MPI_VERSION MATCHES "^Open MPI") # whose launcher starts the processes of its host itself
        set(proxy "")
    endif()
    foreach(row IN ITEMS "kill|${it} killed by signal 9 .Killed." "segv|${it} killed by signal 11 .*" "guard|(signal 9 .Killed. killed a process and|process 1 .* was killed together with its guard).*"
                         "abort|process 1 of the initial world has called MPI_Abort with status 6" "mpiexec|mpiexec was killed by signal 9 .Killed."
                         ${proxy} "stop|the job hangs and is ended: rank 0 has waited .* for rank 1, .*")
        string(REGEX MATCH "^([^|]*).(.*)$" whole "${row}")
        nereus_add_lives_test(after-${CMAKE_MATCH_1} 0 "^nereus-mpiexec: ${CMAKE_MATCH_2}; ${on}" --on-failure restart -n 2 --
                              write,${CMAKE_MATCH_1}=1,step from=1,size=2)
    endforeach()
    set_property(TEST live-lives-after-stop APPEND PROPERTY ENVIRONMENT NEREUS_WATCHDOG=5s,abort)
    foreach(method IN ITEMS merge/coll baseline/coll merge-launch/coll)
        string(REPLACE "/" "-" plain ${method})
        foreach(how IN ITEMS kill guard mpiexec ${proxy})
            string(REGEX REPLACE "[|].*" "" how "${how}")
            nereus_add_lives_test(after-${how}-${plain} 0 "^nereus-mpiexec: .*; the job goes on as 3 processes from .*/checkpoint-1 .points 2.; .* repeated$"
                                  --on-failure restart -n 1 -- grow=3/${method},step,write,${how}=2,step size=3,from=1)
        endforeach()
    endforeach()
    # Open MPI: a process is lost, and the job goes on without being started anew.
    if(NEREUS_MPI_VERSION MATCHES "^Open MPI")
        add_test(NAME live-lives-on-without WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 90 0 "${CMAKE_CURRENT_LIST_DIR}/in-folder.sh"
                    "${CMAKE_CURRENT_LIST_DIR}/kill-one.sh" kinds "${NEREUS_MPIEXEC_WRAPPER}" -n 3 $<TARGET_FILE:kinds> n=500 lists=1 last=300
                    pause=0.01 expect=3)
        set_tests_properties(live-lives-on-without PROPERTIES LABELS "live;mpi" TIMEOUT 105 RUN_SERIAL ON PROCESSORS 2
            ENVIRONMENT "NEREUS_TEST_SAYS=the job goes on as 3 processes from .*, without a new start;NEREUS_CHECKPOINT=saved;NEREUS_CHECKPOINT_EVERY=200ms;NEREUS_ON_FAILURE=continue")
    endif()
    # A point that rank 0 has reached for certain: it is the one that is lost.
    nereus_add_lives_test(repeats 0 "from .*/checkpoint-1 .points 1.; 3 points are repeated$" --on-failure restart -n 2 --
                          step,write,step,step,kill=0,step from=1,size=2)
    # How often, and from which checkpoint. A life that is lost before it has read its own (the word
    # "read") is so twice, then twice from the one before; later losses begin from the same one
    # again, as often as --restarts says.
    set(off "; the job does not go on, as")
    nereus_add_lives_test(without-checkpoint 137 "^nereus-mpiexec: the job cannot go on and is ended: .* no checkpoint had been written$"
                          --on-failure restart -n 2 -- kill=1,step size=9)
    nereus_add_lives_test(used-up 137 "killed by signal 9 .Killed.${off} it has been restarted 2 times .--restarts.$"
                          --on-failure restart --restarts 2 -n 2 -- write,kill=1,step write,kill=0,step write,kill=1,step size=9)
    nereus_add_lives_test(never 137 "${off} it has been restarted 0 times" --on-failure restart --restarts 0 -n 2 -- write,kill=1,step size=9)
    nereus_add_lives_test(falls-back 0 "from .*/checkpoint-1 .points 0., as it was lost 2 times while it read .*/checkpoint-2; at most [0-9]* s since that checkpoint are repeated$" --on-failure restart
                          -n 2 --
                          write,step,write,kill=1,step from=2,kill=1,step from=2,kill=0,step from=1)
    nereus_add_lives_test(falls-back-once 137 "${off} it was lost 2 times while it read .*/checkpoint-1, and there is no checkpoint before"
                          --on-failure restart -n 2 -- write,step,write,kill=1,step from=2,kill=1,step from=2,kill=0,step from=1,kill=0,step)
    nereus_add_lives_test(goes-forward 0 "^life 5 ends well as 2 processes$" --on-failure restart -n 2 -- write,step,kill=1,step
                          from=1,kill=1,step from=1,write,kill=1,step from=2,kill=0,step from=2,write,kill=0,step from=3)
    nereus_add_lives_test(stays 0 "^life 5 ends well as 2 processes$" --on-failure restart -n 2 -- write,step,write,kill=1,step
                          from=2,read,kill=1,step from=2,read,kill=0,step from=2,kill=1,step from=2,read,kill=1,step from=2)
    nereus_add_lives_test(again-and-again 137 "killed by signal 9 .Killed.${off} it has been restarted 3 times .--restarts.$"
                          --on-failure restart --restarts 3 -n 2 -- write,step,write,kill=1,step from=2,read,kill=0,step)
    # What is no loss: the end that is asked for, the default, a status of the program's own, also
    # of one that forgets nereus_finalize.
    nereus_add_lives_test(end 137 "^nereus-mpiexec: the job cannot go on and is ended: ${it} killed by signal 9 .Killed.$" -n 2 -- write,kill=1,step
                          size=9)
    nereus_add_lives_test(own-status-high 142 "ended with status 142 without having left the job$" --on-failure restart -n 2 -- write,exit=142/1,step size=9)
    nereus_add_lives_test(own-status 5 "ended with status 5 without having left the job$" --on-failure restart -n 2 -- write,exit=5/1,step size=9)
    # Sizes of the program; a life that was asked for, and is lost on the way; several changes.
    nereus_add_lives_test(multiples 0 "goes on as 2 processes from" --on-failure restart -n 3 -- write=2,kill=1,step size=2)
    nereus_add_lives_test(no-size 137 "${off} the program can have no number of processes up to 3$" --on-failure restart -n 3 -- write=4,kill=1,step
                          size=9)
    nereus_add_lives_test(planned-then-lost 0 "goes on as 3 processes from" --on-failure restart -n 2 -- restart=3,exit=4/1,step size=3)
    nereus_add_lives_test(lost-then-planned 0 "^life 2 ends well as 1 processes$" --on-failure restart -n 2 -- write,kill=1,step size=2,restart=1
                          size=1,from=2)
    # The status is that of the last life; one that ends badly has none after it.
    nereus_add_lives_test(status 5 "process 0 of the initial world .* ended with status 5 " -n 2 -- restart=1 step,exit=5)
    nereus_add_lives_test(ends-badly 3 "ended with status 3 without having left the job$" -n 2 -- restart=2,exit=3/1 size=9)
    nereus_add_lives_test(several-programs 9 "a job of several programs .* cannot be restarted" -n 1 $<TARGET_FILE:lives> restart=2 : -n 1 --
                          restart=2)
endif()
