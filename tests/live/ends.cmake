# How a job ends: the status, and what is said and left (docs/failures.md, "How a job ends").
if(NEREUS_HAVE_MPI)
    set(here "${CMAKE_CURRENT_LIST_DIR}")

    # nereus_add_ends_test(NAME EXPECT COMMAND WORD... [ENV N=V...]): a script of this folder runs a job.
    function(nereus_add_ends_test name expect)
        if(NOT NEREUS_TESTS)
            return()
        endif()
        cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "COMMAND;ENV")
        add_test(NAME live-ends-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 ${expect} ${arg_COMMAND})
        set_tests_properties(live-ends-${name} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2
                             SKIP_RETURN_CODE 77 ENVIRONMENT "${arg_ENV}")
    endfunction()

    set(interrupt "${here}/interrupt.sh")
    set(resize $<TARGET_FILE:resize> last=1000000 pause=0.01)
    # Signal, to whom, when, status; the job: processes and words of resize.
    set(rows
        "INT  one   running 130 2 schedule=2@999999"
        "TERM one   running 143 2 schedule=2@999999"
        "HUP  one   running 129 2 schedule=2@999999"
        "QUIT one   running 131 2 schedule=2@999999"
        "INT  group running 130 2 schedule=2@999999"
        "TERM group running 143 2 schedule=2@999999"
        "INT  one   grown   130 1 method=merge/coll schedule=3@2"
        "INT  group grown   130 1 method=merge/coll schedule=3@2"
        "TERM one   grown   143 1 method=baseline/coll schedule=2@2"
        "INT  group grown   130 1 method=merge-launch/coll schedule=2@2"
        "INT  one   asleep  130 3 method=merge-zs/coll schedule=1@2"
        "TERM group asleep  143 3 method=merge-zs/coll schedule=1@2")
    foreach(row IN LISTS rows)
        separate_arguments(words UNIX_COMMAND "${row}")
        list(POP_FRONT words signal target moment status np)
        string(REGEX REPLACE ".*method=([a-z-]*).*" "-\\1" method "${row}")
        if(NOT row MATCHES "method=")
            set(method "")
        endif()
        string(TOLOWER "interrupted-${signal}-${target}-${moment}${method}" name)
        nereus_add_ends_test(${name} ${status}
            COMMAND ${interrupt} ${signal} ${target} ${moment} "${NEREUS_MPIEXEC_WRAPPER}" -n ${np} ${resize} ${words})
    endforeach()
    # While mpiexec and its proxies start, and while processes are started: whatever goes on then.
    # The job goes on changing its size.
    foreach(ms IN ITEMS 0 10 30 60 100 150 250 400 700)
        nereus_add_ends_test(interrupted-int-one-after-${ms}-ms 130
            COMMAND ${interrupt} INT one ${ms} "${NEREUS_MPIEXEC_WRAPPER}" -n 1 ${resize} method=merge-ts/coll
                    schedule=2@2:merge/coll,1@4,2@6:merge/coll,1@8,2@10:merge/coll,1@12,2@14:merge/coll)
    endforeach()

    # Files in /dev/shm: of a job that is interrupted, of one that is killed, of one that ends well.
    nereus_add_ends_test(shm-interrupted 143
        COMMAND "${here}/own-shm.sh" ${interrupt} TERM one grown "${NEREUS_MPIEXEC_WRAPPER}" -n 1 ${resize} schedule=3@2)
    nereus_add_ends_test(shm-killed 137
        COMMAND "${here}/own-shm.sh" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=8 kill=0)
    nereus_add_ends_test(shm-killed-launched 1
        COMMAND "${here}/own-shm.sh" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=4@1:merge-launch/p2p last=6 settle=1
        ENV NEREUS_FAULT=die-redistribute:1@1)
    nereus_add_ends_test(shm-ended-well 0
        COMMAND "${here}/own-shm.sh" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=3@2,1@4:baseline/coll last=8 expect=1)

    # An application that ends while an asynchronous change is under way, or has one due.
    foreach(method IN ITEMS merge-async/coll merge-async/p2p-thread merge-launch-async/coll merge-diffusive-async/coll baseline-async/coll)
        string(REPLACE "/" "-" name ${method})
        nereus_add_ends_test(too-late-${name} 0
            COMMAND "${here}/once.sh" "(not carried out|cancelled)" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize>
                    method=${method} schedule=4@3 last=3 expect=2
            ENV "NEREUS_TEST_SAYS=^nereus: the reconfiguration from 2 to 4 processes by ${method} was not carried out: the application ended first$")
    endforeach()

    # Sizes, method and time.
    nereus_add_ends_test(outcome-merge 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=4@2:merge/coll last=5
                         ENV "NEREUS_TEST_SAYS=^outcome: resized from 2 to 4 processes by merge/coll in [0-9.]+ s$")
    nereus_add_ends_test(outcome-baseline 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=3@2:baseline/p2p last=5
                         ENV "NEREUS_TEST_SAYS=^outcome: resized from 2 to 3 processes by baseline/p2p in [0-9.]+ s$")
    nereus_add_ends_test(outcome-cancelled 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=4@2:merge/coll last=5
                                                      outcome=failed
        ENV NEREUS_FAULT=merge:0
            "NEREUS_TEST_SAYS=^nereus: the reconfiguration from 2 to 4 processes by merge/coll was cancelled after [0-9.]+ s, and the job goes on as it was: injected failure")

    # MPI_Finalize before nereus_finalize; a zombie that is woken for the end of the job, and
    # forgets nereus_finalize.
    nereus_add_ends_test(finalize-first 1
        COMMAND "${here}/once.sh" "^nereus" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:forgets> finalize
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: MPI_Finalize is called before nereus_finalize, so the job is ended with status 1")
    nereus_add_ends_test(zombie-forgets 1
        COMMAND "${here}/once.sh" "^(nereus|=|YOUR APPLICATION)" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:forgets> zombie
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: the program ends without nereus_finalize, so its job is ended with status 1")
    # A thread that calls MPI ends, and its process does not.
    foreach(when IN ITEMS mpi loop)
        nereus_add_ends_test(thread-ends-${when} 1 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:forgets> ${when} thread
            ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: the thread that has called MPI_Init ends .pthread_exit. before MPI_Finalize")
    endforeach()
    # Without nereus-supervise the process itself says so.
    nereus_add_ends_test(finalize-first-plain 1
        COMMAND "${here}/once.sh" "^nereus: MPI_Finalize is called before nereus_finalize" "${NEREUS_MPIEXEC_WRAPPER}" -n 1
                env -u NEREUS_LAUNCHER $<TARGET_FILE:forgets> finalize)

    # Programs of which none comes to MPI, or not all; a wrapper that outlives its program; a
    # program that is not there.
    set(job "$<TARGET_FILE:forgets>")
    nereus_add_ends_test(no-mpi 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "exit 0")
    nereus_add_ends_test(no-mpi-status 3 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "exit 3")
    nereus_add_ends_test(no-mpi-in-one 1
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "[ $PMI_RANK = 1 ] || exec ${job} loop 0"
        ENV "NEREUS_TEST_SAYS=process 1 of the initial world .'sh' on .* ended with status 0 before libnereus had seen MPI_Init$")
    nereus_add_ends_test(wrapper-stays 1
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "${job} loop 0; exec sleep 1000"
        ENV "NEREUS_TEST_SAYS=process 1 of the initial world .'sh' on .* without having left the job$")
    nereus_add_ends_test(second-program-missing 127 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 1 ${job} loop 0 : -n 1 ./nothere
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: the program cannot be started: ./nothere: No such file or directory$")

    nereus_add_ends_test(exits-when-done 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} done 0 ENV "NEREUS_TEST_SAYS=^done$")

    # Statuses of their own, none of which is a signal: of wrappers, of those that end alone, of a
    # process that has left.
    nereus_add_ends_test(status-4 4 COMMAND "${here}/once.sh" "^(nereus|YOUR)" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "exit 4"
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: process . of the initial world .'sh' on .* ended with status 4 before libnereus had seen MPI_Init$")
    foreach(method IN ITEMS baseline/coll merge-zs/coll)
        string(REPLACE "/" "-" name ${method})
        nereus_add_ends_test(left-with-5-${name} 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} leave ${method}
            ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: process . of the initial world .* ended with status 5 after it had left the job, so that it is not the job's$")
    endforeach()

    # MPI_Abort, where a shell would see 0, of one process, and too early; a guard is killed.
    set(says "^nereus-mpiexec: the job cannot go on and is ended: process")
    nereus_add_ends_test(abort-256 1 COMMAND "${here}/once.sh" "^nereus-mpiexec|BAD TERM" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} loop abort-256
        ENV "NEREUS_TEST_SAYS=${says} 1 of the initial world has called MPI_Abort with status 256, which counts as 1$")
    nereus_add_ends_test(abort-joined 3 COMMAND "${here}/once.sh" "^nereus-mpiexec|BAD TERM" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} joined abort-3
        ENV "NEREUS_TEST_SAYS=${says} 0 of a spawned world has called MPI_Abort with status 3$")
    nereus_add_ends_test(abort-too-early 1 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} start abort-5
        ENV "NEREUS_TEST_SAYS=${says} 1 of the initial world .* ended with status 1 before libnereus had seen MPI_Init$")
    nereus_add_ends_test(guard-killed 137 COMMAND "${here}/once.sh" "^nereus-mpiexec|BAD TERM" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 ${job} joined guard
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: the job was ended: signal 9 .Killed. killed a process and its nereus-guard$")
    nereus_add_ends_test(guard-killed-spawned 255 COMMAND "${here}/killed-guard.sh" $<TARGET_FILE:nereus-supervise>
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: the job cannot go on and is ended: a spawned process on elsewhere was killed together with its guard 4711$")

    nereus_add_ends_test(guard-killed-initial 1 COMMAND "${here}/killed-guard.sh" $<TARGET_FILE:nereus-supervise> INITIAL
        ENV "NEREUS_TEST_SAYS=${says} 0 of the initial world on elsewhere was killed together with its guard, and mpiexec ended with status 0, as where one calls")

    # Standard input is that of the first process; all others, new ones too, find it empty. And one
    # without standard output.
    nereus_add_ends_test(input-empty 0
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "cat; exec $<TARGET_FILE:resize> schedule=3@2:merge/coll last=5"
        ENV "NEREUS_TEST_SAYS=^iteration 5, 3 processes, 1 reconfigurations")
    nereus_add_ends_test(input-of-the-first 0 COMMAND "${here}/once.sh" "^42$" sh -c "echo 42 | '${NEREUS_MPIEXEC_WRAPPER}' -n 2 cat")
    nereus_add_ends_test(output-closed 1 COMMAND sh -c "'${NEREUS_MPIEXEC_WRAPPER}' -n 2 echo a >&-"
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: standard output could not be written: Bad file descriptor$")
    nereus_add_ends_test(outfile-full 1 COMMAND "${here}/once.sh" "mpiexec" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 -outfile-pattern /dev/full echo a
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: mpiexec cannot write what the job prints .*: No space left on device$")
    foreach(setting IN ITEMS KEEP_ASLEEP=yes FAULT=x:0 FAULT=merge:1@)
        string(REGEX MATCH "^[A-Z_]*" name ${setting})
        string(MAKE_C_IDENTIFIER ${setting} row)
        nereus_add_ends_test(setting-${row} 7 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 1 ${job}
            ENV NEREUS_${setting} "NEREUS_TEST_SAYS=^nereus: NEREUS_${name} is '.*' and must be ")
    endforeach()

    # The program goes into the background, and what mpiexec has started ends.
    nereus_add_ends_test(in-background 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 sh -c "$<TARGET_FILE:resize> schedule=3@2:merge/coll last=5 &"
        ENV "NEREUS_TEST_SAYS=^iteration 5, 3 processes, 1 reconfigurations")
    # A wrapper that empties the environment: MPI would make a job of each process.
    nereus_add_ends_test(environment-emptied 7 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 env -i ${job} leave merge/coll
        ENV "NEREUS_TEST_SAYS=^nereus: this process was started by nereus-mpiexec, and has not got its launcher's environment")
    nereus_add_ends_test(launcher-closed 7 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 1 bash -c "eval exec $PMI_FD'>&-'; exec ${job} leave merge/coll"
        ENV "NEREUS_TEST_SAYS=^nereus: a wrapper has closed the connection to the launcher .PMI_FD., which the program must inherit")

    # What the launcher lacks, and what it says of its troubles while the job waits.
    nereus_add_ends_test(launcher-missing 2
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -launcher-exec /nowhere/ssh -hosts nowhere.invalid -n 1 ${job}
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: -launcher-exec '/nowhere/ssh' cannot be started: No such file or directory$")
    nereus_add_ends_test(launcher-fails 255
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -launcher-exec /bin/false -hosts nowhere.invalid -n 1 ${job}
        ENV "NEREUS_TEST_SAYS=^nereus-mpiexec: mpiexec's launcher .ssh, srun. has ended, and no process of the job was started$")
    nereus_add_ends_test(launcher-in-trouble 0 COMMAND "${here}/launcher-in-trouble.sh" $<TARGET_FILE:nereus-supervise>)

    # /dev/shm: too small for new processes, and for the first ones.
    nereus_add_ends_test(shm-too-small-to-grow 0
        COMMAND "${here}/own-shm.sh" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=5@2 last=4 expect=2 outcome=failed
        ENV NEREUS_TEST_SHM=24m MPIR_CVAR_CH4_NETMOD=ucx
            "NEREUS_TEST_SAYS=cancelled .*: 3 new processes need [0-9.]+ MB in /dev/shm, which has 25.2 MB, of which ")
    nereus_add_ends_test(shm-too-small 135
        COMMAND "${here}/own-shm.sh" "${NEREUS_MPIEXEC_WRAPPER}" -n 3 $<TARGET_FILE:resize> last=2
        ENV NEREUS_TEST_SHM=1m "NEREUS_TEST_SAYS=was killed by signal 7 .*; /dev/shm has 1.0 MB there, of which ")

    # Over ofi, chosen by the user alone: the provider that the module was probed with.
    nereus_add_ends_test(ofi-chosen 0 COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> schedule=4@2:merge/coll last=5 expect=4
                         ENV MPIR_CVAR_CH4_NETMOD=ofi)
endif()
