# The parts of nereus calibrate that need no MPI: its grid and order, and reading traces. Their files are the command's own.
foreach(name calibrate_grid trace)
    string(REPLACE "_" "-" test ${name})
    nereus_add_unit_test(test-predictor-${test}
        SOURCES calibration_${name}.c ${PROJECT_SOURCE_DIR}/predictor/${name}.c
        LINK nereus-model PkgConfig::jansson m)
    if(TARGET test-predictor-${test})
        target_include_directories(test-predictor-${test} PRIVATE ${PROJECT_SOURCE_DIR}/predictor)
    endif()
endforeach()
