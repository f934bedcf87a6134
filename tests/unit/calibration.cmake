# The parts of nereus calibrate that need no MPI: its grid, its order, how sure a median is, and reading traces. Their files are
# the command's own.
foreach(name calibrate_grid calibrate_interval calibrate_order trace)
    string(REPLACE "_" "-" test ${name})
    set(sources)
    foreach(part calibrate_grid calibrate_interval calibrate_order calibrate_rows)
        if(name MATCHES calibrate)
            list(APPEND sources ${PROJECT_SOURCE_DIR}/predictor/${part}.c)
        endif()
    endforeach()
    if(NOT name MATCHES calibrate)
        list(APPEND sources ${PROJECT_SOURCE_DIR}/predictor/${name}.c)
    endif()
    nereus_add_unit_test(test-predictor-${test}
        SOURCES calibration_${name}.c ${sources}
        LINK nereus-model PkgConfig::jansson m)
    if(TARGET test-predictor-${test})
        target_include_directories(test-predictor-${test} PRIVATE ${PROJECT_SOURCE_DIR}/predictor)
    endif()
endforeach()

nereus_add_unit_test(test-calibration-beside
    SOURCES calibration_beside.c ${PROJECT_SOURCE_DIR}/calibration/beside.c LINK m)
if(TARGET test-calibration-beside)
    target_include_directories(test-calibration-beside PRIVATE ${PROJECT_SOURCE_DIR}/calibration)
endif()
