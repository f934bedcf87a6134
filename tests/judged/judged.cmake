# Predictions held against what the papers' authors measured: a program without MPI. Sanitizers
# would make minutes of it, and have the same code in the unit tests.
if(NEREUS_TESTS AND NOT NEREUS_SANITIZE)
    file(GLOB judged_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
    find_package(GSL REQUIRED)
    add_executable(nereus-judged ${judged_sources})
    target_link_libraries(nereus-judged PRIVATE nereus-fit nereus_common GSL::gsl m)
    set(judged_data ${PROJECT_SOURCE_DIR}/tests/unit/data)
    add_test(NAME judged COMMAND nereus-judged ${judged_data}/spawning_tables_1_to_4.csv ${judged_data}/parallel_mn5.csv
             ${judged_data}/parallel_nasp.csv ${judged_data}/nasp.hosts
             ${judged_data}/redistribution_uji8.csv)
    set_tests_properties(judged PROPERTIES LABELS unit TIMEOUT 240)
endif()
