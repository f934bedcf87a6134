# Which room of the source tree may include which (includes.txt), who calls whom (circles.txt), how
# many parameters functions have (parameters.txt), what the comments of public headers say
# (headers.awk), and whether the names in comments exist (names.sh).
if(NEREUS_TESTS)
    add_test(NAME rooms COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/rooms.sh" "${PROJECT_SOURCE_DIR}")
    add_test(NAME rooms-calls COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/circles.sh" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    add_test(NAME rooms-parameters COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/parameters.sh" "${PROJECT_SOURCE_DIR}")
    file(GLOB headers "${PROJECT_SOURCE_DIR}/src/include/nereus/*.h" "${PROJECT_SOURCE_DIR}/model/include/nereus/*.h")
    add_test(NAME rooms-headers COMMAND awk -f "${CMAKE_CURRENT_LIST_DIR}/headers.awk" ${headers})
    add_test(NAME rooms-names COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/names.sh" "${PROJECT_SOURCE_DIR}")
    set_tests_properties(rooms rooms-calls rooms-parameters rooms-headers rooms-names PROPERTIES LABELS cli TIMEOUT 60)
endif()
