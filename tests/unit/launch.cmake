nereus_add_unit_test(test-launch-line SOURCES launch_line.c ${PROJECT_SOURCE_DIR}/src/launch_line.c)
if(TARGET test-launch-line)
    target_include_directories(test-launch-line PRIVATE ${PROJECT_SOURCE_DIR}/src)
endif()
