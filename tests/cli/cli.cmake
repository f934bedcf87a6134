# The `nereus` command as a user or a script sees it. lib.sh has what the scripts share.
foreach(name comparator options fit predict plan tree streams children judged clear-shm)
    string(REPLACE "-" "_" script ${name})
    nereus_add_cli_test(cli-${name} SCRIPT ${script}.sh)
endforeach()
nereus_add_cli_test(cli-map SCRIPT map.sh TIMEOUT 120)
nereus_add_cli_test(cli-live SCRIPT live.sh MPI TIMEOUT 180)

# Parts of the command, without the command.
set(predictor "${PROJECT_SOURCE_DIR}/predictor")
nereus_add_unit_test(test-values SOURCES test_values.c ${predictor}/values.c LINK nereus-model m)
nereus_add_unit_test(test-shared-files SOURCES test_shared_files.c ${predictor}/shared_files.c)
nereus_add_unit_test(test-output SOURCES test_output.c ${predictor}/output.c LINK PkgConfig::jansson m)
nereus_add_unit_test(test-progress SOURCES test_progress.c ${predictor}/progress.c)
nereus_add_unit_test(test-tree-shape SOURCES test_tree_shape.c ${predictor}/tree_shape.c LINK nereus-model m)
set(compared ${predictor}/comparison.c ${predictor}/summary.c ${predictor}/statistics.c
    ${predictor}/priced_plan.c ${predictor}/priced_plan_print.c ${predictor}/plan_transfer.c ${predictor}/tree_print.c ${predictor}/tree_shape.c
    ${predictor}/scenario.c ${predictor}/output.c
    ${predictor}/values.c ${predictor}/trace.c)
nereus_add_unit_test(test-comparison SOURCES test_comparison.c ${compared} LINK nereus-model PkgConfig::jansson m)
nereus_add_unit_test(test-judgement SOURCES test_judgement.c ${compared} ${predictor}/judgement.c ${predictor}/choices.c
    ${predictor}/held_out.c ${predictor}/live_store.c LINK nereus-model PkgConfig::jansson m)
foreach(name test-values test-shared-files test-progress test-output test-tree-shape test-comparison test-judgement)
    if(TARGET ${name})
        target_include_directories(${name} PRIVATE ${predictor})
    endif()
endforeach()
