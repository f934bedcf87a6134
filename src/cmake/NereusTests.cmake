# Functions that define tests. Sources and scripts are relative to the file that calls them.

if(NEREUS_TESTS)
    enable_testing()
endif()
set(NEREUS_MPIEXEC_WRAPPER "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}/nereus-mpiexec")
set(NEREUS_COMMAND "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}/nereus")

function(nereus_from_caller out)
    set(paths "")
    foreach(path IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_LIST_DIR}" NORMALIZE)
        list(APPEND paths "${path}")
    endforeach()
    set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# Without an MPI unit tests are the same programs, and the thread sanitizer looks at tests with
# threads alone: `./setup test` runs none of them there, so that they are built when they are asked
# for (target unit-tests).
add_custom_target(unit-tests)
function(nereus_is_unit_test target)
    add_dependencies(unit-tests ${target})
    if(NOT NEREUS_HAVE_MPI OR NEREUS_SANITIZE STREQUAL "thread")
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
endfunction()

# nereus_add_unit_test(NAME SOURCES f... [LINK lib...] [ARGS a...] [TIMEOUT seconds])
# A Criterion program, label unit; no MPI. Its directory is build/P/tests; NEREUS_SOURCE_DIR is
# defined.
function(nereus_add_unit_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK;ARGS")
    if(NOT NEREUS_TESTS OR NOT TARGET PkgConfig::criterion)
        return()
    endif()
    nereus_from_caller(sources ${arg_SOURCES})
    set(timeout 240) # under sanitizers, beside other work
    if(arg_TIMEOUT)
        set(timeout ${arg_TIMEOUT})
    endif()
    add_executable(${name} ${sources})
    target_compile_definitions(${name} PRIVATE NEREUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               NEREUS_BINARY_DIR="${PROJECT_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE ${arg_LINK} nereus_common PkgConfig::criterion)
    nereus_is_unit_test(${name})
    # Criterion's macros expand to GNU statement expressions, conversions and unprototyped
    # functions. Optimising them takes more time than they run.
    target_compile_options(${name} PRIVATE -O0 -Wno-pedantic -Wno-conversion -Wno-missing-prototypes)
    add_test(NAME ${name} COMMAND ${name} ${arg_ARGS} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${timeout})
endfunction()

# nereus_skip_test(NAME LABEL REASON): a test that cannot be made in this build, which says so.
function(nereus_skip_test name label reason)
    add_test(NAME ${name} COMMAND sh -c "echo 'SKIPPED: ${reason}'; exit 77")
    set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
endfunction()

# nereus_add_live_test(NAME PROGRAM target|path NP n [ARGS a...] [TIMEOUT seconds] [EXPECT status]
#                      [ENVIRONMENT N=V...])
# Runs `nereus-mpiexec -n NP PROGRAM ARGS` under a time limit, label live. It fails unless the exit
# status is EXPECT (0; `nonzero` for any but 0 and a time-out), or if a process of the job outlives
# it. Needs MPI.
function(nereus_add_live_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAM;NP;TIMEOUT;EXPECT" "ARGS;ENVIRONMENT")
    if(NOT NEREUS_TESTS OR NOT NEREUS_HAVE_MPI)
        return()
    endif()
    set(timeout 240) # under sanitizers, beside other work
    if(arg_TIMEOUT)
        set(timeout ${arg_TIMEOUT})
    endif()
    set(expect 0)
    if(DEFINED arg_EXPECT)
        set(expect ${arg_EXPECT})
    endif()
    if(TARGET ${arg_PROGRAM})
        set(program "$<TARGET_FILE:${arg_PROGRAM}>")
    else()
        nereus_from_caller(program ${arg_PROGRAM})
    endif()
    add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" ${timeout} ${expect}
                "${NEREUS_MPIEXEC_WRAPPER}" -n ${arg_NP} ${program} ${arg_ARGS})
    math(EXPR limit "${timeout} + 15")
    set_tests_properties(${name} PROPERTIES LABELS live TIMEOUT ${limit} RUN_SERIAL ON PROCESSORS 2
                         ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

# nereus_add_cli_test(NAME SCRIPT f [ARGS a...] [TIMEOUT seconds] [MPI])
# Runs `bash SCRIPT ARGS` in an empty folder of its own, label cli. The script sees NEREUS (the
# command), NEREUS_SOURCE_DIR, NEREUS_BINARY_DIR, NEREUS_HAVE_MPI (0 or 1), NEREUS_LIBRARIES (the
# optional ones of the build: lib.sh, has) and the build's bin first on PATH. With MPI: only where
# there is one, and alone on the machine.
function(nereus_add_cli_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "MPI" "SCRIPT;TIMEOUT" "ARGS")
    if(NOT NEREUS_TESTS OR (arg_MPI AND NOT NEREUS_HAVE_MPI))
        return()
    endif()
    nereus_from_caller(script ${arg_SCRIPT})
    set(timeout 240) # under sanitizers, beside other work
    if(arg_TIMEOUT)
        set(timeout ${arg_TIMEOUT})
    endif()
    set(work "${PROJECT_BINARY_DIR}/tests/cli/${name}")
    add_test(NAME ${name} COMMAND "${PROJECT_SOURCE_DIR}/tests/cli-run" ${timeout} "${work}" "${script}" ${arg_ARGS})
    math(EXPR limit "${timeout} + 15")
    set(have_mpi 0)
    if(NEREUS_HAVE_MPI)
        set(have_mpi 1)
    endif()
    list(JOIN NEREUS_LIBRARIES " " libraries)
    set_tests_properties(${name} PROPERTIES LABELS cli TIMEOUT ${limit} SKIP_RETURN_CODE 77 ENVIRONMENT
        "NEREUS=${NEREUS_COMMAND};NEREUS_LIBRARIES=${libraries};NEREUS_SOURCE_DIR=${PROJECT_SOURCE_DIR};NEREUS_BINARY_DIR=${PROJECT_BINARY_DIR};NEREUS_HAVE_MPI=${have_mpi}")
    if(arg_MPI)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON PROCESSORS 2)
    endif()
endfunction()
