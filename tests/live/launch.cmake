# Launched worlds (src/link/launch.h), without the rest of the runtime. Over both network modules,
# as they differ in what a death does to a connection.
if(NEREUS_HAVE_MPI)
    nereus_add_program(launch-module SOURCES ${CMAKE_CURRENT_LIST_DIR}/launch_module.c LINK nereus-runtime NO_INSTALL)
    if(TARGET launch-module)
        target_include_directories(launch-module PRIVATE ${PROJECT_SOURCE_DIR}/src)
    endif()
    foreach(net IN ITEMS ucx ofi)
        set(environment MPIR_CVAR_CH4_NETMOD=${net} FI_PROVIDER=tcp)
        # Over libfabric one in some 30 of four launches of two groups in a row fails inside MPICH
        # (docs/failures.md).
        set(launches 4)
        if(net STREQUAL ofi)
            set(launches 1)
        endif()
        nereus_add_live_test(live-launch-good-${net} PROGRAM launch-module NP 2 ARGS good ${launches} ENVIRONMENT ${environment})
        nereus_add_live_test(live-launch-idle-${net} PROGRAM launch-module NP 2 ARGS idle ENVIRONMENT ${environment})
        nereus_add_live_test(live-launch-fail-${net} PROGRAM launch-module NP 2 ARGS fail ENVIRONMENT ${environment})
        # The job is ended, whoever dies (docs/failures.md, "How a job ends"): victim, status, what
        # nereus-mpiexec says. A process that is killed has the status 137. Of a launcher or a proxy
        # that is killed nereus-supervise hears from its guards, or from the system, whichever comes
        # first.
        set(ends "^nereus-mpiexec: the job cannot go on and is ended: ")
        set(lost "^nereus-mpiexec: the job has lost its initial processes, and what was launched is ended$")
        set(guarded "the launched process under guard [0-9]+ on [^ ]+ ended before it had left the job$")
        foreach(row IN ITEMS "source|137|${ends}process . of the initial world .* was killed by signal 9 " "proxy|255|(${lost}|${ends}the launcher.s proxy over )" "mpiexec|137|${lost}" "supervise|137|"
                             "rank|137|${ends}a launched process on [^ ]+ was killed by signal 9$" "guard|1|${ends}${guarded}"
                             "launched-proxy|1|${ends}(${guarded}|the launcher of new processes on [^ ]+ ended with status )"
                             "launcher|1|${ends}(${guarded}|the launcher of new processes on [^ ]+ ended with signal 9 )")
            string(REGEX MATCH "^([^|]*).([^|]*).(.*)$" ignored "${row}")
            nereus_add_live_test(live-launch-kill-${CMAKE_MATCH_1}-${net} PROGRAM launch-module NP 2
                                 ARGS kill ${CMAKE_MATCH_1} EXPECT ${CMAKE_MATCH_2}
                                 ENVIRONMENT ${environment} "NEREUS_TEST_SAYS=${CMAKE_MATCH_3}")
        endforeach()
    endforeach()
    nereus_add_live_test(live-launch-guard PROGRAM launch-module NP 1 ARGS guard
                         ENVIRONMENT "NEREUS_TEST_SAYS=ended with status 7 after it had left the job")
    nereus_add_live_test(live-launch-leave PROGRAM launch-module NP 2 ARGS leave EXPECT 5
                         ENVIRONMENT "NEREUS_TEST_SAYS=ended with status 3 after it had left the job")
    # A launcher named srun gets srun's options.
    nereus_add_live_test(live-launch-srun PROGRAM launch-module NP 2 ARGS good 1 ENVIRONMENT
                         "NEREUS_LAUNCH_COMMAND=${CMAKE_CURRENT_LIST_DIR}/stub/srun --mpi=pmi2" SLURM_STEP_ID=7
                         SLURM_JOB_ID=7 SLURM_TASK_PID=7 SLURM_TASKS_PER_NODE=2
                         NEREUS_TEST_MPIEXEC=${NEREUS_MPIEXEC})
    # A launcher that starts nothing is given up when it has ended, with its last line; Hydra, whose
    # srun was refused, waits for ever.
    set(refuses "${CMAKE_CURRENT_LIST_DIR}/stub/refuses")
    set(line "srun: error: Unable to create step for job 7: Requested nodes are busy")
    foreach(row IN ITEMS "srun|${refuses}|1|ended with status 1 before any of them had started: ${line}"
                         "zero|${refuses}|0|ended with status 0 before any of them had started: ${line}"
                         "mpiexec|${NEREUS_MPIEXEC} -launcher slurm -launcher-exec ${refuses}|1|ended before any of them had started: ${line}"
                         "mpiexec-zero|${NEREUS_MPIEXEC} -launcher slurm -launcher-exec ${refuses}|0|ended before any of them had started: ${line}")
        string(REGEX MATCH "^([^|]*).([^|]*).([^|]*).(.*)$" ignored "${row}")
        nereus_add_live_test(live-launch-refused-${CMAKE_MATCH_1} PROGRAM launch-module NP 2 ARGS refused "${CMAKE_MATCH_4}"
                             ENVIRONMENT "NEREUS_LAUNCH_COMMAND=${CMAKE_MATCH_2}" NEREUS_TEST_STATUS=${CMAKE_MATCH_3}
                                         "NEREUS_TEST_SAYS=^srun: Job 7 step creation") # passed on, too
    endforeach()
    nereus_add_live_test(live-launch-refused-silent PROGRAM launch-module NP 2 ENVIRONMENT NEREUS_LAUNCH_COMMAND=true
                         ARGS refused "ended with status 0 before any of them had started")
    nereus_add_live_test(live-launch-free PROGRAM launch-module NP 2 ARGS free)
    # At the port's door the sources hear whether the other side is there (port.h).
    foreach(how IN ITEMS dies sleeps)
        foreach(net IN ITEMS ucx ofi)
            nereus_add_live_test(live-launch-connect-${how}-${net} PROGRAM launch-module NP 2 TIMEOUT 60
                                 ARGS connect ${how} ENVIRONMENT MPIR_CVAR_CH4_NETMOD=${net} FI_PROVIDER=tcp)
        endforeach()
    endforeach()

    # On several hosts (tests/hosts): mpiexec, and so each launcher, runs where all hosts can be reached from.
    if(NEREUS_TESTS)
        foreach(net IN ITEMS ucx ofi)
            add_test(NAME hosts-launch-${net} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests" COMMAND
                     "${PROJECT_SOURCE_DIR}/tests/live-run" 150 0 "${PROJECT_SOURCE_DIR}/tests/hosts/hosts" with 3
                     "${CMAKE_CURRENT_LIST_DIR}/launch_hosts.sh" $<TARGET_FILE:launch-module> ${net})
            set_tests_properties(hosts-launch-${net} PROPERTIES LABELS hosts TIMEOUT 190 RUN_SERIAL ON
                                 RESOURCE_LOCK hosts SKIP_RETURN_CODE 77 ENVIRONMENT
                                 "NEREUS_MPIEXEC=${NEREUS_MPIEXEC_WRAPPER};NEREUS_HOSTS_STATE=${PROJECT_BINARY_DIR}/tests/hosts")
        endforeach()
    endif()
endif()
