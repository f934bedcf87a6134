# MPI objects of the application's own over changes of size: 2 processes become 4, 2 and 3 (docs/application.md, "MPI objects").
if(NEREUS_HAVE_MPI)
    nereus_add_program(handles SOURCES ${CMAKE_CURRENT_LIST_DIR}/handles.c ${CMAKE_CURRENT_LIST_DIR}/handle_kinds.c
                       LINK nereus-runtime NO_INSTALL)
    # Processes that leave sleep, end with their world, or all end; which one is last.
    foreach(row IN ITEMS "zombies merge/coll merge/coll" "ended merge/p2p merge-ts/coll" "baseline baseline/p2p baseline/coll"
                         "launch merge-launch/coll merge-ts/coll")
        string(REPLACE " " ";" words "${row}")
        list(POP_FRONT words name)
        foreach(where IN ITEMS after resized)
            nereus_add_live_test(live-handles-${name}-${where} PROGRAM handles NP 2 ARGS all ${where} ${words} TIMEOUT 40)
        endforeach()
    endforeach()
endif()
