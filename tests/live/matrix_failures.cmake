# What fails, and what becomes of the job: docs/failures.md has the table.
if(NEREUS_HAVE_MPI)
    nereus_add_program(resize-dies SOURCES ${CMAKE_CURRENT_LIST_DIR}/resize.c ${CMAKE_CURRENT_LIST_DIR}/where.c
                               ${CMAKE_CURRENT_LIST_DIR}/measure.c ${CMAKE_CURRENT_LIST_DIR}/walk.c ${CMAKE_CURRENT_LIST_DIR}/dies.c
                       LINK nereus-runtime nereus-model ${CMAKE_DL_LIBS} NO_INSTALL)
endif()

# nereus_add_failure_test(NAME NP EXPECT WORD... [ENV N=V...]): the job of resize.c.
function(nereus_add_failure_test name np expect)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "PROGRAM" "ENV")
    if(NOT arg_PROGRAM)
        set(arg_PROGRAM resize)
    endif()
    if(NEREUS_HAVE_MPI)
        nereus_add_live_test(live-fails-${name} PROGRAM ${arg_PROGRAM} NP ${np} EXPECT ${expect}
                             ARGS data=all last=6 settle=1 pause=0.001 ${arg_UNPARSED_ARGUMENTS}
                             ENVIRONMENT NEREUS_HOSTFILE=${NEREUS_MACHINES}/six ${arg_ENV})
    endif()
endfunction()

# ---- a step of the plan fails --------------------------------------------------------------------
# The rows go to live-faults.txt: METHOD MACHINE NP SCHEDULE FAULTS. The unit test live-faults makes
# the plan of each change in them, and looks whether each step of each method's plan has a fault.
set(NEREUS_LIVE_FAULTS "")
macro(nereus_note_faults method machine np schedule faults)
    string(APPEND NEREUS_LIVE_FAULTS "${method} ${machine} ${np} ${schedule} ${faults}\n")
    set(NEREUS_LIVE_FAULTS "${NEREUS_LIVE_FAULTS}" PARENT_SCOPE)
endmacro()

# nereus_add_script_test(NAME EXPECT COMMAND WORD... [ENV N=V...])
function(nereus_add_script_test name expect)
    if(NOT NEREUS_TESTS OR NOT NEREUS_HAVE_MPI)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "COMMAND;ENV")
    add_test(NAME live-fails-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 240 ${expect} ${arg_COMMAND})
    set_tests_properties(live-fails-${name} PROPERTIES LABELS live TIMEOUT 280 RUN_SERIAL ON PROCESSORS 2
                         SKIP_RETURN_CODE 77 ENVIRONMENT "NEREUS_HOSTFILE=${NEREUS_MACHINES}/six;${arg_ENV}")
endfunction()

# nereus_add_faults(METHOD NP NT FAULT... [FIRST SCHEDULE] [MACHINE NAME] [NAME NAME]): one job that
# goes from NP (or from where the schedule FIRST has brought it) to NT processes, again and again:
# each time another step fails in another process (STEP:RANK), and all is put back; the last time
# none does, and it gets there.
function(nereus_add_faults method np nt)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "FIRST;MACHINE;NAME" "")
    set(schedule "")
    set(faults "")
    set(steps "")
    set(number 1)
    if(arg_FIRST)
        set(schedule "${arg_FIRST},")
        string(REGEX MATCHALL "@" changes ${arg_FIRST})
        list(LENGTH changes number)
        math(EXPR number "${number} + 1")
    endif()
    set(until ${number})
    foreach(fault IN LISTS arg_UNPARSED_ARGUMENTS)
        string(APPEND schedule "${nt}@${number}:${method}/coll,")
        string(APPEND faults ",${fault}@${number}")
        string(REGEX REPLACE ":.*" "" step ${fault})
        string(APPEND steps " ${step}")
        math(EXPR number "${number} + 1")
    endforeach()
    string(SUBSTRING "${faults}" 1 -1 faults)
    string(STRIP "${steps}" steps)
    string(APPEND schedule "${nt}@${number}:${method}/coll")
    math(EXPR last "${number} + 2")
    if(NOT arg_MACHINE)
        set(arg_MACHINE six)
    endif()
    if(NOT arg_NAME)
        set(arg_NAME ${method})
    endif()
    nereus_note_faults(${method}/coll ${arg_MACHINE} ${np} ${schedule} ${faults})
    if(NEREUS_HAVE_MPI)
        nereus_add_script_test(steps-${arg_NAME} 0
            COMMAND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/faults.sh" "${steps}" "${NEREUS_MPIEXEC_WRAPPER}" -n ${np} $<TARGET_FILE:resize>
                    data=all last=${last} until=${until} pause=0.001 schedule=${schedule} expect=${nt} outcome=resized
            ENV NEREUS_FAULT=${faults} NEREUS_HOSTFILE=${NEREUS_MACHINES}/${arg_MACHINE})
    endif()
endfunction()

# nereus_add_fault_tests(METHOD NP SCHEDULE RANKS BEFORE AFTER): a job each, in the last change of
# the schedule; before the commit all is put back, after it the job ends with a sentence.
function(nereus_add_fault_tests method np schedule ranks before after)
    string(REGEX MATCHALL "@" changes ${schedule})
    list(LENGTH changes number)
    foreach(rank IN LISTS ranks)
        foreach(step IN LISTS before after)
            set(end 0 expect=${np} outcome=failed)
            set(says "the job goes on as it was: injected failure of the step '${step}'")
            if(step IN_LIST after)
                set(end 1)
                set(says "^nereus-mpiexec: the job cannot go on and is ended: injected failure of the step '${step}'$")
            endif()
            nereus_note_faults(${method}/coll six ${np} ${schedule} ${step}:${rank}@${number})
            nereus_add_failure_test(${method}-${step}-${rank} ${np} ${end} method=${method}/coll schedule=${schedule}
                                    ENV NEREUS_FAULT=${step}:${rank}@${number} "NEREUS_TEST_SAYS=${says}")
        endforeach()
    endforeach()
endfunction()

# Before the commit. From one process to two or three, so that each step has one process besides the
# root: two new worlds, two levels.
foreach(process IN ITEMS merge baseline baseline-intra)
    set(nt 2)
    set(first 0) # the first new rank
    set(merge "")
    if(process STREQUAL "merge")
        set(nt 3)
        set(first 1)
    endif()
    math(EXPR last "${first} + 1")
    if(NOT process STREQUAL "baseline")
        set(merge merge:${last})
    endif()
    set(tail allocate:${last} redistribute:${first} agree:${last})
    set(groups synchronise:0 synchronise:${last} connect:${last} reorder:${last})
    set(start decide:0 spawn:0 join:0 join:${last})
    nereus_add_faults(${process} 1 ${nt} ${start} ${merge} ${tail})
    nereus_add_faults(${process}-single 1 ${nt} ${start} connect:${last} ${merge} ${tail})
    set(strategies ${NEREUS_SEVERAL_WORLDS})
    if(process STREQUAL "baseline-intra") # what it has besides baseline's steps is one merge
        set(strategies diffusive)
    endif()
    foreach(strategy IN LISTS strategies)
        nereus_add_faults(${process}-${strategy} 1 ${nt} ${start} ${groups} ${merge} ${tail})
    endforeach()
    nereus_add_faults(${process}-launch 1 ${nt} decide:0 launch:0 join:0 join:${last} ${groups} ${merge} ${tail})
    # Beside the application: what its auxiliary thread carries out, and all of it once.
    nereus_add_faults(${process}-async 1 ${nt} ${start} ${merge} synchronise:${last} ${tail})
    nereus_add_faults(${process}-single-async 1 ${nt} spawn:0 join:${last} connect:0 ${merge} synchronise:0)
    set(strategies ${NEREUS_SEVERAL_WORLDS})
    if(process STREQUAL "baseline-intra")
        set(strategies diffusive)
    endif()
    foreach(strategy IN LISTS strategies)
        nereus_add_faults(${process}-${strategy}-async 1 ${nt} spawn:0 join:0 synchronise:${last} connect:${last} reorder:${last}
                          ${merge})
    endforeach()
    nereus_add_faults(${process}-launch-async 1 ${nt} launch:0 join:0 synchronise:${last} connect:${last} reorder:${last} ${merge})
endforeach()
# More sources than one, more levels, other ranks.
nereus_add_faults(merge 2 4 spawn:1 join:1 merge:1 merge:3 allocate:1 redistribute:1 redistribute:3 agree:1 agree:3 NAME merge-2-4)
nereus_add_faults(merge-async 2 4 spawn:1 join:1 merge:1 redistribute:1 NAME merge-async-2-4)
nereus_add_faults(merge-single-async 2 4 connect:1 merge:1 agree:1 NAME merge-single-async-2-4)
nereus_add_faults(merge-diffusive 2 5 synchronise:1 synchronise:4 connect:4 merge:3 NAME merge-diffusive-2-5)
nereus_add_faults(merge-diffusive-async 2 5 spawn:1 synchronise:1 connect:1 merge:1 NAME merge-diffusive-async-2-5)
nereus_add_faults(merge-launch 2 4 launch:1 join:1 synchronise:1 connect:1 merge:1 NAME merge-launch-2-4)

# Fewer than before: all anew,
set(tail allocate:0 redistribute:2 agree:1)
nereus_add_faults(baseline 3 2 decide:0 spawn:1 join:2 ${tail} NAME baseline-3-2)
nereus_add_faults(baseline-single 3 2 spawn:0 join:2 connect:2 ${tail} NAME baseline-single-3-2)
nereus_add_faults(baseline-intra 3 2 spawn:2 join:1 merge:2 ${tail} NAME baseline-intra-3-2)
nereus_add_faults(merge-ss 3 2 decide:0 spawn:0 join:2 synchronise:2 connect:1 reorder:1 ${tail})
foreach(strategy IN LISTS NEREUS_SEVERAL_WORLDS)
    nereus_add_faults(merge-${strategy}-ss 3 2 decide:0 spawn:0 join:2 synchronise:2 connect:1 reorder:1 ${tail})
endforeach()
nereus_add_faults(merge-launch-ss 3 2 decide:0 launch:0 join:1 synchronise:2 connect:1 reorder:1 ${tail})
# or some asleep, or worlds that end, with a zombie that wakes only to release its communicators.
set(tail allocate:0 redistribute:1 redistribute:3 agree:0 agree:3)
nereus_add_faults(merge-zs 4 2 decide:0 split:1 split:3 gather:0 gather:3 ${tail})
nereus_add_faults(merge-async-zs 4 2 split:0 split:3 synchronise:1 gather:1 gather:3 ${tail})
set(grown 3@1:merge-diffusive/coll)
set(tail allocate:0 redistribute:1 redistribute:2 agree:0 agree:2)
nereus_add_faults(merge-ts 1 1 decide:0 split:0 split:1 split:2 ${tail} FIRST ${grown})
nereus_add_faults(merge-async-ts 1 1 split:0 split:2 synchronise:2 ${tail} FIRST ${grown})
set(asleep 4@1:merge-diffusive/coll,3@2:merge-zs/coll)
set(tail allocate:0 redistribute:2 agree:1)
nereus_add_faults(merge-ts 2 2 decide:0 wake:0 wake:2 split:1 ${tail} FIRST ${asleep} MACHINE pairs NAME merge-ts-releasing)
nereus_add_faults(merge-async-ts 2 2 wake:1 split:2 synchronise:1 ${tail} FIRST ${asleep} MACHINE pairs NAME merge-async-ts-releasing)

# Zombies wake: all that are wanted, or some, and others are started.
set(tail allocate:2 redistribute:1 agree:2)
nereus_add_faults(merge 3 3 decide:0 wake:0 wake:1 ${tail} FIRST 2@1:merge-zs/coll NAME merge-wake)
nereus_add_faults(merge-async 3 3 wake:0 wake:1 synchronise:1 ${tail} FIRST 2@1:merge-zs/coll NAME merge-async-wake)
nereus_add_faults(merge 3 4 wake:0 spawn:0 join:2 join:3 merge:2 ${tail} FIRST 2@1:merge-zs/coll NAME merge-wake-and-spawn)
nereus_add_faults(merge-diffusive 3 5 wake:1 spawn:2 synchronise:2 connect:2 merge:2 FIRST 2@1:merge-zs/coll
                  NAME merge-diffusive-wake-and-spawn)
nereus_add_faults(merge-async 3 4 wake:0 spawn:2 join:3 merge:2 synchronise:2 FIRST 2@1:merge-zs/coll NAME merge-async-wake-and-spawn)
nereus_add_faults(merge-launch 3 4 wake:0 launch:0 join:2 connect:2 merge:2 ${tail} FIRST 2@1:merge-zs/coll
                  NAME merge-launch-wake-and-launch)

# A source gets no auxiliary thread.
nereus_add_failure_test(merge-async-thread-1 2 0 method=merge-async/coll schedule=4@2 expect=2 outcome=failed
                        ENV NEREUS_FAULT=thread:1)
# Nor does one that the root's waits for: there is no way back.
nereus_add_failure_test(merge-single-async-thread-1 2 1 method=merge-single-async/coll schedule=4@2
                        ENV NEREUS_FAULT=thread:1 "NEREUS_TEST_SAYS=^nereus-mpiexec: the job cannot go on and is ended: no auxiliary thread can be started")
# After the commit; and the plainest with a job for each fault before it.
nereus_add_fault_tests(merge 2 4@2 "1;3" "allocate;agree" commit)
nereus_add_fault_tests(merge-async 2 4@2 1 "" commit)
nereus_add_fault_tests(merge-diffusive 2 5@2 "0;4" "" commit)
nereus_add_fault_tests(merge-launch 2 4@2 "0;3" "" commit)
nereus_add_fault_tests(baseline 2 3@2 "1;2" "redistribute" "commit;disconnect")
nereus_add_fault_tests(baseline 3 2@2 "0" "" "commit;disconnect")
nereus_add_fault_tests(baseline-intra 2 3@2 "1" "" "commit;disconnect")
nereus_add_fault_tests(baseline-diffusive 2 3@2 "1" "" "commit;disconnect")
nereus_add_fault_tests(baseline-launch 2 3@2 "2" "" "commit;disconnect")
nereus_add_fault_tests(merge-ss 3 2@2 "1" "" "commit;disconnect")
nereus_add_fault_tests(merge-zs 4 2@2 "1;3" "" "commit;sleep")
nereus_add_fault_tests(merge-async-zs 4 2@2 "3" "" "commit;sleep")
nereus_add_fault_tests(merge-ts 1 3@2:merge-diffusive/coll,1@4 "1;2" "" "commit;terminate")
nereus_add_fault_tests(merge-async-ts 1 3@2:merge-diffusive/coll,1@4 "0" "" "commit;terminate")
nereus_add_fault_tests(merge 3 2@2:merge-zs/coll,3@4 "2" "" "commit")

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/live-faults.txt" CONTENT "${NEREUS_LIVE_FAULTS}")
nereus_add_unit_test(live-faults SOURCES ${CMAKE_CURRENT_LIST_DIR}/live_faults.c LINK nereus-model)

# ---- a new process dies --------------------------------------------------------------------------
# Before MPI: the guard takes its place. In MPI_Init and behind it MPI does not survive it, but with
# launch, where it has not joined yet.
foreach(method IN ITEMS merge merge-single merge-multiple merge-diffusive merge-async merge-launch merge-launch-async baseline
                        baseline-intra-hypercube)
    nereus_add_failure_test(${method}-missing 2 0 method=${method}/coll schedule=4@2 program=/nowhere/program expect=2
                            outcome=failed)
    nereus_add_failure_test(${method}-dies-before 2 0 PROGRAM resize-dies method=${method}/coll schedule=4@2 expect=2
                            outcome=failed ENV NEREUS_TEST_DIES=before)
endforeach()
foreach(how IN ITEMS in after killed)
    foreach(method IN ITEMS merge-launch merge-launch-async baseline-launch)
        nereus_add_failure_test(${method}-dies-${how} 2 0 PROGRAM resize-dies method=${method}/coll schedule=4@2 expect=2
                                outcome=failed ENV NEREUS_TEST_DIES=${how})
    endforeach()
    set(status 3) # its own, as its guard says
    if(how STREQUAL "killed")
        set(status 137)
    endif()
    foreach(method IN ITEMS merge merge-diffusive-async)
        nereus_add_failure_test(${method}-dies-${how} 2 ${status} PROGRAM resize-dies method=${method}/coll schedule=4@2
                                ENV NEREUS_TEST_DIES=${how})
    endforeach()
endforeach()

# ---- no method is named: by the model where there is a profile, else the one that survives most is
if(NEREUS_HAVE_MPI)
    set(open "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=8 method=open)
    set(chosen "${CMAKE_CURRENT_LIST_DIR}/chosen.sh")
    set(by merge-launch/coll)
    # A size from the schedule, a shrink by worlds that end, an expansion; a request at run time;
    # zombies that are enough.
    nereus_add_script_test(open-schedule 0 COMMAND "${chosen}" "${by} merge/coll ${by}" ${open} schedule=4@2,3@4,4@6 expect=4)
    nereus_add_script_test(open-request 0 COMMAND "${chosen}" "${by}" ${open} ask=3@3 until=1 expect=3 outcome=resized)
    nereus_add_script_test(open-wake 0 COMMAND "${chosen}" "merge-zs/coll merge/coll" ${open} schedule=1@2:merge-zs/coll,2@4
                           expect=2)
    # A world that spans two nodes gives one back: the other one starts anew.
    nereus_add_script_test(open-release 0
        COMMAND "${chosen}" merge-launch-ss/coll "${NEREUS_MPIEXEC_WRAPPER}" -n 4 $<TARGET_FILE:resize> last=9 method=open
                release=localhost/a@3 until=1 expect=2 outcome=resized
        ENV NEREUS_HOSTFILE=${NEREUS_MACHINES}/pairs)
    nereus_add_script_test(auto 0 COMMAND "${CMAKE_CURRENT_LIST_DIR}/auto.sh" $<TARGET_FILE:nereus-cli> "${NEREUS_MPIEXEC_WRAPPER}"
                           $<TARGET_FILE:resize>)
    # No launcher, or nobody to start one: by spawn.
    nereus_add_script_test(open-no-launcher 0 COMMAND "${chosen}" "merge/coll merge/coll" ${open} schedule=3@2,4@4 expect=4
                           ENV NEREUS_LAUNCH_COMMAND=/nowhere/mpiexec)
    nereus_add_script_test(launcher-refused 0 COMMAND "${CMAKE_CURRENT_LIST_DIR}/refused_launch.sh" "${NEREUS_MPIEXEC}"
                           "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:resize>)
    nereus_add_script_test(open-no-supervisor 0 COMMAND "${chosen}" merge/coll "${NEREUS_MPIEXEC_WRAPPER}" -n 2
                           env -u NEREUS_LAUNCHER $<TARGET_FILE:resize> last=8 method=open schedule=3@2 expect=3)
    foreach(how IN ITEMS before in after killed)
        nereus_add_failure_test(open-dies-${how} 2 0 PROGRAM resize-dies method=open schedule=4@2 expect=2 outcome=failed
                                ENV NEREUS_TEST_DIES=${how})
    endforeach()
endif()

# ---- in a tree one group of the second level does not start; too many processes; the job is killed
# ----------------------
set(here "${CMAKE_CURRENT_LIST_DIR}")
if(NEREUS_HAVE_MPI)
    foreach(start IN ITEMS 1 3 5)
        nereus_add_script_test(tree-start-${start} 0
            COMMAND "${here}/start-until" "${NEREUS_MPIEXEC_WRAPPER}" -n 1 $<TARGET_FILE:resize> data=all last=6
                    method=merge-diffusive/coll schedule=6@2 program=${here}/start-until expect=1 outcome=failed
            ENV "NEREUS_TEST_FAILS=${start};NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>")
    endforeach()
    # The launcher's descriptors are counted before anything starts. What MPI will need in a new
    # process is not known: with few for itself it dies in MPI_Init, which only launch survives. How
    # many that are is the network module's matter.
    foreach(job IN ITEMS merge merge-diffusive baseline-async merge-launch)
        nereus_add_script_test(few-descriptors-${job} 0
            COMMAND "${here}/limited.sh" -n 34 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=${job}/coll
                    schedule=6@2 settle=1 expect=2 outcome=failed
            ENV MPIR_CVAR_CH4_NETMOD=ucx)
    endforeach()
    nereus_add_script_test(uneven-data-is-named 0
        COMMAND "${here}/says.sh" "as number 1 nothing, rank 0 '" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize>
                method=merge/coll schedule=4@2 data=uneven last=4 expect=2 outcome=failed)
    # What ended processes leave open adds up, until one spawn would be too many.
    set(schedule "")
    foreach(i RANGE 1 24)
        math(EXPR up "2 * ${i}")
        math(EXPR down "2 * ${i} + 1")
        list(APPEND schedule 2@${up}:merge/coll 1@${down}:merge-ts/coll)
    endforeach()
    list(JOIN schedule "," schedule)
    nereus_add_script_test(few-descriptors-left 0
        COMMAND "${here}/says.sh" "nothing was started; raise the limit" "${here}/limited.sh" -n 44 "${NEREUS_MPIEXEC_WRAPPER}" -n 1
                $<TARGET_FILE:resize> last=55 schedule=${schedule})
    # Its own status, that of a signal, or MPI_Abort's: what fails first in MPI differs from run to
    # run, here and with few processes.
    nereus_add_script_test(few-descriptors-in-mpi-merge nonzero
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge/coll schedule=4@2
                program=${here}/start-limited
        ENV MPIR_CVAR_CH4_NETMOD=ucx NEREUS_TEST_DESCRIPTORS=16 NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>
            "NEREUS_TEST_SAYS=^nereus-mpiexec: the job cannot go on and is ended: ")
    nereus_add_script_test(few-descriptors-in-mpi-merge-launch 0
        COMMAND "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge-launch/coll schedule=4@2
                program=${here}/start-limited expect=2 outcome=failed
        ENV MPIR_CVAR_CH4_NETMOD=ucx NEREUS_TEST_DESCRIPTORS=16 NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>)
    # How many threads MPI starts, which count, is the network module's matter.
    nereus_add_script_test(few-processes-merge 0
        COMMAND "${here}/limited.sh" -u 20 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge/coll
                schedule=6@2 expect=2 outcome=failed
        ENV MPIR_CVAR_CH4_NETMOD=ucx "NEREUS_TEST_SAYS=nothing was started; raise the limit \\(ulimit -u\\)")
    nereus_add_script_test(few-processes-merge-launch 0
        COMMAND "${here}/limited.sh" -u 20 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge-launch/coll
                schedule=6@2 expect=2 outcome=failed
        ENV MPIR_CVAR_CH4_NETMOD=ucx)
    # mpiexec and nereus-supervise: the status is theirs.
    foreach(victim IN ITEMS resize mpiexec* hydra_pmi_proxy nereus-supervise)
        string(REPLACE "*" "" name ${victim})
        set(status 137)
        if(victim STREQUAL "hydra_pmi_proxy")
            set(status 255) # mpiexec's, of a proxy that it has lost
        endif()
        nereus_add_script_test(kill-${name}-zombies-asleep ${status}
            COMMAND "${here}/kill-one.sh" ${victim} "${NEREUS_MPIEXEC_WRAPPER}" -n 3 $<TARGET_FILE:resize> method=merge-zs/coll
                    schedule=1@2 last=4000 pause=0.01)
    endforeach()
    # mpiexec has the proxy of the spawned processes left, and waits on.
    nereus_add_script_test(kill-proxy-spawned 255
        COMMAND "${here}/kill-one.sh" hydra_pmi_proxy "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize>
                schedule=4@2:merge/coll,3@4:merge-zs/coll last=4000 pause=0.01)
endif()
