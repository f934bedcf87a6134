# The malleable solvers of sam/: each run with changes of size says the same about every iteration
# as one of the program as it was before.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(solver_matrix "${PROJECT_BINARY_DIR}/tests/unbalanced.mtx")
    execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/matrix-market.sh" 40 OUTPUT_FILE "${solver_matrix}"
                    COMMAND_ERROR_IS_FATAL ANY)
    set(solver_script "${CMAKE_CURRENT_LIST_DIR}/solver.sh")

    # nereus_add_solver_test(NAME PROGRAM PROCESSES SCHEDULE SIZE RECONFIGURATIONS ARGS...): see solver.sh.
    function(nereus_add_solver_test name program)
        add_test(NAME live-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 90 0 "${solver_script}" "${NEREUS_MPIEXEC_WRAPPER}"
                    $<TARGET_FILE:${program}> ${ARGN})
        set_tests_properties(live-${name} PROPERTIES LABELS live TIMEOUT 105 RUN_SERIAL ON PROCESSORS 2
                             ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0) # NEREUS_BALANCE loads a library before all others
    endfunction()

    # Schedules: processes at first, NEREUS_SCHEDULE, processes at the end, reconfigurations.
    set(schedules
        "none            2 9@9999                                                   2 0"
        "2-4             2 4@5                                                      4 1"
        "4-2             4 2@5:merge-zs/p2p                                         2 1"
        "chain           2 4@3,1@6:baseline/p2p,3@9:merge/p2p,2@12                  2 4"
        "intra           3 2@4:baseline-intra/coll,4@8:merge-single/coll            4 2"
        "async           2 4@3:merge-async/coll                                     4 1"
        "parallel        1 3@4:merge-multiple/coll,2@8:merge-ss/p2p                 2 2"
        "cuts            2 4@3:merge/coll-keep,3@6:merge/p2p-weighted,2@9:baseline/p2p-keep 2 3"
        "one-sided       2 4@3:merge/rma,2@6:merge/shared                           2 2"
        "points          2 4@3:merge/p2p-waitsources                                4 1"
        "thread          4 2@3:merge/coll-thread                                    2 1")
    foreach(row IN LISTS schedules)
        string(REGEX REPLACE " +" ";" words "${row}")
        list(POP_FRONT words name)
        nereus_add_solver_test(cg-${name} nereus-cg ${words} --grid 11,9,10)
        nereus_add_solver_test(jacobi-${name} nereus-jacobi ${words} --unknowns 83)
        if(name MATCHES "chain|cuts|points|thread")
            nereus_add_solver_test(cg-matrix-${name} nereus-cg ${words} --matrix ${solver_matrix})
        endif()
    endforeach()
    # At the same size: asked for, by each way to move data; and as the program looks at its load,
    # with powers that differ each time.
    nereus_add_solver_test(cg-same nereus-cg 3 same 3 10 --matrix ${solver_matrix})
    nereus_add_solver_test(cg-balance nereus-cg 3 balance 3 12 --grid 11,9,10 --tolerance 0 --iterations 12)
    nereus_add_solver_test(cg-balance-200 nereus-cg 3 balance 3 200 --matrix ${solver_matrix} --tolerance 0 --iterations 200)
    nereus_add_solver_test(jacobi-balance nereus-jacobi 4 balance 4 9 --unknowns 83 --tolerance 0 --iterations 9)
    # In Fortran: matrices of the module nereus, by a program that uses the module mpi_f08.
    if(NEREUS_HAVE_MPI_FORTRAN)
        nereus_add_solver_test(cg-fortran-chain nereus-cg-fortran 2 4@3,1@6:baseline/p2p,3@9:merge/p2p,2@12 2 4 --grid 11,9,10)
        nereus_add_solver_test(cg-fortran-cuts nereus-cg-fortran 2 4@3:merge/coll-keep,3@6:merge/p2p-weighted 3 2 --grid 5,4,6)
        nereus_add_solver_test(cg-fortran-few-rows nereus-cg-fortran 2 4@1 4 1 --grid 3,1,1)
        nereus_add_solver_test(jacobi-fortran-chain nereus-jacobi-fortran 2 4@3,1@6:baseline/p2p,2@9 2 3 --unknowns 83)
    endif()
    # Fewer rows than processes.
    nereus_add_solver_test(cg-few-rows nereus-cg 2 4@1 4 1 --grid 3,1,1)
    nereus_add_solver_test(jacobi-few-rows nereus-jacobi 2 4@2,1@4 1 2 --unknowns 3)
    # So many at random. 200 of them, and other seeds: tests/live/solver.sh by hand (tests/README.md).
    nereus_add_solver_test(cg-walk nereus-cg 2 walk:17 0 25 --matrix ${solver_matrix})
    nereus_add_solver_test(jacobi-walk nereus-jacobi 2 walk:5 0 12 --unknowns 83)

    # Never resized: at most 1 % more instructions than plain, at sizes that are small enough to be counted.
    foreach(row IN ITEMS "cg --grid 8,8,8" "jacobi --unknowns 100")
        string(REPLACE " " ";" words "${row}")
        list(POP_FRONT words name)
        add_test(NAME live-${name}-instructions WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/instructions.sh"
                    $<TARGET_FILE:nereus-${name}> ${words} --tolerance 0 --iterations 50)
        set_tests_properties(live-${name}-instructions PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
    endforeach()

    # What is wrong is said once, and ends all processes: with argp's status (EX_USAGE), or 1 where
    # it is found after the options were read.
    set(bad_inputs
        "file      1      /nowhere/matrix.mtx._does_not_exist         --matrix /nowhere/matrix.mtx"
        "matrix    1      line_4:_the_element_of_row_2_on_the_diagonal_is_0 --matrix ${PROJECT_BINARY_DIR}/tests/indefinite.mtx"
        "definite  1      the_matrix_is_not_positive_definite        --matrix ${PROJECT_BINARY_DIR}/tests/saddle.mtx"
        "reached   1      the_residual_is_.*_after_3_iterations       --iterations 3"
        "grid      64      --grid_takes_three_sizes                  --grid 4,4"
        "both      64      --grid_and_--matrix_are_two_matrices     --grid 4,4,4 --matrix ${PROJECT_BINARY_DIR}/tests/saddle.mtx"
        "repeat    64      --repeat_takes_two_numbers_from_1_on      --repeat 3,0"
        "tolerance 64      --tolerance_takes_a_number                --tolerance 2"
        "powers    64      --powers_takes_at_most_64_numbers_above_0 --powers 1,0"
        "word      64      argument_.now.                             now")
    file(WRITE "${PROJECT_BINARY_DIR}/tests/indefinite.mtx"
         "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 0.5\n")
    file(WRITE "${PROJECT_BINARY_DIR}/tests/saddle.mtx"
         "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 -3\n2 2 1\n")
    foreach(row IN LISTS bad_inputs)
        string(REGEX REPLACE " +" ";" words "${row}")
        list(POP_FRONT words name status sentence)
        string(REPLACE "_" " " sentence "${sentence}")
        nereus_add_live_test(live-cg-bad-${name} PROGRAM nereus-cg NP 2 ARGS ${words} EXPECT ${status})
        # Beside the status, which live-run judges.
        set_property(TEST live-cg-bad-${name} PROPERTY FAIL_REGULAR_EXPRESSION "live-run: |left behind")
        set_property(TEST live-cg-bad-${name} PROPERTY PASS_REGULAR_EXPRESSION "nereus[-a-z]*: [^\n]*${sentence}")
    endforeach()
    # The same epidemic with any processes, over changes of size and moves of data.
    foreach(runs IN ITEMS "sizes;balance" "one;three" memory)
        string(REPLACE ";" "-" name "${runs}")
        add_test(NAME live-epidemic-${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 90 0 "${CMAKE_CURRENT_LIST_DIR}/epidemic.sh" "${NEREUS_MPIEXEC_WRAPPER}"
                    $<TARGET_FILE:nereus-epidemic> "${CMAKE_CURRENT_LIST_DIR}/epidemic-reference.py" ${runs})
        set_tests_properties(live-epidemic-${name} PROPERTIES LABELS live TIMEOUT 105 RUN_SERIAL ON PROCESSORS 2
                             ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0)
    endforeach()
    # Two threads a process (OMP_NUM_THREADS), and two cores for them.
    add_test(NAME live-cg-threads WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/solver-threads.sh" "${NEREUS_MPIEXEC_WRAPPER}"
                $<TARGET_FILE:nereus-cg> --grid 12,12,12)
    set_tests_properties(live-cg-threads PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77
                         ENVIRONMENT NEREUS_SCHEDULE=2@5:merge/coll,1@10:merge/coll)
endif()
