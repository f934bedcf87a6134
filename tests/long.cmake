# What `./setup test` leaves to `./setup test --all`: rows that take long, and rows that repeat what
# another row shows. They have the label `long`, which the test presets exclude, and are made and
# counted as all others: live-methods, live-data, live-faults and hosts-methods look at all rows.
# Everyday rows have every process method, every way to move data and every kind of failure; their
# combinations are long.

# By hand before, with numbers to choose (tests/README.md): here with few.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    foreach(script IN ITEMS "guard 30" "resizes 40 7 1")
        string(REPLACE " " ";" words "${script}")
        list(POP_FRONT words name)
        add_test(NAME stress-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                 COMMAND "${CMAKE_CURRENT_LIST_DIR}/live/stress-${name}.sh" ${PROJECT_BINARY_DIR} ${words})
        set_tests_properties(stress-${name} PROPERTIES LABELS "live;long" TIMEOUT 900 RUN_SERIAL ON PROCESSORS 2)
    endforeach()
endif()

# nereus_long(WHY REGEX... [BUT REGEX...]): these rows, but for those; each regular expression has
# to name a row.
function(nereus_long why)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BUT")
    get_property(tests DIRECTORY PROPERTY TESTS)
    set(everyday "")
    foreach(regex IN LISTS arg_BUT)
        nereus_rows_named(rows ${regex})
        list(APPEND everyday ${rows})
    endforeach()
    foreach(regex IN LISTS arg_UNPARSED_ARGUMENTS)
        nereus_rows_named(rows ${regex})
        list(REMOVE_ITEM rows ${everyday})
        foreach(row IN LISTS rows)
            set_property(TEST ${row} APPEND PROPERTY LABELS long)
        endforeach()
    endforeach()
endfunction()

macro(nereus_rows_named out regex)
    set(${out} ${tests})
    list(FILTER ${out} INCLUDE REGEX "^(${regex})$")
    if(NOT ${out} AND NEREUS_HAVE_MPI AND NEREUS_TESTS)
        message(FATAL_ERROR "tests/long.cmake: no test is called ${regex} (${why})")
    endif()
endmacro()

# One of each: a process method, a way to move data, an overlap, a way to leave, a network module.
nereus_long("methods and settings that everyday rows combine in another way" "live-matrix-.*"
    BUT "live-matrix-(baseline|baseline-single|baseline-multiple|baseline-binomial|baseline-hypercube|baseline-intra|merge|merge-binomial)-coll"
        "live-matrix-(baseline-launch-async|merge-async|merge-diffusive-async|merge-launch|merge-hypercube)-coll"
        "live-matrix-(baseline-async|merge-multiple|merge-single-async)-p2p" "live-matrix-baseline-intra-diffusive-async-p2p-thread"
        "live-matrix-merge-(launch-async-coll-thread|async-p2p-waittargets|async-ts-coll-waitsources)"
        "live-matrix-merge(|-diffusive|-launch-async)-ss-coll" "live-matrix-merge(|-async)-(ts|zs)-coll" "live-matrix-restart"
        "live-matrix-(none|none-thread|many|many-waittargets|replicated|busy-thread|crowded-thread|crowded-shrink|test-every-3-waitsources)"
        "live-matrix-ends-first-(baseline-async|merge-coll-thread|merge-launch-async-coll-waittargets|zs-waitsources)"
        "live-matrix-ends-soon-merge-async" "live-matrix-batch-2-merge-multiple-async" "live-matrix-port-(merge-diffusive|baseline-single)"
        "live-matrix-(five-groups|hypercube-.*|mixed-async|oversubscribed|release-.*|root-.*|ts-.*|uneven-nodes|world-of-zombies|zs-all-there)"
        "live-matrix-move-(.*-many|random-5|shared-refused-merge)")
nereus_long("the same steps fail by other methods: live-faults looks at all" "live-fails-steps-.*"
    BUT "live-fails-steps-merge(|-2-4|-single|-async|-launch|-diffusive|-ss|-zs|-ts|-wake-and-spawn)"
        "live-fails-steps-baseline(|-3-2|-single|-diffusive-async)" "live-fails-steps-baseline-intra-launch-async"
        "live-fails-steps-(merge-coll-thread|merge-zs-p2p-waitsources|merge-async-ts-releasing|baseline-p2p-thread|baseline-intra-coll-waittargets)")
nereus_long("the same loss by another method, at another step or over the other network module" "live-fails-soon-.*"
    BUT "live-fails-soon-merge-(dies-quietly|dies-in|few-processes|killed)"
        "live-fails-soon-(baseline-hypercube|merge-diffusive-async)-(dies-after|no-answer|killed)"
        "live-fails-soon-merge-launch-(p2p|coll|rma|shared)-(lost-.*|source-killed)"
        "live-fails-soon-merge-launch-(p2p-waitsources-lost-look-1|coll-thread-lost-agree-2|lost-commit|coll-zombie-lost-redistribute-3)"
        "live-fails-soon-merge-launch-(coll-ofi-lost-merge-3|rma-ofi-lost-window-3|async-shared-thread-lost-redistribute-3)"
        "live-fails-soon-baseline-(launch-p2p-lost-agree-3|intra-launch-rma-lost-agree-3|launch-coll-thread-ofi-lost-statement-3)")
nereus_long("the same, seconds of waiting for a connection" "live-fails-soon-merge-launch-rma-lost-(opening|closing|merging)-.*")
nereus_long("the same failure of another method" "live-fails-(merge|baseline)-.*-(dies-.*|missing|commit-.*|disconnect-.*|terminate-.*|sleep-.*)"
    "live-fails-(open-dies|zs|thread)-.*"
    BUT "live-fails-merge-(diffusive|launch-async)-(dies-before|missing)" "live-fails-merge-(ss-disconnect-1|ts-terminate-2|zs-sleep-3)"
        "live-fails-baseline-(launch|intra)-disconnect-.*" "live-fails-merge-launch-(commit-0|dies-killed|dies-in|dies-after)"
        "live-fails-open-dies-(before|killed)" "live-fails-zs-waitsources-.*" "live-fails-thread-0-merge-async-overlap"
        "live-fails-thread-1-baseline-overlap")
nereus_long("pairs of a distribution and an overlap: live-data looks at all" "live-data-.*"
    BUT "live-data-(coll|p2p|rma|shared)" "live-data-(coll-waitsources|shared-waittargets)-keep" "live-data-(p2p|rma)-weighted"
        "live-data-rma-thread")
nereus_long("other numbers of values" "live-program-nereus-(heat|heat-fortran)-.*-(3|203)" "live-program-nereus-tiles-.*-203"
    "live-program-wave-.*-24" "live-program-atoms-.*-3" BUT "live-program-nereus-heat-merge-coll-3" "live-program-(wave|atoms)-merge-coll-(24|3)")
nereus_long("other programs and rows move data in these ways" "live-program-(wave|atoms)-merge-(rma|coll-keep)-5" "live-program-(wave|atoms)-baseline-intra-rma-keep-5"
    "live-program-start-few-.*" "live-program-nereus-tiles-merge-(async-p2p|coll-waittargets)" "live-program-(wave|atoms)-merge-coll-thread"
    BUT "live-program-start-few-merge-coll")
nereus_long("a chain of sizes shows the same restarts" "live-restart-(wave|atoms)-3-1" "live-restart-cg-2-3")
if(NEREUS_HAVE_FORTRAN)
    nereus_long("the same program in C has them" "live-program-nereus-heat-fortran-.*-41"
        BUT "live-program-nereus-heat-fortran-(merge-coll|baseline-p2p|merge-shared-keep)-41")
    if(NEREUS_SANITIZE)
        nereus_long("a compiler looks at the module, which is that of the build release" "fortran-target")
    endif()
endif()
if(CMAKE_CXX_COMPILER)
    nereus_long("the same program in C has them" "live-program-nereus-heat-cpp-.*"
        BUT "live-program-nereus-heat-cpp-(merge-coll|baseline-p2p|merge-shared-keep)-41")
endif()
nereus_long("the same bound on memory by another method; unit tests hold it, too" "live-kinds-kept-[0-9]+" "live-kinds-memory-.*"
    BUT "live-kinds-memory-merge-(p2p|shared)")
nereus_long("other seeds, other solvers, other ways to move" "live-kinds-walk-2" "live-check-walk-3" "live-jacobi-.*" "live-(baseline|merge)-p2p-.*"
    "live-cg-matrix-(chain|points)" "live-trace-(merge|baseline)-p2p-.*" "live-restart-(cg-matrix|jacobi|heat|epidemic)-2-3"
    BUT "live-jacobi-(parallel|few-rows|thread|async)")
nereus_long("the same loss, and over the other network module" "live-launch-.*-ofi" "live-mover-fails-.*" "live-lives-after-.*-(baseline|merge)-coll"
    BUT "live-launch-(good|kill-rank)-ofi" "live-mover-fails-.*-merge-coll" "live-mover-fails-(move|prepare)-1-baseline-p2p")
nereus_long("the same check of another call" "live-handles-kept-(split|cart|node|ring)")
nereus_long("the same hang at another process" "live-hangs-(bcast|dup|init|early|early-root|early-alone|points-root|forgets)"
    "hosts-hangs-points")
nereus_long("other moments of the same signal" "live-ends-interrupted-int-one-after-(10|30|60|150|250|700)-ms")
nereus_long("the same on this machine, or over the other network module" "hosts-(ucx|ofi)-.*"
    BUT "hosts-ofi-(merge-coll-2|baseline-coll|merge-ss-coll|merge-zs-coll|merge-ts-coll)-.*" "hosts-ofi-(merge-diffusive-coll-1-6-2|baseline-intra-launch-async-coll-.*)"
        "hosts-ofi-merge-launch-coll-.*" "hosts-ucx-(merge-p2p|merge-single-coll|merge-multiple-ss-coll|merge-diffusive-async-coll)-.*"
        "hosts-ucx-(baseline-launch-coll|baseline-intra-coll|baseline-async-coll|merge-async-zs-coll)-.*"
        "hosts-ucx-(baseline-hypercube-coll-2-6-2|merge-binomial-coll-1-6-2|merge-launch-async-ss-coll-4-3-2|merge-async-ts-coll-1-4-3-4-1)")
nereus_long("seconds of waiting: a host that does not answer is everyday in hosts-survived-silent, a namespace in all hosts rows"
    "hosts-survived-cut" "hosts-self")
nereus_long("a host that says nothing, or later, by merge is an everyday row" "hosts-(silent|later)-.*" BUT "hosts-silent-merge" "hosts-later-merge")
if(NEREUS_SANITIZE)
    nereus_long("what a sanitizer sees of these is in the other cli tests" "cli-doctor" "cli-start-up" "cli-children" "cli-options"
        "cli-manuals" "cli-docs" "cli-simulate" "cli-pictures" "cli-calibrate" "cli-sam-live" "cli-live" "cli-predict" "cli-map" "cli-workload"
        "cli-twin" "cli-tree" "cli-compare" "cli-broker" "cli-slurm" "cli-texts" "cli-streams" "cli-advise" "cli-plan" "cli-policy"
        "cli-policy-live" "cli-convert" "cli-fit" "cli-simulate-failures")
endif()
if(NOT NEREUS_MPI) # the preset no-mpi, beside a build with MPI
    nereus_long("the same code as where there is an MPI" "cli-children" "cli-simulate.*" "cli-manuals" "cli-workload" "cli-pictures" "cli-broker"
        "cli-slurm" "cli-sacct" "cli-tree" "cli-texts" "cli-convert" "cli-map" "cli-policy" "cli-streams" "cli-fit" "cli-compare" "cli-trace" "cli-top"
        "cli-report" "cli-checkpoints" "cli-unequal" "cli-profile")
endif()
if(NEREUS_SANITIZE OR NOT NEREUS_MPI)
    nereus_long("scripts and sources, which are those of every build" "rooms.*" "setup-find-.*" "setup-arguments" "cli-clear-shm" "cli-malleable-lines"
        "cli-comparator")
endif()
if(NEREUS_HAVE_MPI AND NOT NEREUS_SANITIZE)
    nereus_long("each process starts an interpreter: one row of each kind, by one method" "python-.*"
        BUT "python-(arrays|stale|grids|items|loops|nested|restart|exception|ended|first|heat|cg|start|page)")
endif()
nereus_long("on MPICH other rows show it" "hosts-each-mpi")
nereus_long("a minute of waiting for Slurm" "hosts-workload" "cli-latencies")
if(NEREUS_SANITIZE MATCHES "address")
    nereus_long("the thread sanitizer looks at it" "predict-threads")
endif()
if(NEREUS_SANITIZE STREQUAL "thread")
    nereus_long("the same thread by merge-async, baseline-intra-diffusive-async and merge-coll-thread; how they end first is everyday"
        "threads-(merge|baseline)-single-async" "threads-merge-(multiple|diffusive|launch)-async" "threads-baseline-async")
    nereus_long("half a minute; the threads of redistributions are everyday, and live-asked-moves" "threads-asked-(moves|gains)")
endif()
nereus_long("a row that sleeps, and not a core that is shared, shows the same" "live-measured-neighbour"
    "live-epidemic-one-three")
nereus_long("the same with few changes" "live-cg-balance-200" "live-jacobi-balance")
nereus_long("live-monitor-sizes and -told show the same code" "live-monitor-(respawned|zombies|unchanged|asynchronous|seconds|one|cpu-time)"
    "live-monitor-(papi-init|papi-event|papi-start|papi-old|uncounted|instructions)")
if(NEREUS_HAVE_MPI)
    if(NOT NEREUS_SANITIZE)
        nereus_long("it installs programs from a package index" "cli-foreign")
        nereus_long("half a minute in which FFTW's MPI part is built" "live-fftw-.*")
        nereus_long("the other benches show that their parts work" "bench-(data|overlap|turns|restart|links|hosts|apps|oracle)")
        nereus_long("on the MPI of the build cli-calibrate and cli-live show the same" "cli-each-mpi")
        nereus_long("two calibrations; cli-calibrate shows the rest, the unit tests the start of a program" "cli-start-up")
    endif()
    nereus_long("several jobs each; cli-twin, hosts-spread and cli-study show the same code"
        "bench-(twin|stages)" "hosts-study")
    nereus_long("solvers that are balanced are in live-cg-balance and live-measured-slow, too" "bench-balance")
endif()
# What they show is looked at by cli-report and cli-study, too.
nereus_long("a real browser, and six jobs that are killed and interrupted" "cli-page" "cli-study-runs")
nereus_long("who asks is answered in live-asked-moves and live-asked-refuses, too" "live-asked-(returns|seldom)" "hosts-asked")
nereus_long("nodes come and go in live-asked-gains and live-layout-gains, too" "live-asked-allocated" "hosts-offered" "live-layout-gain-fails")
nereus_long("ten minutes of a cluster" "hosts-slurm-broker")
nereus_long("seconds of waiting, and other rows of the same kind are everyday" "live-flat" "live-lives-limit" "live-check-apart"
    "live-ends-guard-killed-spawned" "live-launch-refused-mpiexec-zero" "live-checkpoint-(busy|interval|overlapped)" "live-cg-instructions")
nereus_long("a job that Slurm queues again: hosts-requeued-limit" "hosts-requeued-(steps|real|late|more|requeue|preempted|graceful|anew|node|killed)")
nereus_long("allocations that are ended: added ones are in hosts-slurm-sizes" "hosts-slurm-(several|cancelled|lost)")
