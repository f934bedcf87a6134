# Every test_NAME.c in a room of this folder (as those of model/) is one Criterion program without
# MPI. The folders predictor, sam and calibration link the library of the folder that they test; judged
# compiles the files that it tests. The folder src has its own list (src.cmake).
set(unit_link_predictor nereus-predictor)
set(unit_link_sam nereus-synthetic nereus-solver)
set(unit_link_calibration nereus-calibration)
set(unit_sources_judged ${PROJECT_SOURCE_DIR}/tests/judged/choices.c ${PROJECT_SOURCE_DIR}/tests/judged/guess.c
                        ${PROJECT_SOURCE_DIR}/tests/judged/scores.c)
file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/test_*.c)
list(FILTER unit_sources EXCLUDE REGEX "/unit/src/[^/]*$")
foreach(source IN LISTS unit_sources)
    get_filename_component(name ${source} NAME_WE)
    cmake_path(GET source PARENT_PATH room)
    cmake_path(GET room FILENAME room)
    string(REPLACE "_" "-" name ${name})
    nereus_add_unit_test(${name} SOURCES ${source} ${unit_sources_${room}} LINK nereus-model nereus-fit nereus-policy nereus-simulate ${unit_link_${room}} PkgConfig::gsl PkgConfig::jansson m)
endforeach()
# The files that stand in for a library, also where it is there.
set(model "${PROJECT_SOURCE_DIR}/model")
if(zlib IN_LIST NEREUS_LIBRARIES)
    nereus_add_unit_test(test-crc32-without-zlib SOURCES util/test_crc32.c ${model}/util/crc32_without_zlib.c)
endif()
if(glpk IN_LIST NEREUS_LIBRARIES)
    nereus_add_unit_test(test-mix-without-glpk SOURCES policy/test_mix.c ${model}/policy/mix.c ${model}/policy/mix_value.c ${model}/policy/mix_without_glpk.c
                         LINK nereus-model m)
endif()
