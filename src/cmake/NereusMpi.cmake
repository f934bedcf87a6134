# The MPI that src/mpi/find-mpi chose, as the target nereus_mpi; the wrapper nereus-mpiexec;
# nereus_mpi_config.h. Sets NEREUS_HAVE_MPI, NEREUS_MPI_* and NEREUS_MPI_ENVIRONMENT (NAME=VALUE
# list). CMake's own FindMPI is not used: it might settle on an MPI that cannot spawn.

set(NEREUS_MPI_FOLDER "${PROJECT_SOURCE_DIR}/build/mpi" CACHE PATH "Where find-mpi keeps its answer")
set(NEREUS_HAVE_MPI OFF)
set(NEREUS_MPI_PRIVATE OFF)
set(NEREUS_MPI_ENVIRONMENT "")
# Where an MPI that set-up has installed lies, from the prefix: in the build tree as a link,
# installed along as a copy.
set(NEREUS_MPI_PRIVATE_DIR "${CMAKE_INSTALL_LIBDIR}/nereus/mpi")
set(NEREUS_MPI_MODULES "") # "MODULE NAME=VALUE" list

# A folder mpi-WHICH (as of the presets abi and openmpi) is for that MPI: find-mpi, which is not told
# of it here, would settle on another one.
function(nereus_check_mpi_folder)
    set(wanted "")
    if(EXISTS "${NEREUS_MPI_FOLDER}/wanted")
        file(STRINGS "${NEREUS_MPI_FOLDER}/wanted" wanted LIMIT_COUNT 1)
    endif()
    if(NEREUS_MPI_FOLDER MATCHES "/mpi-(abi|intel|openmpi)$")
        set(which "${CMAKE_MATCH_1}")
        if(NOT wanted MATCHES "^${which}$|/")
            message(FATAL_ERROR "No MPI was chosen for this build. Run first:\n  src/mpi/find-mpi --mpi ${which} ${NEREUS_MPI_FOLDER}")
        endif()
    endif()
endfunction()

# Runs find-mpi (at once when nothing has changed) and reads mpi.env.
macro(nereus_find_mpi)
    nereus_check_mpi_folder()
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/src/mpi/find-mpi" "${NEREUS_MPI_FOLDER}"
                    RESULT_VARIABLE status OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0)
        file(STRINGS "${NEREUS_MPI_FOLDER}/mpi.env" lines)
        foreach(line IN LISTS lines)
            if(line MATCHES "^env (.+)$")
                list(APPEND NEREUS_MPI_ENVIRONMENT "${CMAKE_MATCH_1}")
            elseif(line MATCHES "^module (.+)$")
                list(APPEND NEREUS_MPI_MODULES "${CMAKE_MATCH_1}")
            elseif(line MATCHES "^(NEREUS_[A-Z_]+)=(.*)$")
                set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
            endif()
        endforeach()
        set(NEREUS_HAVE_MPI ON)
        string(REGEX REPLACE ".*\n" "" answer "${answer}")
        message(STATUS "MPI that can spawn: ${answer}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${NEREUS_MPI_FOLDER}/mpi.env")
    elseif(status EQUAL 3)
        message(FATAL_ERROR "${answer}")
    else()
        message(STATUS "${answer}")
        message(STATUS "MPI: none; only the model, the predictor and their tests are built")
    endif()
endmacro()

# nereus_query_wrapper(PREFIX WRAPPER): splits what `WRAPPER -show` prints into PREFIX_INCLUDE_DIRS,
# _LIBRARY_DIRS, _LIBRARIES and _OPTIONS.
macro(nereus_query_wrapper prefix wrapper)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${NEREUS_MPI_ENVIRONMENT} "${wrapper}" -show OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${shown}")
    list(POP_FRONT words)
    foreach(kind INCLUDE_DIRS LIBRARY_DIRS LIBRARIES OPTIONS)
        set(${prefix}_${kind} "")
    endforeach()
    foreach(word IN LISTS words)
        if(word MATCHES "^-I(.+)")
            list(APPEND ${prefix}_INCLUDE_DIRS "${CMAKE_MATCH_1}")
        elseif(word MATCHES "^-L(.+)")
            list(APPEND ${prefix}_LIBRARY_DIRS "${CMAKE_MATCH_1}")
        elseif(word MATCHES "^-l(.+)")
            list(APPEND ${prefix}_LIBRARIES "${CMAKE_MATCH_1}")
        elseif(word MATCHES "^-D|^-pthread$")
            list(APPEND ${prefix}_OPTIONS "${word}")
        endif() # run paths and optimisation flags are the project's business
    endforeach()
endmacro()

# nereus_mpi_target(TARGET PREFIX): what a wrapper printed, as an imported target.
function(nereus_mpi_target target prefix)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${${prefix}_INCLUDE_DIRS}"
        INTERFACE_LINK_DIRECTORIES "${${prefix}_LIBRARY_DIRS}"
        INTERFACE_LINK_LIBRARIES "${${prefix}_LIBRARIES}"
        INTERFACE_COMPILE_OPTIONS "${${prefix}_OPTIONS}")
endfunction()

if(NEREUS_MPI)
    nereus_find_mpi()
else()
    message(STATUS "MPI: off (NEREUS_MPI); only the model, the predictor and their tests are built")
endif()

if(NEREUS_HAVE_MPI)
    nereus_query_wrapper(NEREUS_MPI "${NEREUS_MPICC}")
    # The package's users get the same target from nereus-config.cmake.
    nereus_mpi_target(nereus_mpi NEREUS_MPI)
    # For libraries that call MPI and leave it to the program to link it.
    add_library(nereus_mpi_headers INTERFACE)
    target_include_directories(nereus_mpi_headers INTERFACE ${NEREUS_MPI_INCLUDE_DIRS})
    target_compile_options(nereus_mpi_headers INTERFACE ${NEREUS_MPI_OPTIONS})
    set(NEREUS_MPI_ABI 0) # the standard's binary interface
    if("-DMPI_ABI" IN_LIST NEREUS_MPI_OPTIONS)
        set(NEREUS_MPI_ABI 1)
    endif()
    list(APPEND CMAKE_BUILD_RPATH ${NEREUS_MPI_LIBRARY_DIRS})
    if(NEREUS_MPI_SOURCE STREQUAL "PyPI")
        set(NEREUS_MPI_PRIVATE ON)
        cmake_path(GET NEREUS_MPI_PRIVATE_DIR PARENT_PATH folder)
        file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
        file(CREATE_LINK "${NEREUS_MPI_HOME}" "${PROJECT_BINARY_DIR}/${NEREUS_MPI_PRIVATE_DIR}" SYMBOLIC)
    endif()

    set(NEREUS_MPI_SH_ENVIRONMENT "")
    set(NEREUS_MPI_C_ENVIRONMENT "")
    set(NEREUS_MPI_C_MODULES "")
    foreach(setting IN LISTS NEREUS_MPI_ENVIRONMENT)
        string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${setting}")
        set(variable "${CMAKE_MATCH_1}")
        set(value "${CMAKE_MATCH_2}")
        # Of one network module: below, so that another one that a user chooses does not get it.
        set(of_module ${NEREUS_MPI_MODULES})
        list(FILTER of_module INCLUDE REGEX "^[^ ]+ ${variable}=")
        if(NOT of_module)
            string(APPEND NEREUS_MPI_SH_ENVIRONMENT "export ${variable}=\"\${${variable}-${value}}\"\n")
        endif()
        string(APPEND NEREUS_MPI_C_ENVIRONMENT "\"${variable}\", \"${value}\", ")
    endforeach()
    foreach(setting IN LISTS NEREUS_MPI_MODULES)
        string(REGEX MATCH "^([^ ]+) ([^=]+)=(.*)$" ignored "${setting}")
        string(APPEND NEREUS_MPI_SH_ENVIRONMENT "[ \"\${MPIR_CVAR_CH4_NETMOD-}\" != ${CMAKE_MATCH_1} ] || "
               "export ${CMAKE_MATCH_2}=\"\${${CMAKE_MATCH_2}-${CMAKE_MATCH_3}}\"\n")
        string(APPEND NEREUS_MPI_C_MODULES "\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", ")
    endforeach()
    set(wrapper "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nereus-mpiexec")
    # Its launcher, in sh (nereus-mpiexec says where $here is) and in C (from the folder of
    # programs, in both trees).
    set(NEREUS_MPIEXEC_SH "${NEREUS_MPIEXEC}")
    set(NEREUS_MPIEXEC_C "${NEREUS_MPIEXEC}")
    if(NEREUS_MPI_PRIVATE)
        set(NEREUS_MPIEXEC_C "../${NEREUS_MPI_PRIVATE_DIR}/bin/mpiexec")
        set(NEREUS_MPIEXEC_SH "$here/${NEREUS_MPIEXEC_C}")
    endif()
    configure_file("${PROJECT_SOURCE_DIR}/src/mpi/nereus-mpiexec.in" "${wrapper}" @ONLY
                   FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                    WORLD_READ WORLD_EXECUTE)
    install(PROGRAMS "${wrapper}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
# MPICH asks registered functions in its progress loop: src/util/blocking_calls.c.
set(NEREUS_HAVE_MPIX_ASYNC 0)
if(NEREUS_HAVE_MPI)
    include(CheckCSourceCompiles)
    unset(NEREUS_MPIX_ASYNC_COMPILES CACHE) # the MPI may be another one since
    set(CMAKE_REQUIRED_LIBRARIES nereus_mpi)
    check_c_source_compiles("#include <mpi.h>
        static int f(MPIX_Async_thing t) { (void)t; return MPIX_ASYNC_DONE; }
        int main(void) { return MPIX_Async_start(f, 0, MPIX_STREAM_NULL); }" NEREUS_MPIX_ASYNC_COMPILES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NEREUS_MPIX_ASYNC_COMPILES)
        set(NEREUS_HAVE_MPIX_ASYNC 1)
    endif()
endif()
string(CONCAT NEREUS_MPI_C_ENVIRONMENT "${NEREUS_MPI_C_ENVIRONMENT}" "NULL")
string(CONCAT NEREUS_MPI_C_MODULES "${NEREUS_MPI_C_MODULES}" "NULL")
set(NEREUS_MPI_ABI_01 0)
if(NEREUS_HAVE_MPI AND NEREUS_MPI_ABI)
    set(NEREUS_MPI_ABI_01 1)
endif()
set(NEREUS_HAVE_MPI_01 0)
if(NEREUS_HAVE_MPI)
    set(NEREUS_HAVE_MPI_01 1)
endif()
configure_file("${PROJECT_SOURCE_DIR}/src/mpi/nereus_mpi_config.h.in"
               "${NEREUS_GENERATED_DIR}/nereus_mpi_config.h" @ONLY)
