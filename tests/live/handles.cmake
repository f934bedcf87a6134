# MPI objects of the application's own over changes of size: 2 processes become 4, 2 and 3
# (docs/application.md, "MPI objects").
if(NEREUS_HAVE_MPI)
    nereus_add_program(handles SOURCES ${CMAKE_CURRENT_LIST_DIR}/handles.c ${CMAKE_CURRENT_LIST_DIR}/handle_kinds.c LINK nereus-runtime NO_INSTALL)
    # Processes that leave sleep, end with their world, or all end. NEREUS_CHECK=1 finds nothing.
    foreach(row IN ITEMS "zombies merge/coll merge/coll" "ended merge/p2p merge-ts/coll" "baseline baseline/p2p baseline/coll"
                         "launch merge-launch/coll merge-ts/coll")
        string(REPLACE " " ";" words "${row}")
        list(POP_FRONT words name)
        foreach(where IN ITEMS after resized)
            nereus_add_live_test(live-handles-${name}-${where} PROGRAM handles NP 2 ARGS all ${where} ${words}
                                 ENVIRONMENT NEREUS_CHECK=1 ASAN_OPTIONS=verify_asan_link_order=0)
            set_property(TEST live-handles-${name}-${where} PROPERTY FAIL_REGULAR_EXPRESSION "live-run: ;not freed")
        endforeach()
    endforeach()
    # Kept, and made again: memory is lost, and nothing else happens. NEREUS_CHECK=1 names the calls.
    foreach(row IN ITEMS "dup MPI_Comm_dup" "idup MPI_Comm_idup" "graph MPI_Graph_create" "split MPI_Comm_split" "cart MPI_Cart_create" "node MPI_Comm_split_type"
                         "window MPI_Win_allocate" "shared MPI_Win_allocate_shared" "file MPI_File_open"
                         "ring MPI_Send_init, MPI_Recv_init" "sum MPI_Allreduce_init" "gathers MPI_Gather_init, MPI_Allgatherv_init")
        string(REGEX MATCH "^[a-z]+" kind "${row}")
        string(REGEX REPLACE "^[a-z]+ " "" calls "${row}")
        nereus_add_live_test(live-handles-kept-${kind} PROGRAM handles NP 2 ARGS ${kind} after merge/coll merge-ts/coll kept
                             ENVIRONMENT NEREUS_CHECK=1 ASAN_OPTIONS=verify_asan_link_order=0
                             "NEREUS_TEST_SAYS=^nereus: rank .: not freed at the change of size at point 4, made over nereus_comm by (${calls}|.*, ${calls})[:,]")
    endforeach()
    # Never made again, but in processes that join, which wait in that call for the others.
    nereus_add_live_test(live-handles-forgotten PROGRAM handles NP 2 ARGS dup after merge/coll merge/coll forgotten EXPECT 1
                         ENVIRONMENT NEREUS_CHECK=1 NEREUS_WATCHDOG=5s,abort ASAN_OPTIONS=verify_asan_link_order=0
                         "NEREUS_TEST_SAYS=^nereus: rank .: not freed at the change of size at point 2, made over nereus_comm by MPI_Comm_dup: ")
endif()
