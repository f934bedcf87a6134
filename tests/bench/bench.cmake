# Not tests: `cmake --build build/release --target bench` prints the tables of docs/measured.md.
if(NEREUS_HAVE_MPI)
    nereus_add_program(bare SOURCES ${CMAKE_CURRENT_LIST_DIR}/bare.c LINK nereus_mpi NO_INSTALL)
    nereus_add_program(empty SOURCES ${CMAKE_CURRENT_LIST_DIR}/empty.c LINK nereus_mpi NO_INSTALL)
    nereus_add_program(bench-job SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_job.c LINK nereus-runtime NO_INSTALL)
    nereus_add_program(point-cost SOURCES ${CMAKE_CURRENT_LIST_DIR}/point_cost.c LINK nereus-runtime NO_INSTALL)
    add_custom_target(bench COMMAND ${CMAKE_CURRENT_LIST_DIR}/bench.sh ${PROJECT_BINARY_DIR}
                      DEPENDS bare empty bench-job point-cost nereus-guard nereus-guard-join nereus-supervise USES_TERMINAL)
endif()
