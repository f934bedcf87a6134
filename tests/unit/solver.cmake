# The parts of the solvers that need no MPI: rows of matrices, and Matrix Market files.
include(${PROJECT_SOURCE_DIR}/sam/sources.cmake)
nereus_add_unit_test(test-solver SOURCES solver_parts.c ${cg_sources_without_mpi} ${jacobi_sources_without_mpi}
                     LINK nereus-model m)
if(TARGET test-solver)
    target_include_directories(test-solver PRIVATE ${PROJECT_SOURCE_DIR}/sam)
endif()
