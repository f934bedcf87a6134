# Which room of the source tree may include which (arrows.txt), and who calls whom (circles.txt).
if(NEREUS_TESTS)
    add_test(NAME rooms COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/rooms.sh" "${PROJECT_SOURCE_DIR}")
    add_test(NAME rooms-calls COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/circles.sh" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    set_tests_properties(rooms rooms-calls PROPERTIES LABELS cli TIMEOUT 60)
endif()
