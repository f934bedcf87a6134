# Data of every kind, cut in every way: kinds.c checks all of it after each reconfiguration (its head names the words).
if(NEREUS_HAVE_MPI)
    nereus_add_program(kinds SOURCES ${CMAKE_CURRENT_LIST_DIR}/kinds.c LINK nereus-runtime NO_INSTALL)
endif()
