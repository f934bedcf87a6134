# Which room of the source tree may include which (includes.txt), who calls whom (circles.txt), and how many parameters
# functions have (parameters.txt).
if(NEREUS_TESTS)
    add_test(NAME rooms COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/rooms.sh" "${PROJECT_SOURCE_DIR}")
    add_test(NAME rooms-calls COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/circles.sh" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    add_test(NAME rooms-parameters COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/parameters.sh" "${PROJECT_SOURCE_DIR}")
    set_tests_properties(rooms rooms-calls rooms-parameters PROPERTIES LABELS cli TIMEOUT 60)
endif()
