# The rows that are run on each MPI that is there (presets abi and abi-intel: the same programs on
# MPICH and on Intel MPI; openmpi): label `mpi`, the ones of the everyday test; label `mpi-long`,
# what `./setup test --all` adds: the matrix, losses and restarts, calibrate, predict, validate.
# Those of Python are in python/python.cmake. The preset openmpi-long leaves out what has launch
# (live-data-* has, too), and the end of mpiexec, which lives.c looks for above a proxy.
function(nereus_on_each_mpi label)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(regex IN LISTS ARGN)
        nereus_rows_named(rows ${regex})
        foreach(row IN LISTS rows)
            set_property(TEST ${row} APPEND PROPERTY LABELS ${label})
        endforeach()
    endforeach()
endfunction()

set(why "each_mpi.cmake")
list(JOIN NEREUS_SEVERAL_WORLDS "|-" worlds)
nereus_on_each_mpi(mpi "live-matrix-(merge|merge-async)-coll" "live-matrix-restart-file" "live-refused-(rma|launch)" "live-lives-after-kill"
                   "live-cg-2-4" "live-init-late-merge-coll" "live-program-nereus-heat-merge-coll-3")
nereus_on_each_mpi(mpi-long "live-matrix-(merge|baseline|baseline-intra)(|-single|-${worlds}|-launch)-coll"
                   "live-matrix-(merge|baseline|baseline-intra)-async-(coll|p2p)" "live-matrix-merge(|-async)-(ss|zs|ts)-coll"
                   "live-matrix-(ts-gone.*|baseline-gone|mixed|mixed-async|restart)" "live-matrix-(port-merge-diffusive|merge-async-coll-thread)"
                   "live-data-(p2p|coll|shared)" "live-data-shared-waitsources"
                   "live-lives-after-(kill|segv|abort|mpiexec|stop)" "live-lives-(grow|shrink|by-hand|damaged)"
                   "live-cg-(4-2|parallel|async)" "live-handles-(zombies-after|kept-split)" "cli-each-mpi" "hosts-each-mpi")
