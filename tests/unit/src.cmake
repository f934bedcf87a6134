# The parts of the runtime that need no MPI: what goes to whom when data moves.
set(src ${PROJECT_SOURCE_DIR}/src/move)
nereus_add_unit_test(test-src-schedule SOURCES src_schedule.c ${src}/schedule.c ${src}/rank_map.c ${src}/registry.c
                     ${src}/partition_table.c ${src}/custom.c ${src}/sparse.c
                     LINK nereus-model)
if(TARGET test-src-schedule)
    target_include_directories(test-src-schedule PRIVATE ${src})
endif()
