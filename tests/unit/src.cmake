# The parts of the runtime that need no MPI: what goes to whom when data moves.
set(src ${PROJECT_SOURCE_DIR}/src)
nereus_add_unit_test(test-src-traffic SOURCES src_traffic.c ${src}/traffic.c ${src}/rank_map.c ${src}/registry.c
                     ${src}/cuts.c ${src}/custom.c ${src}/sparse.c
                     LINK nereus-model)
if(TARGET test-src-traffic)
    target_include_directories(test-src-traffic PRIVATE ${src})
endif()
