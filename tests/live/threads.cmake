# Asynchronous methods under the thread sanitizer (preset tsan): main and auxiliary threads of the
# sources. UCX's hooks into memory calls end a process that runs under it, so that they are off (the
# preset sets UCX_MEM_EVENTS=n).
if(NEREUS_HAVE_MPI AND NEREUS_TESTS AND NEREUS_SANITIZE STREQUAL "thread")
    file(WRITE "${PROJECT_BINARY_DIR}/tests/threads.hosts" "localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\nlocalhost/d:1\n")
    set(sanitizer "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp exitcode=66")
    foreach(process IN ITEMS merge-async merge-single-async merge-multiple-async merge-diffusive-async merge-launch-async
                             baseline-async baseline-single-async baseline-intra-diffusive-async)
        nereus_add_live_test(threads-${process} PROGRAM resize NP 2
                             ARGS method=${process}/coll schedule=4@2,2@20 last=24 until=2 pause=0.01 data=all
                             ENVIRONMENT UCX_MEM_EVENTS=n "NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/threads.hosts"
                             "${sanitizer}")
        # The application ends while the threads are at work.
        nereus_add_live_test(threads-${process}-ends-first PROGRAM resize NP 2
                             ARGS method=${process}/coll schedule=4@2 last=3 data=all outcome=pending
                             ENVIRONMENT UCX_MEM_EVENTS=n "NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/threads.hosts"
                             "${sanitizer}")
        set_tests_properties(threads-${process} threads-${process}-ends-first PROPERTIES LABELS threads)
    endforeach()
    # Data by a thread: one of its own, or the one that has started the processes.
    foreach(method IN ITEMS merge/coll-thread merge-async/p2p-thread)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(threads-${name} PROGRAM resize NP 2
                             ARGS method=${method} schedule=4@2,2@20 last=24 until=2 pause=0.01 data=all beside=1
                             ENVIRONMENT UCX_MEM_EVENTS=n "NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/threads.hosts"
                             "${sanitizer}")
        set_tests_properties(threads-${name} PROPERTIES LABELS threads)
    endforeach()
    # A thread writes checkpoints.
    nereus_add_live_test(threads-checkpoint PROGRAM kinds NP 2 ARGS n=1009 lists=1 last=20 pause=0.01
                         ENVIRONMENT UCX_MEM_EVENTS=n NEREUS_CHECKPOINT=threads-checkpoint NEREUS_CHECKPOINT_EVERY=1us "${sanitizer}")
    set_tests_properties(threads-checkpoint PROPERTIES LABELS threads)
    # What is left out of the reports is MPI's alone: a race of our own, in a buffer that MPI has
    # filled, is reported; without it nothing is.
    nereus_add_program(own-race SOURCES ${CMAKE_CURRENT_LIST_DIR}/own_race.c LINK nereus_mpi NO_INSTALL)
    nereus_add_live_test(threads-own-race PROGRAM own-race NP 1 EXPECT 66
                         ENVIRONMENT UCX_MEM_EVENTS=n "${sanitizer}" "NEREUS_TEST_SAYS=WARNING: ThreadSanitizer: data race")
    nereus_add_live_test(threads-own-race-ordered PROGRAM own-race NP 1 ARGS ordered
                         ENVIRONMENT UCX_MEM_EVENTS=n "${sanitizer}" "NEREUS_TEST_SAYS=^written 3")
    set_tests_properties(threads-own-race threads-own-race-ordered PROPERTIES LABELS threads)
endif()
