# Data of every kind, cut in every way: kinds.c checks all of it after each reconfiguration (its
# head names the words). Every way to move data with every kind of process method:
# kinds_matrix.cmake.
if(NEREUS_HAVE_MPI)
    set(kinds_sources kinds.c grids.c lists.c round_robin.c victim.c walk.c)
    list(TRANSFORM kinds_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
    nereus_add_program(kinds SOURCES ${kinds_sources} LINK nereus-runtime nereus-model NO_INSTALL)

    # Who stays where, in all ways to leave and to come; one distribution after the other, so that
    # old ranges are of all kinds.
    foreach(n IN ITEMS 0 1009)
        nereus_add_live_test(live-kinds-chain-${n} PROGRAM kinds NP 3
                             ARGS n=${n} seed=${n} last=14 expect=3 outcome=resized powers=1,0,3
                                  schedule=4@2:merge/p2p-keep,2@4:merge-zs/coll-keep,3@6:merge/p2p-weighted,4@8:merge/coll,2@10:baseline/p2p-keep,3@12:merge/coll-keep)
        nereus_add_live_test(live-kinds-leavers-${n} PROGRAM kinds NP 1
                             ARGS n=${n} seed=2 last=12 expect=2 outcome=resized
                                  schedule=4@2:merge-diffusive/p2p-keep,3@4:merge-ts/coll-weighted,4@6:merge-launch/p2p-keep,1@8:merge-ts/p2p-keep,2@10:merge/p2p-keep
                             ENVIRONMENT NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/six)
    endforeach()

    nereus_add_live_test(live-kinds-shares-shrink PROGRAM kinds NP 3
                         ARGS powers=1,3,2 schedule=2@2:merge/p2p-weighted shares=1,3 expect=2)
    nereus_add_live_test(live-kinds-shares-expand PROGRAM kinds NP 2 # who is new counts like the mean
                         ARGS powers=1,3 schedule=3@2:merge/p2p-weighted shares=1,3,2 expect=3)
    nereus_add_live_test(live-kinds-balanced PROGRAM kinds NP 2
                         ARGS n=3001 schedule=4@2:merge/coll-weighted,3@4:baseline/p2p-weighted balanced=1 expect=3)
    nereus_add_live_test(live-kinds-weights PROGRAM kinds NP 2
                         ARGS weights=late schedule=4@2:merge/coll-weighted,3@4:merge/coll-weighted expect=3 outcome=resized)
    nereus_add_live_test(live-kinds-weights-fail PROGRAM kinds NP 2
                         ARGS weights=fail schedule=4@2:merge/coll-weighted expect=2 outcome=failed)
    nereus_add_live_test(live-kinds-bytes-fail PROGRAM kinds NP 2
                         ARGS bytes=fail schedule=4@2:merge/coll expect=2 outcome=failed)
    # What stays, of all bytes: block keeps 25 per cent, and 50.
    nereus_add_live_test(live-kinds-kept-expand PROGRAM kinds NP 2
                         ARGS n=4001 schedule=4@2:merge/coll-keep kept=50 expect=4 ENVIRONMENT NEREUS_IMBALANCE=0.1)
    nereus_add_live_test(live-kinds-kept-shrink PROGRAM kinds NP 4
                         ARGS n=4001 schedule=3@2:merge/coll-keep kept=52 expect=3)
    nereus_add_live_test(live-kinds-imbalance-refused PROGRAM kinds NP 1 EXPECT 8
                         ENVIRONMENT NEREUS_IMBALANCE=5% "NEREUS_TEST_SAYS=^nereus: NEREUS_IMBALANCE is '5%' and must be a number")
    # One that fails in the middle leaves all as it was, and the next one succeeds; the third meets
    # a new process that fails.
    foreach(step IN ITEMS allocate redistribute agree)
        nereus_add_live_test(live-kinds-fails-at-${step} PROGRAM kinds NP 2
                             ARGS n=1009 schedule=4@2:merge/coll-keep,3@4:merge/p2p-weighted,4@6:baseline/p2p-keep last=8
                                  expect=3 outcome=failed
                             ENVIRONMENT NEREUS_FAULT=${step}:1)
    endforeach()
    # The application runs between the decision and the move: lists are longer or shorter then than
    # they were (all live-data rows), or there are some only then. Asynchronous starts, growing,
    # shrinking with zombies that wake, and starting anew.
    foreach(method IN ITEMS merge-async/coll merge-launch-async/p2p-thread baseline-async/p2p-waittargets merge/coll-waitsources)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-kinds-grows-${name} PROGRAM kinds NP 2
                             ARGS only=lists n=203 schedule=3@2:${method} until=1 last=8 pause=0.002 beside=1 expect=3 outcome=resized)
    endforeach()
    foreach(method IN ITEMS merge-async/coll merge/p2p-thread) # what fails then is taken back
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-kinds-bytes-late-${name} PROGRAM kinds NP 2
                             ARGS bytes=late schedule=3@2:${method} pause=0.002 expect=2 outcome=failed)
    endforeach()
    nereus_add_live_test(live-kinds-grows-chain PROGRAM kinds NP 2 TIMEOUT 120
                         ARGS n=203 until=5 pause=0.002 beside=1 expect=3 outcome=resized
                              schedule=3@2:merge-async/coll,2@4:merge-async-zs/p2p-keep,4@6:merge-async/rma-thread,2@8:baseline-async/p2p,3@10:merge-launch-async/coll
                         ENVIRONMENT NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/six)
    nereus_add_live_test(live-kinds-grows-auto PROGRAM kinds NP 2
                         ARGS n=203 schedule=3@2:auto,2@4:auto until=2 pause=0.002 expect=2 outcome=resized)
    # Variable data do not move beside the application, of whatever kind; and nothing of it is
    # packed once it has ended.
    foreach(overlap IN ITEMS waitsources waittargets thread)
        nereus_add_live_test(live-kinds-variable-${overlap} PROGRAM kinds NP 2
                             ARGS only=strings schedule=3@2:merge/p2p-${overlap} until=1 pause=0.002 expect=3 outcome=resized)
        nereus_add_live_test(live-kinds-ends-first-${overlap} PROGRAM kinds NP 2
                             ARGS schedule=3@6:merge/coll-${overlap} last=6 expect=2 outcome=pending)
    endforeach()
    # No thread, and no memory for where data are cut, in one process: the next one succeeds.
    nereus_add_live_test(live-kinds-no-thread PROGRAM kinds NP 2
                         ARGS schedule=3@2:merge-async/coll-thread,3@4:merge-async/coll-thread until=1 pause=0.002
                              expect=3 outcome=resized
                         ENVIRONMENT NEREUS_FAULT=thread:1@1)
    nereus_add_live_test(live-kinds-no-cuts PROGRAM kinds NP 2
                         ARGS schedule=3@2:merge/coll-keep,3@4:merge/coll-weighted expect=3 outcome=resized
                         ENVIRONMENT NEREUS_FAULT=cuts:1@1)
    # Anything after anything (walk.h).
    foreach(seed IN ITEMS 1 2)
        math(EXPR n "1009 * (${seed} % 2) + ${seed}")
        nereus_add_live_test(live-kinds-walk-${seed} PROGRAM kinds NP 2 TIMEOUT 120
                             ARGS n=${n} seed=${seed} asks=12 lists=1 mover=1 pause=0.001 outcome=resized)
    endforeach()
    # The bound on memory (docs/application.md).
    foreach(method IN ITEMS merge/p2p merge/coll merge/p2p-keep merge/rma merge/shared baseline/p2p)
        string(REPLACE "/" "-" name ${method})
        set(mb 256)
        if(method MATCHES "rma|shared|baseline")
            set(mb 192)
        endif()
        nereus_add_live_test(live-kinds-memory-${name} PROGRAM kinds NP 2
                             ARGS memory=${mb} schedule=3@2:${method},2@4:${method} expect=2 TIMEOUT 120)
    endforeach()
    # ... with parts that are kept: fewer bytes than the parts have, and as many.
    foreach(kept IN ITEMS 70000000 200000000)
        nereus_add_live_test(live-kinds-kept-${kept} PROGRAM kinds NP 2
                             ARGS memory=192 schedule=3@2:merge/p2p,2@4:merge/p2p,3@6:merge/p2p expect=3 TIMEOUT 120
                             ENVIRONMENT NEREUS_KEEP_BUFFERS=${kept})
    endforeach()
endif()
