# Huge pages for the parts that a change of size makes: by the profile, and by NEREUS_HUGE_PAGES.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    nereus_add_program(huge_pages SOURCES ${CMAKE_CURRENT_LIST_DIR}/huge_pages.c LINK nereus-runtime NO_INSTALL)
    add_test(NAME live-huge-pages WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
             COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/huge_pages.sh" $<TARGET_FILE:nereus-cli>
                     "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:huge_pages>)
    set_tests_properties(live-huge-pages PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
endif()
