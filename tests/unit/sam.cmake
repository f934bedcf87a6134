# The parts of the synthetic application that need no MPI, compiled into its tests.
include(${PROJECT_SOURCE_DIR}/sam/sources.cmake)
nereus_add_unit_test(test-sam SOURCES sam_config.c sam_parts.c ${sam_sources_without_mpi}
                     LINK nereus-model PkgConfig::inih PkgConfig::jansson PkgConfig::gsl m)
if(TARGET test-sam)
    target_include_directories(test-sam PRIVATE ${PROJECT_SOURCE_DIR}/sam ${PROJECT_SOURCE_DIR}/predictor)
endif()
