# Also included by tests/unit/sam.cmake, where there may be no MPI and this folder is not built.
set(sam_sources_without_mpi "")
foreach(name bundle compute config data keys reader results trace_rt)
    list(APPEND sam_sources_without_mpi "${CMAKE_CURRENT_LIST_DIR}/${name}.c")
endforeach()
# One way to read 64MB, here and on the command line of nereus.
list(APPEND sam_sources_without_mpi "${CMAKE_CURRENT_LIST_DIR}/../predictor/values.c")
set(cg_sources_without_mpi ${CMAKE_CURRENT_LIST_DIR}/sparse.c ${CMAKE_CURRENT_LIST_DIR}/matrix_market.c)
set(jacobi_sources_without_mpi ${CMAKE_CURRENT_LIST_DIR}/dense.c)
