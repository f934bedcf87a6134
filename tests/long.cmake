# What `./setup test` leaves to `./setup test --all`: rows that take long, and rows that repeat what another row shows. They have the label
# `long`, which the test presets exclude, and are made and counted as all others: live-methods, live-data, live-faults and hosts-methods look at
# all rows, and every method is in an everyday row, too.

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

# nereus_long(WHY REGEX...): these rows.
function(nereus_long why)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(regex IN LISTS ARGN)
        set(rows ${tests})
        list(FILTER rows INCLUDE REGEX "^(${regex})$")
        if(NOT rows AND NEREUS_HAVE_MPI AND NEREUS_TESTS)
            message(FATAL_ERROR "tests/long.cmake: no test is called ${regex} (${why})")
        endif()
        foreach(row IN LISTS rows)
            set_property(TEST ${row} APPEND PROPERTY LABELS long)
        endforeach()
    endforeach()
endfunction()

# What the network module has to do with is in everyday rows over ofi: the worlds that are merged, let in by a port, or left, and a tree.
nereus_long("a bound on memory that unit tests hold, too" "live-kinds-kept-[0-9]+")
nereus_long("the same over ucx, and their kind over ofi"
    "hosts-ofi-(merge|baseline|baseline-intra)-(single|multiple|hypercube|binomial)-coll-.*"
    "hosts-ofi-baseline-intra-(diffusive|launch)-coll-.*" "hosts-ofi-(merge|baseline)-diffusive-coll-1-4-3"
    "hosts-ofi-merge-(multiple|hypercube|diffusive|binomial)-ss-coll-.*"
    "hosts-ofi-(merge|baseline|baseline-intra)-p2p-.*"
    "hosts-ofi-(merge-single|merge-diffusive|baseline)-async-coll-.*"
    "hosts-ofi-merge-coll-1-4-3-1-3" "live-fails-soon-merge-launch-rma-lost-(opening|closing)-ofi")
nereus_long("the same on this machine, and beside the application on several hosts by merge, launch, diffusive, ss, zs and ts"
    "hosts-ucx-merge-(single|multiple|hypercube|binomial)-async-coll-.*"
    "hosts-ucx-baseline-(single|multiple|hypercube|diffusive|binomial)-async-coll-.*"
    "hosts-ucx-baseline-intra-(single|multiple|hypercube|diffusive|binomial)-async-coll-.*"
    "hosts-ucx-merge-(multiple|hypercube|diffusive|binomial)-async-ss-coll-.*")
if(NEREUS_SANITIZE)
    nereus_long("what a sanitizer sees of these is in the other cli tests" "cli-doctor" "cli-start-up" "cli-children" "cli-manuals" "cli-docs"
        "cli-simulate" "cli-pictures" "cli-calibrate" "cli-sam-live" "cli-live" "cli-predict" "cli-map"
        "cli-workload" "cli-twin")
    nereus_long("a shell script" "setup-find-mpi")
endif()
if(NOT NEREUS_HAVE_MPI)
    nereus_long("the same code as where there is an MPI" "cli-children" "cli-simulate" "cli-manuals" "setup-find-mpi"
        "cli-workload" "cli-pictures")
endif()
nereus_long("half a minute of waiting for Slurm" "hosts-workload")
# A step between two worlds is the same code for each strategy.
nereus_long("the same failure by merge, by a tree with -async, and by baseline-hypercube"
    "live-fails-soon-merge-(single|multiple|diffusive)-(dies-in|dies-after|killed|no-answer)"
    "live-fails-soon-(merge-multiple|baseline-hypercube)-few-processes" "live-fails-merge-dies-(in|after|killed)"
    "live-fails-merge-diffusive-async-dies-(in|after|killed)"
    "live-fails-merge-(single|multiple)-(missing|dies-before)")
nereus_long("the same faults and hosts by merge-binomial, and by hypercube with these processes"
    "live-fails-steps-(baseline-binomial|baseline-binomial-async|merge-binomial-ss)"
    "hosts-ucx-(baseline|baseline-intra)-binomial-coll-.*")
nereus_long("the same steps as by diffusive, single and launch: a tree's own part is in live-matrix and in the tests of plans"
    "live-fails-steps-(merge|baseline)-(multiple|hypercube|binomial)(-async)?" "live-fails-steps-merge-(multiple|hypercube)-ss")
nereus_long("the same failure by another method, the same window's other end, or with a launcher that ends late"
    "live-fails-soon-merge-no-answer" "live-fails-soon-merge-diffusive-(few-processes|slow-start)"
    "live-fails-soon-merge-launch-rma-lost-(merging-ofi|closing-ucx)" "live-fails-soon-merge-launch-p2p-source-killed-late")
nereus_long("the same over ucx, and launched processes over ofi in live-launch-good-ofi" "live-launch-(idle|fail|connect-sleeps)-ofi")
nereus_long("the same moves without an overlap, and the same overlaps with blocks"
    "live-data-(p2p|coll|rma|shared)-(waitsources|waittargets|thread)-weighted" "live-data-(p2p|coll|rma|shared)-thread-keep")
if(NEREUS_SANITIZE STREQUAL "thread")
    nereus_long("the same thread by merge-async, merge-multiple-async, baseline-async and baseline-intra-diffusive-async; how they end first is everyday"
        "threads-(merge|baseline)-single-async" "threads-merge-(diffusive|launch)-async")
endif()
nereus_long("the default, which all other rows connect by" "live-matrix-bridge-.*")
nereus_long("the same by merge-async, merge-diffusive-async and merge-launch-async"
    "live-matrix-(busy|test-every-3)-merge-(single|multiple)-async"
    "live-matrix-ends-(first|soon)-(merge-single|merge-multiple|baseline-hypercube|baseline-intra)-async"
    "live-matrix-ends-soon-(merge-async-ss|baseline-launch-async)")
nereus_long("a row that sleeps, and not a core that is shared, shows the same" "live-measured-neighbour"
    "live-epidemic-one-three")
nereus_long("the same with few changes" "live-cg-balance-200" "live-jacobi-balance")
nereus_long("other seeds" "live-matrix-move-random-(29|100)" "live-kinds-walk-2")
nereus_long("the same solver's matrix, and the other solver" "live-cg-matrix-(chain|points)" "live-jacobi-(one-sided|points|intra)")
nereus_long("live-monitor-sizes and -told show the same code" "live-monitor-(respawned|zombies|unchanged|asynchronous|seconds|one|cpu-time)"
    "live-monitor-(papi-init|papi-event|papi-start|papi-old|uncounted|instructions)")
if(NEREUS_HAVE_MPI)
    if(NOT NEREUS_SANITIZE)
        nereus_long("it installs programs from a package index" "cli-foreign")
    endif()
    nereus_long("several jobs each; cli-twin, hosts-spread and cli-study show the same code"
        "bench-(twin|stages)" "hosts-study")
    nereus_long("solvers that are balanced are in live-cg-balance and live-measured-slow, too" "bench-balance")
endif()
# What they show is looked at by cli-report and cli-study, too.
nereus_long("a real browser, and six jobs that are killed and interrupted" "cli-page" "cli-study-runs")
nereus_long("who asks is answered in live-asked-moves and live-asked-refuses, too" "live-asked-(returns|seldom)" "hosts-asked")
nereus_long("nodes come and go in live-asked-gains and live-layout-gains, too" "live-asked-allocated" "hosts-offered" "live-layout-gain-fails")
nereus_long("a host that says nothing, by merge and by merge-launch, is an everyday row" "hosts-silent-(merge-async|baseline-single)")
nereus_long("ten minutes of a cluster" "hosts-slurm-broker")
nereus_long("allocations that are ended: added ones are in hosts-slurm-sizes" "hosts-slurm-(several|cancelled)")
