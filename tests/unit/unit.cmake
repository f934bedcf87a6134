# Every test_NAME.c in a room of this folder (as those of model/) is one Criterion program without
# MPI. The folders predictor, sam and calibration link the library of the folder that they test.
set(unit_link_predictor nereus-predictor)
set(unit_link_sam nereus-synthetic nereus-solver)
set(unit_link_calibration nereus-calibration)
file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/test_*.c)
foreach(source IN LISTS unit_sources)
    get_filename_component(name ${source} NAME_WE)
    cmake_path(GET source PARENT_PATH room)
    cmake_path(GET room FILENAME room)
    string(REPLACE "_" "-" name ${name})
    nereus_add_unit_test(${name} SOURCES ${source} LINK nereus-model nereus-fit nereus-policy nereus-simulate nereus-ini ${unit_link_${room}} PkgConfig::gsl PkgConfig::jansson PkgConfig::zlib m)
endforeach()
