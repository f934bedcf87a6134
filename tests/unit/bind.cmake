# Which core a process gets: a part of the runtime that needs no MPI, compiled into its test.
nereus_add_unit_test(test-bind SOURCES bind_place.c ${PROJECT_SOURCE_DIR}/src/start/bind_place.c LINK nereus-model)
if(TARGET test-bind)
    target_include_directories(test-bind PRIVATE ${PROJECT_SOURCE_DIR}/src)
endif()
