# What MPI does not survive ends the job soon, with a sentence; and who is only slow is waited for
# (docs/failures.md).
set(here "${CMAKE_CURRENT_LIST_DIR}")

# nereus_add_soon_test(NAME EXPECT SAYS WORD... [PROGRAM NAME] [NP N] [LIMITED ULIMIT...]
# [ENV N=V...]): a job of resize.c on N (2) processes ends within 40 s, a few on most machines, with
# the status EXPECT, and a line of what it prints matches SAYS.
function(nereus_add_soon_test name expect says)
    cmake_parse_arguments(PARSE_ARGV 3 arg "MAY_END" "PROGRAM;NP" "ENV;LIMITED")
    if(NOT NEREUS_TESTS OR NOT NEREUS_HAVE_MPI)
        return()
    endif()
    if(NOT arg_PROGRAM)
        set(arg_PROGRAM resize)
    endif()
    if(NOT arg_NP)
        set(arg_NP 2)
    endif()
    set(limited "")
    if(arg_LIMITED)
        set(limited "${here}/limited.sh" ${arg_LIMITED})
    endif()
    if(arg_MAY_END)
        set(limited "${here}/lost.sh")
    endif()
    add_test(NAME live-fails-soon-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 40 ${expect} ${limited} "${NEREUS_MPIEXEC_WRAPPER}" -n ${arg_NP}
                $<TARGET_FILE:${arg_PROGRAM}> data=all last=6 settle=1 pause=0.001 ${arg_UNPARSED_ARGUMENTS})
    set_tests_properties(live-fails-soon-${name} PROPERTIES LABELS live TIMEOUT 80 RUN_SERIAL ON PROCESSORS 2
                         SKIP_RETURN_CODE 77
                         ENVIRONMENT "NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/six;NEREUS_TEST_SAYS=${says};${arg_ENV}")
endfunction()

set(ends "^nereus-mpiexec: the job cannot go on and is ended: ")
foreach(method IN ITEMS merge merge-single merge-multiple merge-diffusive merge-diffusive-async baseline-hypercube)
    # A spawned process ends behind MPI_Init, or in it: its guard says so.
    nereus_add_soon_test(${method}-dies-in 3 "${ends}process . of a spawned world .*ended with status 3"
                         PROGRAM resize-dies method=${method}/coll schedule=4@2 ENV NEREUS_TEST_DIES=in)
    nereus_add_soon_test(${method}-dies-after 3 "${ends}process . of a spawned world .*ended with status 3"
                         PROGRAM resize-dies method=${method}/coll schedule=4@2 ENV NEREUS_TEST_DIES=after)
    nereus_add_soon_test(${method}-killed 137 "${ends}process . of a spawned world .*killed by signal 9"
                         PROGRAM resize-dies method=${method}/coll schedule=4@2 ENV NEREUS_TEST_DIES=killed)
    # No guard comes to life, as on a host that does not answer.
    # By merge after the default, by the others after what is said.
    set(limit 2)
    if(method STREQUAL "merge")
        set(limit 7)
    endif()
    nereus_add_soon_test(${method}-no-answer 1 "${ends}[1-9] of [1-9] new process(es)? gave no sign of life for ${limit} s"
                         method=${method}/coll schedule=4@2 ENV NEREUS_GUARD=${here}/silent-guard NEREUS_ANSWER_TIMEOUT=${limit})
endforeach()
# With status 0, which is a loss all the same.
nereus_add_soon_test(merge-dies-quietly 1 "${ends}process 1 of a spawned world .*ended with status 0"
                     PROGRAM resize-dies method=merge/coll schedule=4@2 ENV NEREUS_TEST_DIES=quietly:1)
# Too few processes and threads for this user: nothing is started. How many threads MPI starts,
# which count, is the network module's matter.
foreach(method IN ITEMS merge merge-multiple merge-diffusive baseline-hypercube)
    nereus_add_soon_test(${method}-few-processes 0 "nothing was started; raise the limit \\(ulimit -u\\)"
                         method=${method}/coll schedule=6@2 expect=2 outcome=failed LIMITED -u 20 ENV MPIR_CVAR_CH4_NETMOD=ucx)
endforeach()
# A program that takes longer than hosts may.
nereus_add_soon_test(merge-slow-start 0 "outcome resized"
                     method=merge/coll schedule=4@2 program=${here}/start-late expect=4
                     ENV NEREUS_ANSWER_TIMEOUT=5s NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>)
nereus_add_soon_test(merge-diffusive-slow-start 0 "outcome resized"
                     method=merge-diffusive/coll schedule=4@2 program=${here}/start-late expect=4
                     ENV NEREUS_ANSWER_TIMEOUT=5 NEREUS_TEST_PROGRAM=$<TARGET_FILE:resize>)

# A launched process is killed between the connection and the commit: the sources let go of its
# world, go on, and the next attempt gets there. At connect and merge MPI may not come back: then
# the job is ended. Rank 3 is a new process in all of them.
set(lost "the job goes on as it was: (a|the) launched process")
set(ended_by_loss "((a|the) launched process|its processes ended while launched ones were joining)")
set(lost_or_ended "the job (goes on as it was: (a|the) launched process|cannot go on and is ended: ${ended_by_loss})")
foreach(data IN ITEMS p2p coll)
    foreach(step IN ITEMS allocate redistribute agree)
        nereus_add_soon_test(merge-launch-${data}-lost-${step} 0 "${lost}" expect=4
                             schedule=4@1:merge-launch/${data},4@2:merge-launch/${data} ENV NEREUS_FAULT=die-${step}:3@1)
    endforeach()
    # Who dies at merge has come out of MPI_Comm_accept, maybe before a source is out of
    # MPI_Comm_connect, which then returns an error: the second attempt gets there or is refused, so
    # that no size is demanded.
    foreach(step IN ITEMS connect merge)
        nereus_add_soon_test(merge-launch-${data}-lost-${step} 0 "${lost_or_ended}" MAY_END
                             schedule=4@1:merge-launch/${data},4@2:merge-launch/${data} ENV NEREUS_FAULT=die-${step}:3@1)
    endforeach()
endforeach()
# nereus_add_lost_test(METHOD FAULT... [ZOMBIE] [OFI]): a job for each, in which the first attempt
# with the method loses a launched process and the second one gets there. ZOMBIE: one process sleeps
# before, is woken by both and sleeps again in between. OFI: over libfabric's tcp.
set(over_ofi MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp)
function(nereus_add_lost_test method)
    cmake_parse_arguments(PARSE_ARGV 1 arg "ZOMBIE;OFI" "" "")
    string(REPLACE "/" "-" name ${method})
    set(network "")
    if(arg_OFI)
        set(network ${over_ofi})
        string(APPEND name -ofi)
    endif()
    foreach(fault IN LISTS arg_UNPARSED_ARGUMENTS)
        string(REPLACE ":" "-" step ${fault})
        if(arg_ZOMBIE)
            nereus_add_soon_test(${name}-zombie-lost-${step} 0 "${lost}" NP 3 expect=4 until=2
                                 schedule=2@1:merge-zs/coll,4@3:${method},4@4:${method} ENV NEREUS_FAULT=die-${fault}@2 ${network})
        else()
            nereus_add_soon_test(${name}-lost-${step} 0 "${lost}" expect=4 until=1 schedule=4@1:${method},4@2:${method}
                                 ENV NEREUS_FAULT=die-${fault}@1 ${network})
        endif()
    endforeach()
endfunction()
nereus_add_lost_test(merge-launch/shared redistribute:3 agree:3)
nereus_add_lost_test(merge-launch/rma allocate:3 redistribute:2 window:3)
# The application goes on while the constant data moves.
nereus_add_lost_test(merge-launch/p2p-waitsources redistribute:3 synchronise:3)
nereus_add_lost_test(merge-launch/rma-waittargets redistribute:3)
# MPI tells a source of it first, before nereus-supervise has told the root.
foreach(rank IN ITEMS 0 1)
    nereus_add_soon_test(merge-launch-p2p-waitsources-lost-look-${rank} 0 "${lost}" expect=4 until=1
                         schedule=4@1:merge-launch/p2p-waitsources,4@2:merge-launch/p2p-waitsources
                         ENV NEREUS_FAULT=die-redistribute:3@1,look:${rank}@1)
endforeach()
nereus_add_lost_test(merge-launch/coll-thread redistribute:3 agree:2)
nereus_add_lost_test(merge-launch-async/shared-thread redistribute:3)
# Beside the application, which comes to its next point later than the sources would be waited for
# while it stands still.
nereus_add_lost_test(merge-launch-async/coll redistribute:3)
nereus_add_lost_test(baseline-launch-async/coll redistribute:3)
nereus_add_soon_test(merge-launch-async-coll-thread-slow-lost 0 "${lost}"
                     schedule=4@1:merge-launch-async/coll-thread pause=2.5 last=2 ENV NEREUS_FAULT=die-redistribute:3@1)
nereus_add_lost_test(merge-launch/coll redistribute:3 ZOMBIE)
nereus_add_lost_test(merge-launch/p2p-thread redistribute:3 ZOMBIE)
nereus_add_lost_test(baseline-intra-launch/coll redistribute:3)
nereus_add_lost_test(baseline-intra-launch/p2p redistribute:3)
nereus_add_lost_test(baseline-intra-launch/rma agree:3)
# Inside MPI_Comm_connect: no connection can be made any more, and a request for one is refused;
# where the sources learn of the death before they connect, the second attempt gets there. Where the
# dead process is the one that the sources speak to, ucx may crash in them, or not come back: status
# and sentence are then nereus-mpiexec's.
nereus_add_soon_test(merge-launch-p2p-lost-accept-1 0 "(no new processes can come in: |4 processes, 1 reconfigurations, outcome resized)"
                     schedule=4@1:merge-launch/p2p,4@2:merge-launch/p2p
                     ENV NEREUS_FAULT=die-accept:1@1 NEREUS_ANSWER_TIMEOUT=5)
nereus_add_soon_test(merge-launch-p2p-lost-accept-0 0 "${lost_or_ended}" MAY_END
                     schedule=4@1:merge-launch/p2p
                     ENV NEREUS_FAULT=die-accept:0@1 NEREUS_ANSWER_TIMEOUT=5)
# New processes wait in MPI for one of another group; the sources, at the door, do not wait for those.
nereus_add_soon_test(merge-launch-p2p-ofi-lost-round 0 "${lost}" expect=4 until=1
                     schedule=4@1:merge-launch/p2p,4@2:merge-launch/p2p
                     ENV NEREUS_FAULT=die-accept:0@1 NEREUS_ANSWER_TIMEOUT=20 MPIR_CVAR_CH4_NETMOD=ofi FI_PROVIDER=tcp)
# Over an inter-communicator.
nereus_add_lost_test(baseline-launch/p2p redistribute:3 agree:3)
nereus_add_lost_test(baseline-launch/coll redistribute:3)
nereus_add_lost_test(baseline-launch/coll-thread redistribute:3 statement:3)
nereus_add_lost_test(baseline-launch/shared redistribute:3 agree:2)
nereus_add_lost_test(baseline-launch/p2p-waitsources redistribute:3 synchronise:2)
nereus_add_lost_test(baseline-launch/coll-waittargets redistribute:3)
nereus_add_lost_test(baseline-launch/shared-waittargets redistribute:2)
# MPICH over libfabric aborts a source that sends to a process that has just died, or does not come
# back: so the sources send nothing to learn that all are there.
foreach(method IN ITEMS p2p coll rma shared p2p-thread coll-waittargets)
    nereus_add_lost_test(merge-launch/${method} redistribute:3 OFI)
endforeach()
nereus_add_lost_test(merge-launch/coll merge:3 agree:3 statement:2 OFI)
nereus_add_lost_test(merge-launch/rma window:3 OFI)
nereus_add_lost_test(merge-launch/coll redistribute:3 ZOMBIE OFI)
nereus_add_lost_test(merge-launch-async/p2p redistribute:3 OFI)
nereus_add_lost_test(baseline-launch/p2p redistribute:3 agree:3 OFI)
nereus_add_lost_test(baseline-launch/coll-thread statement:3 OFI)
nereus_add_lost_test(baseline-launch/shared-waittargets redistribute:3 OFI)
nereus_add_lost_test(baseline-intra-launch/p2p redistribute:3 OFI)
# While its data is on its way: over libfabric a send that comes too late may end the job.
foreach(data IN ITEMS p2p coll)
    nereus_add_soon_test(merge-launch-${data}-lost-moving 0 "${lost}" data=heavy expect=4 until=1
                         schedule=4@1:merge-launch/${data},4@2:merge-launch/${data} ENV NEREUS_FAULT=die-moving:3@1)
    nereus_add_soon_test(merge-launch-${data}-ofi-lost-moving 0
                         "(${lost_or_ended}|when it had just lost new processes: (a|the) launched process)" MAY_END data=heavy
                         schedule=4@1:merge-launch/${data} ENV NEREUS_FAULT=die-moving:3@1 ${over_ofi})
endforeach()
# Inside calls that cannot be tested.
foreach(place IN ITEMS merging opening closing)
    foreach(network IN ITEMS ucx ofi)
        set(variables "")
        if(network STREQUAL ofi)
            set(variables ${over_ofi})
        endif()
        nereus_add_soon_test(merge-launch-rma-lost-${place}-${network} 0
                             "(${lost_or_ended}|when it had just lost new processes: (a|the) launched process)" MAY_END
                             schedule=4@1:merge-launch/rma ENV NEREUS_FAULT=die-${place}:3@1 ${variables})
    endforeach()
endforeach()
# A source is killed: where launched processes are joining, nereus-mpiexec knows that this has ended
# the job, whatever signal mpiexec has seen.
foreach(method IN ITEMS merge/p2p merge-launch/p2p merge-launch/coll merge-launch/rma merge-launch/shared merge-launch/coll-thread)
    string(REPLACE "/" "-" name ${method})
    set(status 1)
    set(says "${ends}${ended_by_loss}")
    if(method STREQUAL "merge/p2p") # nothing is launched
        set(status 137)
        set(says "${ends}process 1 of the initial world .* was killed by signal 9")
    endif()
    nereus_add_soon_test(${name}-source-killed ${status} "${says}"
                         schedule=4@1:${method} ENV NEREUS_FAULT=die-redistribute:1@1)
endforeach()
# However long the launched processes take to end.
nereus_add_soon_test(merge-launch-p2p-source-killed-late 1 "${ends}${ended_by_loss}" schedule=4@1:merge-launch/p2p
                     ENV NEREUS_FAULT=die-redistribute:1@1 "NEREUS_LAUNCH_COMMAND=${here}/end-late ${NEREUS_MPIEXEC}")
# After the commit the job ends.
nereus_add_soon_test(merge-launch-lost-commit 137 "${ends}a launched process .*killed by signal 9" expect=4
                     schedule=4@1:merge-launch/p2p ENV NEREUS_FAULT=die-commit:3@1)
