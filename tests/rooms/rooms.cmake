# Which room of the source tree may include which: arrows.txt.
if(NEREUS_TESTS)
    add_test(NAME rooms COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/rooms.sh" "${PROJECT_SOURCE_DIR}")
    set_tests_properties(rooms PROPERTIES LABELS cli TIMEOUT 60)
endif()
