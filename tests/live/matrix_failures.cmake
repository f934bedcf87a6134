# What fails, and what becomes of the job: docs/failures.md has the table.
if(NEREUS_HAVE_MPI)
    nereus_add_program(resize-dies SOURCES ${CMAKE_CURRENT_LIST_DIR}/resize.c ${CMAKE_CURRENT_LIST_DIR}/where.c
                               ${CMAKE_CURRENT_LIST_DIR}/measure.c ${CMAKE_CURRENT_LIST_DIR}/walk.c ${CMAKE_CURRENT_LIST_DIR}/dies.c
                       LINK nereus-runtime nereus-model ${CMAKE_DL_LIBS} NO_INSTALL)
endif()

# nereus_add_failure_test(NAME NP LIMIT EXPECT WORD... [ENV N=V...]): the job of resize.c ends within LIMIT seconds.
function(nereus_add_failure_test name np limit expect)
    cmake_parse_arguments(PARSE_ARGV 4 arg "" "PROGRAM" "ENV")
    if(NOT arg_PROGRAM)
        set(arg_PROGRAM resize)
    endif()
    if(NEREUS_HAVE_MPI)
        nereus_add_live_test(live-fails-${name} PROGRAM ${arg_PROGRAM} NP ${np} TIMEOUT ${limit} EXPECT ${expect}
                             ARGS data=all last=6 settle=1 pause=0.001 ${arg_UNPARSED_ARGUMENTS}
                             ENVIRONMENT NEREUS_HOSTFILE=${NEREUS_MACHINES}/six ${arg_ENV})
    endif()
endfunction()

# ---- a step of the plan fails ----------------------------------------------------------------------------------------
# Method, processes, schedule, ranks; before the commit all is put back, after it the job ends with a sentence.
function(nereus_add_fault_tests method np schedule ranks before after)
    foreach(rank IN LISTS ranks)
        foreach(step IN LISTS before)
            nereus_add_failure_test(${method}-${step}-${rank} ${np} 30 0 method=${method}/coll schedule=${schedule} expect=${np}
                                    outcome=failed ENV NEREUS_FAULT=${step}:${rank})
        endforeach()
        foreach(step IN LISTS after)
            nereus_add_failure_test(${method}-${step}-${rank} ${np} 10 nonzero method=${method}/coll schedule=${schedule}
                                    ENV NEREUS_FAULT=${step}:${rank})
        endforeach()
    endforeach()
endfunction()

set(tail allocate redistribute agree)
set(groups spawn join synchronise connect)
nereus_add_fault_tests(merge 2 4@2 "1;3" "merge;${tail}" commit)
nereus_add_fault_tests(merge 2 4@2 1 join "")
nereus_add_fault_tests(merge 2 4@2 0 "spawn" "")
nereus_add_fault_tests(merge-async 2 4@2 1 "spawn;join;merge;${tail}" commit)
nereus_add_fault_tests(merge-single 2 4@2 0 "spawn;join;connect;merge;${tail}" commit)
nereus_add_fault_tests(merge-single-async 2 4@2 1 "connect;merge;${tail}" commit)
nereus_add_fault_tests(merge-multiple 2 4@2 "3" "synchronise;connect;reorder;merge;${tail}" commit)
nereus_add_fault_tests(merge-multiple 2 4@2 0 "spawn;synchronise;join" "")
nereus_add_fault_tests(merge-diffusive 2 5@2 "0" "${groups};merge;${tail}" commit)
nereus_add_fault_tests(merge-diffusive 2 5@2 "1;3" "synchronise;merge;${tail}" commit)
nereus_add_fault_tests(merge-diffusive 2 5@2 "4" "reorder;connect" "")
nereus_add_fault_tests(merge-diffusive-async 2 5@2 "1" "spawn;synchronise;connect;merge;${tail}" commit)
nereus_add_fault_tests(merge-launch 2 4@2 "0" "launch;join;synchronise;connect;merge;${tail}" commit)
nereus_add_fault_tests(baseline 2 3@2 "1;2" "${tail}" "commit;disconnect")
nereus_add_fault_tests(baseline 2 3@2 1 join "")
nereus_add_fault_tests(baseline-intra 2 3@2 "1" "spawn;join;merge;${tail}" "commit;disconnect")
nereus_add_fault_tests(baseline-diffusive 2 3@2 "1" "${groups};${tail}" "commit;disconnect")
nereus_add_fault_tests(merge-zs 4 2@2 1 "split;gather;${tail}" "commit;sleep")
nereus_add_fault_tests(merge-zs 4 2@2 3 "split;gather;redistribute;agree" "commit;sleep")

# ---- worlds end, or are roused for it ------------------------------------------------------------------------------------
nereus_add_failure_test(merge-ts-split 1 30 0 method=merge-diffusive/coll schedule=3@2,1@4:merge-ts/coll expect=3 outcome=failed
                        ENV NEREUS_FAULT=split:1)
nereus_add_failure_test(merge-ts-terminate 1 10 nonzero method=merge-diffusive/coll schedule=3@2,1@4:merge-ts/coll
                        ENV NEREUS_FAULT=terminate:1)
nereus_add_failure_test(merge-wake 4 30 0 method=merge/coll schedule=2@2,4@4 expect=2 outcome=failed ENV NEREUS_FAULT=wake:0)

# ---- a new process dies -------------------------------------------------------------------------------------------------
# Before MPI: the guard takes its place. In MPI_Init and behind it MPI does not survive it, but with launch, where it has not joined yet.
foreach(method IN ITEMS merge merge-single merge-multiple merge-diffusive merge-async merge-launch merge-launch-async baseline
                        baseline-intra-hypercube)
    nereus_add_failure_test(${method}-missing 2 30 0 method=${method}/coll schedule=4@2 program=/nowhere/program expect=2
                            outcome=failed)
    nereus_add_failure_test(${method}-dies-before 2 30 0 PROGRAM resize-dies method=${method}/coll schedule=4@2 expect=2
                            outcome=failed ENV NEREUS_TEST_DIES=before)
endforeach()
foreach(how IN ITEMS in after killed)
    foreach(method IN ITEMS merge-launch merge-launch-async baseline-launch)
        nereus_add_failure_test(${method}-dies-${how} 2 30 0 PROGRAM resize-dies method=${method}/coll schedule=4@2 expect=2
                                outcome=failed ENV NEREUS_TEST_DIES=${how})
    endforeach()
    set(status nonzero)
    if(how STREQUAL "killed")
        set(status 137)
    endif()
    foreach(method IN ITEMS merge merge-diffusive-async)
        nereus_add_failure_test(${method}-dies-${how} 2 15 ${status} PROGRAM resize-dies method=${method}/coll schedule=4@2
                                ENV NEREUS_TEST_DIES=${how})
    endforeach()
endforeach()

# ---- in a tree one group of the second level does not start; too many processes; the job is killed ----------------------
function(nereus_add_script_test name limit expect)
    if(NOT NEREUS_TESTS OR NOT NEREUS_HAVE_MPI)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "COMMAND;ENV")
    add_test(NAME live-fails-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" ${limit} ${expect} ${arg_COMMAND})
    math(EXPR limit "${limit} + 15")
    set_tests_properties(live-fails-${name} PROPERTIES LABELS live TIMEOUT ${limit} RUN_SERIAL ON PROCESSORS 2
                         SKIP_RETURN_CODE 77 ENVIRONMENT "NEREUS_HOSTFILE=${NEREUS_MACHINES}/six;${arg_ENV}")
endfunction()

set(here "${CMAKE_CURRENT_LIST_DIR}")
if(NEREUS_HAVE_MPI)
    foreach(start IN ITEMS 1 3 5)
        nereus_add_script_test(tree-start-${start} 30 0
            COMMAND "${here}/start-until" "${NEREUS_MPIEXEC_WRAPPER}" -n 1 $<TARGET_FILE:resize> data=all last=6
                    method=merge-diffusive/coll schedule=6@2 program=${here}/start-until expect=1 outcome=failed
            ENV "NEREUS_TEST_FAILS=${start};NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>")
    endforeach()
    foreach(job IN ITEMS merge merge-diffusive)
        nereus_add_script_test(few-descriptors-${job} 15 nonzero
            COMMAND "${here}/limited.sh" -n 32 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=${job}/coll
                    schedule=6@2)
    endforeach()
    nereus_add_script_test(few-processes-merge 15 nonzero
        COMMAND "${here}/limited.sh" -u 16 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge/coll
                schedule=6@2)
    nereus_add_script_test(few-processes-merge-launch 30 0
        COMMAND "${here}/limited.sh" -u 24 "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize> last=6 method=merge-launch/coll
                schedule=6@2 expect=2 outcome=failed)
    # mpiexec and nereus-supervise: the status is theirs.
    foreach(victim IN ITEMS resize mpiexec* hydra_pmi_proxy nereus-supervise)
        string(REPLACE "*" "" name ${victim})
        set(status 137)
        if(victim STREQUAL "hydra_pmi_proxy" OR victim STREQUAL "resize")
            set(status nonzero)
        endif()
        nereus_add_script_test(kill-${name}-zombies-asleep 15 ${status}
            COMMAND "${here}/kill-one.sh" ${victim} "${NEREUS_MPIEXEC_WRAPPER}" -n 3 $<TARGET_FILE:resize> method=merge-zs/coll
                    schedule=1@2 last=4000 pause=0.01)
    endforeach()
endif()
