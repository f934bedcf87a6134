# Predictions as a scheduler asks for them, from a profile of whole reconfigurations and from one of
# a calibration: without an allocation, by several threads. No Criterion, so that the thread
# sanitizer can look on (label threads).
if(NEREUS_TESTS)
    nereus_add_program(scheduler SOURCES ${CMAKE_CURRENT_LIST_DIR}/predict/scheduler.c LINK nereus-model Threads::Threads NO_INSTALL)
    set(profiles ${PROJECT_SOURCE_DIR}/tests/cli/data/profile.json ${CMAKE_CURRENT_LIST_DIR}/data/calibrated.json)
    foreach(check IN ITEMS allocations threads)
        add_test(NAME predict-${check} COMMAND scheduler ${check} ${profiles})
        set_tests_properties(predict-${check} PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
    endforeach()
    if(NEREUS_SANITIZE STREQUAL "thread")
        set_tests_properties(predict-threads PROPERTIES LABELS threads)
    endif()
endif()
