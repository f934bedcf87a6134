# Not tests: `cmake --build build/release --target bench-methods` and its like write the tables of
# build/release/bench. README.md has them all. Once through each, with one sample a case, is a
# test of label bench.
nereus_add_program(predict-speed SOURCES ${CMAKE_CURRENT_LIST_DIR}/predict_speed.c LINK nereus-model NO_INSTALL)
if(NEREUS_HAVE_MPI)
    nereus_add_program(bare SOURCES ${CMAKE_CURRENT_LIST_DIR}/bare.c LINK nereus_mpi NO_INSTALL)
    nereus_add_program(empty SOURCES ${CMAKE_CURRENT_LIST_DIR}/empty.c LINK nereus_mpi NO_INSTALL)
    nereus_add_program(bench-job SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_job.c LINK nereus-runtime NO_INSTALL)
    # What startup.sh loads before a program's libraries.
    add_library(startup-stamps SHARED ${CMAKE_CURRENT_LIST_DIR}/startup_stamps.c)
    target_link_libraries(startup-stamps PRIVATE nereus_mpi_headers nereus_common)
    set_target_properties(startup-stamps PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    nereus_add_program(bench-checkpoint SOURCES ${CMAKE_CURRENT_LIST_DIR}/checkpoint_job.c LINK nereus-runtime NO_INSTALL)
    nereus_add_program(point-cost SOURCES ${CMAKE_CURRENT_LIST_DIR}/point_cost.c LINK nereus-runtime NO_INSTALL)
    nereus_add_program(cycles SOURCES ${CMAKE_CURRENT_LIST_DIR}/cycles.c LINK nereus_mpi NO_INSTALL)
    nereus_add_program(overlap-job SOURCES ${CMAKE_CURRENT_LIST_DIR}/overlap_job.c ${PROJECT_SOURCE_DIR}/calibration/tasks/loops.c
                       LINK nereus-runtime Threads::Threads NO_INSTALL)
    nereus_add_program(data-job SOURCES ${CMAKE_CURRENT_LIST_DIR}/data_job.c ${CMAKE_CURRENT_LIST_DIR}/data_floor.c
                       ${PROJECT_SOURCE_DIR}/calibration/tasks/loops.c LINK nereus-runtime NO_INSTALL)
    set(helpers nereus-guard nereus-guard-join nereus-supervise)
    add_custom_target(bench COMMAND ${CMAKE_CURRENT_LIST_DIR}/bench.sh ${PROJECT_BINARY_DIR}
                      DEPENDS bare empty bench-job point-cost ${helpers} USES_TERMINAL)
    foreach(name IN ITEMS methods connect overlap data)
        add_custom_target(bench-${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh ${PROJECT_BINARY_DIR}
                          DEPENDS empty bench-job overlap-job data-job ${helpers} USES_TERMINAL)
    endforeach()
    add_custom_target(bench-apps COMMAND ${CMAKE_CURRENT_LIST_DIR}/apps.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cg nereus-cg-plain nereus-jacobi nereus-jacobi-plain ${helpers} USES_TERMINAL)
    add_custom_target(bench-balance COMMAND ${CMAKE_CURRENT_LIST_DIR}/balance.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cg nereus-watch ${helpers} USES_TERMINAL)
    add_custom_target(bench-parts COMMAND ${CMAKE_CURRENT_LIST_DIR}/parts.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli nereus-jacobi ${helpers} USES_TERMINAL)
    add_custom_target(bench-restart COMMAND ${CMAKE_CURRENT_LIST_DIR}/restart.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli nereus-calibrate nereus-calibrate-job bench-job ${helpers} USES_TERMINAL)
    add_custom_target(bench-goals COMMAND ${CMAKE_CURRENT_LIST_DIR}/goals.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-jacobi ${helpers} USES_TERMINAL)
    add_custom_target(bench-turns COMMAND ${CMAKE_CURRENT_LIST_DIR}/turns.sh ${PROJECT_BINARY_DIR}
                      DEPENDS bare bench-job nereus-sam ${helpers} USES_TERMINAL)
    add_custom_target(bench-auto COMMAND ${CMAKE_CURRENT_LIST_DIR}/auto.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli nereus-sam ${helpers} USES_TERMINAL)
    add_custom_target(bench-twin COMMAND ${CMAKE_CURRENT_LIST_DIR}/twin.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli nereus-sam nereus-cg nereus-jacobi nereus-watch ${helpers} USES_TERMINAL)
    add_custom_target(bench-stages COMMAND ${CMAKE_CURRENT_LIST_DIR}/stages.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-sam nereus-calibrate ${helpers} USES_TERMINAL)
    add_custom_target(bench-checkpoints COMMAND ${CMAKE_CURRENT_LIST_DIR}/checkpoint.sh ${PROJECT_BINARY_DIR}
                      DEPENDS bench-checkpoint ${helpers} USES_TERMINAL)
    add_custom_target(bench-startup COMMAND ${CMAKE_CURRENT_LIST_DIR}/startup.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli bare empty bench-job overlap-job startup-stamps ${helpers} USES_TERMINAL)
    add_custom_target(bench-oracle COMMAND ${CMAKE_CURRENT_LIST_DIR}/oracle.sh ${PROJECT_BINARY_DIR}
                      DEPENDS nereus-cli USES_TERMINAL)
    add_custom_target(bench-hosts COMMAND ${CMAKE_CURRENT_LIST_DIR}/methods.sh ${PROJECT_BINARY_DIR} --hosts
                      DEPENDS empty bench-job overlap-job ${helpers} USES_TERMINAL)
    add_custom_target(bench-links COMMAND ${CMAKE_CURRENT_LIST_DIR}/links.sh ${PROJECT_BINARY_DIR} --repeats 1
                      DEPENDS nereus-cli nereus-calibrate nereus-calibrate-job bench-job ${helpers} USES_TERMINAL)
endif()

# nereus_add_bench_test(NAME SCRIPT OPTION...): a script once, briefly, in an empty folder of its
# own.
function(nereus_add_bench_test name script)
    if(NOT NEREUS_TESTS OR NOT NEREUS_HAVE_MPI)
        return()
    endif()
    add_test(NAME bench-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${PROJECT_SOURCE_DIR}/tests/bench/${script}.sh" ${PROJECT_BINARY_DIR}
                --again --repeats 1 --out "${PROJECT_BINARY_DIR}/tests/bench-${name}" ${ARGN})
    set_tests_properties(bench-${name} PROPERTIES LABELS bench TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
endfunction()

nereus_add_bench_test(methods methods --pairs 1:2,2:1 --bytes 8000 --methods "^(merge-(async|launch|ts)|baseline-intra-single)$")
nereus_add_bench_test(connect connect --netmods ucx --methods "^merge-single$")
nereus_add_bench_test(overlap overlap --loops compute --beside "^(nap|spin|merge-single-async)$")
nereus_add_bench_test(checkpoint checkpoint --sizes 9000000 --processes 2 --seconds 0.3)
nereus_add_bench_test(data data --sizes 100000,1000000 --data p2p,shared --kept 2:3)
nereus_add_bench_test(oracle oracle --cells "^8 20 1.17 1.17 33 77")
nereus_add_bench_test(apps apps --processes 2 --iterations 20 --grid 12,12,12 --unknowns 100)
nereus_add_bench_test(balance balance --rows 600 --shorter 50)
nereus_add_bench_test(parts parts --pairs 1:2 --unknowns 100 --iterations 5 --profile ${PROJECT_SOURCE_DIR}/tests/unit/data/calibrated.json)
nereus_add_bench_test(restart restart --pairs 2:1 --sizes 0,8000 --profile ${PROJECT_SOURCE_DIR}/tests/unit/data/calibrated.json)
nereus_add_bench_test(goals goals --goals 25 --unknowns 100 --iterations 20 --interval 5)
nereus_add_bench_test(turns turns --cells "^rt merge/coll 4 2 0")
nereus_add_bench_test(auto auto --pairs 1:2 --sizes 8000 --methods merge --iterations 5 --profile ${PROJECT_SOURCE_DIR}/tests/cli/data/profile.json)
nereus_add_bench_test(twin twin --programs uneven --processes 2 --sizes 15 --iterations 30 --changes 1:2 --methods merge/coll)
nereus_add_bench_test(stages stages --types pi,matrix --times 1 --processes 1)
nereus_add_bench_test(startup startup --cases "^(steps 1 merge-diffusive|start .*) 1 2")
# `hosts` is bound to the folder of hosts that it made; live-run and it take down what is left.
nereus_add_bench_test(hosts methods --hosts --pairs 1:2 --bytes 0 --methods "^merge-diffusive$")
nereus_add_bench_test(links links --rates 300mbit --pairs merge:2:4 --data p2p --sizes 1000000 --profile ${PROJECT_SOURCE_DIR}/tests/unit/data/calibrated.json)
