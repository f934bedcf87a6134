# Failures of plans whose constant data moves beside the application: each job goes from 2 to 3 processes, again and again, each time another
# step fails in another process and all is put back; the last time none does.
function(nereus_add_overlap_faults method)
    set(schedule "")
    set(faults "")
    set(steps "")
    set(number 1)
    foreach(fault IN LISTS ARGN)
        string(APPEND schedule "3@${number}:${method},")
        string(APPEND faults "${fault}@${number},")
        string(REGEX REPLACE ":.*" "" step ${fault})
        string(APPEND steps " ${step}")
        math(EXPR number "${number} + 1")
    endforeach()
    string(APPEND schedule "3@${number}:${method}")
    string(STRIP "${steps}" steps)
    string(REPLACE "/" "-" name ${method})
    if(NEREUS_HAVE_MPI)
        nereus_add_script_test(steps-${name} 60 0
            COMMAND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/faults.sh" "${steps}" "${NEREUS_MPIEXEC_WRAPPER}" -n 2 $<TARGET_FILE:resize>
                    data=all last=${number} until=1 pause=0.001 schedule=${schedule} expect=3 outcome=resized
            ENV NEREUS_FAULT=${faults} NEREUS_HOSTFILE=${NEREUS_MACHINES}/six)
    endif()
endfunction()

# Memory at a source and at a new process; the agreement before the data; the data itself, beside the application (its failure is
# agreed on before the commit); the meeting.
set(moves allocate:1 allocate:2 agree:1 redistribute:0 redistribute:2 synchronise:1)
foreach(method IN ITEMS merge/coll-waitsources merge/p2p-waittargets merge/coll-thread baseline/p2p-waitsources baseline/p2p-thread
                        baseline-intra/coll-waittargets merge-async/coll-waitsources merge-async/coll-thread
                        merge-launch-async/coll-thread)
    nereus_add_overlap_faults(${method} ${moves})
endforeach()
# The thread that goes on with the data fails before.
nereus_add_overlap_faults(merge-single-async/coll-thread spawn:0 join:2 connect:1)

# What needs memory for the transfer alone, and a thread that cannot be had: before anything has begun, and after the processes are there.
# And shrinks.
if(NEREUS_HAVE_MPI)
    foreach(overlap IN ITEMS waitsources waittargets thread)
        nereus_add_failure_test(reserve-${overlap} 2 30 expect=2 outcome=failed method=merge/coll-${overlap} schedule=4@2
                                ENV NEREUS_FAULT=reserve:1)
        foreach(step IN ITEMS allocate:0 redistribute:2 split:1)
            string(REPLACE ":" "-" name ${step})
            nereus_add_failure_test(zs-${overlap}-${name} 3 30 expect=3 outcome=failed method=merge-zs/coll-${overlap} schedule=2@2
                                    ENV NEREUS_FAULT=${step})
        endforeach()
    endforeach()
    foreach(method IN ITEMS merge baseline merge-async merge-launch-async)
        foreach(rank IN ITEMS 0 1)
            nereus_add_failure_test(thread-${rank}-${method}-overlap 2 30 expect=2 outcome=failed method=${method}/coll-thread
                                    schedule=4@2 ENV NEREUS_FAULT=thread:${rank})
        endforeach()
    endforeach()
endif()
