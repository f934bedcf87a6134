# NEREUS_CHECK=1: mistakes of programs that are wrong without a word otherwise (mistakes.c makes
# them), and none where there is none.
if(NEREUS_HAVE_MPI)
    nereus_add_program(mistakes SOURCES ${CMAKE_CURRENT_LIST_DIR}/mistakes.c LINK nereus-runtime NO_INSTALL)
    # A library is loaded before the sanitizer's here.
    set(check NEREUS_CHECK=1 ASAN_OPTIONS=verify_asan_link_order=0)
    nereus_add_live_test(live-check-part PROGRAM mistakes NP 2 ARGS part EXPECT 139 ENVIRONMENT ${check}
                         "NEREUS_TEST_SAYS=^nereus: rank .: part of 'x' used after the resize at point 4: ask nereus_local, of a field nereus_local_box, again")
    nereus_add_live_test(live-check-part-launch PROGRAM mistakes NP 2 ARGS part merge-launch/coll EXPECT 139 ENVIRONMENT ${check}
                         "NEREUS_TEST_SAYS=^nereus-mpiexec: the job cannot go on and is ended: process . of the initial world .* was killed by signal 11 ")
    nereus_add_live_test(live-check-constant PROGRAM mistakes NP 2 ARGS constant ENVIRONMENT ${check}
                         "NEREUS_TEST_SAYS=^outcome: rank . has written 'x' while it moved, which is constant")
    foreach(mistake IN ITEMS world copy)
        nereus_add_live_test(live-check-${mistake} PROGRAM mistakes NP 2 ARGS ${mistake} ENVIRONMENT ${check}
                             "NEREUS_TEST_SAYS=^nereus: MPI_Allreduce on MPI_COMM_WORLD by rank 0 after point 4: ")
    endforeach()
    nereus_add_live_test(live-check-points PROGRAM mistakes NP 2 ARGS points ENVIRONMENT ${check}
                         "NEREUS_TEST_SAYS=^nereus: the ranks have passed different numbers of points, from 20 to 21: ")
    # Without the checks, too: what is packed behind the end of a piece would be lost.
    foreach(checked IN ITEMS 0 1)
        nereus_add_live_test(live-check-pack-${checked} PROGRAM mistakes NP 2 ARGS pack
                             ENVIRONMENT NEREUS_CHECK=${checked} ASAN_OPTIONS=verify_asan_link_order=0
                             "NEREUS_TEST_SAYS=^outcome: 'list': pack has written more than the [0-9]+ bytes that bytes said of the elements ")
    endforeach()
    nereus_add_live_test(live-check-field PROGRAM mistakes NP 2 ARGS field
                         ENVIRONMENT "NEREUS_TEST_SAYS=^exchange: rank 1 has registered other data than rank 0 .4 pieces, rank 0 4.: as number 4 'u'")
    nereus_add_live_test(live-check-apart PROGRAM mistakes NP 2 ARGS apart EXPECT nonzero ENVIRONMENT NEREUS_WATCHDOG=5s,abort
                         "NEREUS_TEST_SAYS=the job hangs and is ended: rank . has waited .* in nereus_grid_exchange for rank .")
    foreach(when IN ITEMS beyond later)
        nereus_add_live_test(live-check-${when} PROGRAM mistakes NP 2 ARGS ${when} EXPECT 139 ENVIRONMENT ${check}
                             "NEREUS_TEST_SAYS=^nereus: rank 1: the program goes beyond its part of 'x': nereus_local, of a field nereus_local_box, tells how many elements")
    endforeach()
    nereus_add_live_test(live-check-none PROGRAM mistakes NP 2 ARGS none ENVIRONMENT ${check})
    set_property(TEST live-check-none PROPERTY FAIL_REGULAR_EXPRESSION "live-run: ;nereus: [^w]")
    # Collectives in place, whose other arguments MPI ignores, and persistent ones.
    nereus_add_live_test(live-check-collectives PROGRAM called NP 2 ARGS collectives 5 ENVIRONMENT ${check})
    set_property(TEST live-check-collectives PROPERTY FAIL_REGULAR_EXPRESSION "live-run: ;nereus: [^w]")
    # No false alarm: random changes of all kinds of data, by all methods (walk.h).
    foreach(seed IN ITEMS 3 4)
        nereus_add_live_test(live-check-walk-${seed} PROGRAM kinds NP 2 TIMEOUT 120 ENVIRONMENT ${check}
                             ARGS n=101 seed=${seed} asks=12 lists=1 mover=1 pause=0.001 outcome=resized)
        set_property(TEST live-check-walk-${seed} PROPERTY FAIL_REGULAR_EXPRESSION "live-run: ;has written|used after|on MPI_COMM_WORLD")
    endforeach()
    # Calls of the library inside the functions that it calls: refused, or carried out (callbacks.c).
    nereus_add_program(callbacks SOURCES ${CMAKE_CURRENT_LIST_DIR}/callbacks.c LINK nereus-runtime NO_INSTALL)
    foreach(method IN ITEMS merge/coll baseline/p2p merge-async/coll merge/coll-thread)
        string(REPLACE "/" "-" name ${method})
        nereus_add_live_test(live-callbacks-${name} PROGRAM callbacks NP 2 ARGS ${method})
    endforeach()
    nereus_add_live_test(live-check-bad PROGRAM mistakes NP 2 ARGS none EXPECT 2 ENVIRONMENT NEREUS_CHECK=yes
                         "NEREUS_TEST_SAYS=^nereus: NEREUS_CHECK is 'yes' and must be 0 or 1")
endif()
