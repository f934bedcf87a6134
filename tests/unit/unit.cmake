# Every test_NAME.c in a room of this folder (as those of model/) is one Criterion program without MPI.
file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/test_*.c)
foreach(source IN LISTS unit_sources)
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE "_" "-" name ${name})
    nereus_add_unit_test(${name} SOURCES ${source} LINK nereus-model PkgConfig::gsl m)
endforeach()
