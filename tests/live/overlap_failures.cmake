# Failures of plans whose constant data moves beside the application: each job goes from 2 to 3
# processes, again and again, each time another step fails in another process and all is put back;
# the last time none does. The rows go to live-overlap-faults.txt, for the unit test live-faults, as
# those of matrix_failures.cmake do.
set(NEREUS_OVERLAP_FAULTS "")

# nereus_add_overlap_faults(METHOD FAULT... [FIRST SCHEDULE] [NP N] [NT N] [NAME NAME]): as
# nereus_add_faults (matrix_failures.cmake).
function(nereus_add_overlap_faults method)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FIRST;NP;NT;NAME" "")
    set(schedule "")
    set(faults "")
    set(steps "")
    set(number 1)
    if(NOT arg_NP)
        set(arg_NP 2)
    endif()
    if(NOT arg_NT)
        set(arg_NT 3)
    endif()
    if(arg_FIRST)
        set(schedule "${arg_FIRST},")
        string(REGEX MATCHALL "@" changes ${arg_FIRST})
        list(LENGTH changes number)
        math(EXPR number "${number} + 1")
    endif()
    set(until ${number})
    foreach(fault IN LISTS arg_UNPARSED_ARGUMENTS)
        string(APPEND schedule "${arg_NT}@${number}:${method},")
        string(APPEND faults "${fault}@${number},")
        string(REGEX REPLACE ":.*" "" step ${fault})
        string(APPEND steps " ${step}")
        math(EXPR number "${number} + 1")
    endforeach()
    string(APPEND schedule "${arg_NT}@${number}:${method}")
    string(STRIP "${steps}" steps)
    string(REPLACE "/" "-" name ${method}${arg_NAME})
    string(APPEND NEREUS_OVERLAP_FAULTS "${method} six ${arg_NP} ${schedule} ${faults}\n")
    set(NEREUS_OVERLAP_FAULTS "${NEREUS_OVERLAP_FAULTS}" PARENT_SCOPE)
    if(NEREUS_HAVE_MPI)
        nereus_add_script_test(steps-${name} 0
            COMMAND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/faults.sh" "${steps}" "${NEREUS_MPIEXEC_WRAPPER}" -n ${arg_NP} $<TARGET_FILE:resize>
                    data=all last=${number} until=${until} pause=0.001 schedule=${schedule} expect=${arg_NT} outcome=resized
            ENV NEREUS_FAULT=${faults} NEREUS_HOSTFILE=${NEREUS_MACHINES}/six)
    endif()
endfunction()

# Memory at a source and at a new process; the agreement before the data; the data itself, beside
# the application (its failure is agreed on before the commit); the meeting.
set(moves allocate:1 allocate:2 agree:1 redistribute:0 redistribute:2 synchronise:1)
foreach(method IN ITEMS merge/coll-waitsources merge/p2p-waittargets merge/coll-thread baseline/p2p-waitsources baseline/p2p-thread
                        baseline-intra/coll-waittargets merge-async/coll-waitsources merge-async/coll-thread
                        merge-launch-async/coll-thread)
    nereus_add_overlap_faults(${method} ${moves})
endforeach()
nereus_add_overlap_faults(baseline/coll-waittargets allocate:2 redistribute:2 synchronise:0)
nereus_add_overlap_faults(merge-launch-async/p2p-waitsources allocate:2 agree:0 redistribute:2 synchronise:2)
nereus_add_overlap_faults(merge-launch-async/p2p-waittargets redistribute:0 synchronise:1)
# Fewer: some asleep, or worlds that end; and those asleep wake.
nereus_add_overlap_faults(merge-zs/p2p-waitsources allocate:0 agree:1 redistribute:2 synchronise:1 NP 3 NT 2)
nereus_add_overlap_faults(merge-zs/p2p-waittargets allocate:1 agree:2 redistribute:0 synchronise:2 NP 3 NT 2)
nereus_add_overlap_faults(merge-zs/coll-thread allocate:0 agree:0 redistribute:1 synchronise:2 NP 3 NT 2)
nereus_add_overlap_faults(merge-ts/coll-waittargets redistribute:2 synchronise:0 NP 1 NT 1 FIRST 3@1:merge-diffusive/coll)
nereus_add_overlap_faults(merge/coll-thread allocate:2 redistribute:0 synchronise:2 NP 3 NT 3 FIRST 2@1:merge-zs/coll NAME -wake)
# The thread that goes on with the data fails before.
nereus_add_overlap_faults(merge-single-async/coll-thread spawn:0 join:2 connect:1)

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/live-overlap-faults.txt" CONTENT "${NEREUS_OVERLAP_FAULTS}")

# What needs memory for the transfer alone, and a thread that cannot be had: before anything has
# begun, and after the processes are there.
# And shrinks.
if(NEREUS_HAVE_MPI)
    foreach(overlap IN ITEMS waitsources waittargets thread)
        nereus_add_failure_test(reserve-${overlap} 2 0 expect=2 outcome=failed method=merge/coll-${overlap} schedule=4@2
                                ENV NEREUS_FAULT=reserve:1)
        foreach(step IN ITEMS allocate:0 redistribute:2 split:1)
            string(REPLACE ":" "-" name ${step})
            nereus_add_failure_test(zs-${overlap}-${name} 3 0 expect=3 outcome=failed method=merge-zs/coll-${overlap} schedule=2@2
                                    ENV NEREUS_FAULT=${step})
        endforeach()
    endforeach()
    foreach(method IN ITEMS merge baseline merge-async merge-launch-async)
        foreach(rank IN ITEMS 0 1)
            nereus_add_failure_test(thread-${rank}-${method}-overlap 2 0 expect=2 outcome=failed method=${method}/coll-thread
                                    schedule=4@2 ENV NEREUS_FAULT=thread:${rank})
        endforeach()
    endforeach()
endif()
