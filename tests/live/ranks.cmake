# Data between ranks that are not the first ones, live: targets behind the sources, leavers in the
# middle, the root's world leaves. Every element is checked (resize.c).
if(NEREUS_HAVE_MPI)
    set(ranks_hosts "${PROJECT_BINARY_DIR}/tests/ranks.hosts")
    file(WRITE "${ranks_hosts}" "localhost/a:1\nlocalhost/b:1\nlocalhost/c:2\n")
    foreach(data IN ITEMS p2p coll)
        nereus_add_live_test(live-ranks-behind-${data} PROGRAM resize NP 2
                             ARGS method=baseline-intra/${data} schedule=3@3,1@5 last=8 expect=1 data=all)
        # Worlds of 1, 1 and 2 processes, one of which must go: that in the middle.
        nereus_add_live_test(live-ranks-middle-${data} PROGRAM resize NP 1
                             ARGS method=merge-diffusive/${data} schedule=4@2,3@4 last=8 expect=3 data=all
                             ENVIRONMENT NEREUS_HOSTFILE=${ranks_hosts})
        # The initial world is on two nodes; then one more process falls asleep, which wakes again.
        nereus_add_live_test(live-ranks-root-${data} PROGRAM resize NP 2
                             ARGS method=merge-diffusive/${data} schedule=4@2,1@4,3@6 last=9 expect=3 data=all
                             ENVIRONMENT NEREUS_HOSTFILE=${ranks_hosts})
    endforeach()
endif()
