# How data moves, live: what fails in it, and every way to move it (exchange_matrix below).
if(NEREUS_HAVE_MPI)
    # What a redistribution needs beside the new parts cannot be had: at a source that stays, at one
    # that leaves and only sends, at a new process; agreed on before any byte moves.
    foreach(data IN ITEMS p2p coll)
        nereus_add_live_test(live-no-memory-to-move-staying-${data} PROGRAM resize NP 2
                             ARGS method=merge/${data} schedule=4@2 last=6 expect=2 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=reserve:1)
        nereus_add_live_test(live-no-memory-to-move-new-${data} PROGRAM resize NP 2
                             ARGS method=merge/${data} schedule=4@2 last=6 expect=2 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=reserve:3)
        nereus_add_live_test(live-no-memory-to-move-leaving-${data} PROGRAM resize NP 3
                             ARGS method=merge-zs/${data} schedule=1@2 last=6 expect=3 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=reserve:2)
        nereus_add_live_test(live-no-memory-to-move-baseline-${data} PROGRAM resize NP 2
                             ARGS method=baseline/${data} schedule=3@2 last=6 expect=2 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=reserve:0)
    endforeach()

    # Records that processes send each other (src/util/pack_buffer.h), where one has no memory: none
    # waits; all fail, except who sends to a receiver without memory.
    nereus_add_program(pack-memory SOURCES ${CMAKE_CURRENT_LIST_DIR}/pack_memory.c LINK nereus-runtime NO_INSTALL)
    foreach(row IN ITEMS "broadcast 0 broken" "broadcast 1 limited" "gather 1 broken" "gather 0 limited")
        string(REPLACE " " ";" words "${row}")
        string(REPLACE " " "-" name "${row}")
        nereus_add_live_test(live-pack-memory-${name} PROGRAM pack-memory NP 3 ARGS ${words} TIMEOUT 60)
    endforeach()
    foreach(row IN ITEMS "send 0 broken" "send 1 limited")
        string(REPLACE " " ";" words "${row}")
        string(REPLACE " " "-" name "${row}")
        nereus_add_live_test(live-pack-memory-${name} PROGRAM pack-memory NP 2 ARGS ${words} TIMEOUT 60)
    endforeach()

    # Calls that wait for others, of rank 0 in one change.
    nereus_add_program(counted SOURCES ${CMAKE_CURRENT_LIST_DIR}/counted.c LINK nereus-runtime NO_INSTALL)
    nereus_add_live_test(live-counted-between-groups PROGRAM counted NP 2
                         ARGS baseline/coll 3 1000000 Alltoallv_c=0 Ialltoallv_c=0 Isend_c=2 Barrier=0 Ibarrier=1 Bcast=0)
    nereus_add_live_test(live-counted-shrink PROGRAM counted NP 4
                         ARGS merge/coll 2 1000000 Ibcast_c=1 Iallreduce=2 Comm_create_group=1 Ireduce=1 Comm_split=0 Bcast=0 Reduce=0 Gather=0
                              Barrier=0 Ibarrier=0)
    nereus_add_live_test(live-counted-overlapped-shrink PROGRAM counted NP 4
                         ARGS merge/p2p-waitsources 2 1000000 Ibarrier=0 Ibcast_c=1 Bcast=0)
endif()
