# The MPI that src/mpi/find-mpi chose, as the target nereus_mpi; the wrapper nereus-mpiexec; nereus_mpi_config.h.
# Sets NEREUS_HAVE_MPI, NEREUS_MPI_* and NEREUS_MPI_ENVIRONMENT (NAME=VALUE list). CMake's own FindMPI is not used:
# it might settle on an MPI that cannot spawn.

set(NEREUS_MPI_FOLDER "${PROJECT_SOURCE_DIR}/build/mpi" CACHE PATH "Where find-mpi keeps its answer")
set(NEREUS_HAVE_MPI OFF)
set(NEREUS_MPI_ENVIRONMENT "")
set(NEREUS_MPI_MODULES "") # "MODULE NAME=VALUE" list

# Runs find-mpi (at once when nothing has changed) and reads mpi.env.
macro(nereus_find_mpi)
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
    else()
        message(STATUS "${answer}")
        message(STATUS "MPI: none; only the model, the predictor and their tests are built")
    endif()
endmacro()

# Splits what `mpicc -show` prints into NEREUS_MPI_INCLUDE_DIRS, _LIBRARY_DIRS, _LIBRARIES and _OPTIONS.
macro(nereus_ask_mpicc)
    execute_process(COMMAND "${NEREUS_MPICC}" -show OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${shown}")
    list(POP_FRONT words)
    foreach(kind INCLUDE_DIRS LIBRARY_DIRS LIBRARIES OPTIONS)
        set(NEREUS_MPI_${kind} "")
    endforeach()
    foreach(word IN LISTS words)
        if(word MATCHES "^-I(.+)")
            list(APPEND NEREUS_MPI_INCLUDE_DIRS "${CMAKE_MATCH_1}")
        elseif(word MATCHES "^-L(.+)")
            list(APPEND NEREUS_MPI_LIBRARY_DIRS "${CMAKE_MATCH_1}")
        elseif(word MATCHES "^-l(.+)")
            list(APPEND NEREUS_MPI_LIBRARIES "${CMAKE_MATCH_1}")
        elseif(word STREQUAL "-pthread")
            list(APPEND NEREUS_MPI_OPTIONS "${word}")
        endif() # run paths and optimisation flags are the project's business
    endforeach()
endmacro()

if(NEREUS_MPI)
    nereus_find_mpi()
else()
    message(STATUS "MPI: off (NEREUS_MPI); only the model, the predictor and their tests are built")
endif()

if(NEREUS_HAVE_MPI)
    nereus_ask_mpicc()
    # The package's users get the same target from nereus-config.cmake.
    add_library(nereus_mpi INTERFACE IMPORTED GLOBAL)
    set_target_properties(nereus_mpi PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${NEREUS_MPI_INCLUDE_DIRS}"
        INTERFACE_LINK_DIRECTORIES "${NEREUS_MPI_LIBRARY_DIRS}"
        INTERFACE_LINK_LIBRARIES "${NEREUS_MPI_LIBRARIES}"
        INTERFACE_COMPILE_OPTIONS "${NEREUS_MPI_OPTIONS}")
    list(APPEND CMAKE_BUILD_RPATH ${NEREUS_MPI_LIBRARY_DIRS})

    set(NEREUS_MPI_SH_ENVIRONMENT "")
    set(NEREUS_MPI_C_ENVIRONMENT "")
    set(NEREUS_MPI_C_MODULES "")
    foreach(setting IN LISTS NEREUS_MPI_ENVIRONMENT)
        string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${setting}")
        string(APPEND NEREUS_MPI_SH_ENVIRONMENT
               "export ${CMAKE_MATCH_1}=\"\${${CMAKE_MATCH_1}-${CMAKE_MATCH_2}}\"\n")
        string(APPEND NEREUS_MPI_C_ENVIRONMENT "\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", ")
    endforeach()
    foreach(setting IN LISTS NEREUS_MPI_MODULES)
        string(REGEX MATCH "^([^ ]+) ([^=]+)=(.*)$" ignored "${setting}")
        string(APPEND NEREUS_MPI_SH_ENVIRONMENT "[ \"\${MPIR_CVAR_CH4_NETMOD-}\" != ${CMAKE_MATCH_1} ] || "
               "export ${CMAKE_MATCH_2}=\"\${${CMAKE_MATCH_2}-${CMAKE_MATCH_3}}\"\n")
        string(APPEND NEREUS_MPI_C_MODULES "\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", ")
    endforeach()
    set(wrapper "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nereus-mpiexec")
    configure_file("${PROJECT_SOURCE_DIR}/src/mpi/nereus-mpiexec.in" "${wrapper}" @ONLY
                   FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                    WORLD_READ WORLD_EXECUTE)
    install(PROGRAMS "${wrapper}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
string(CONCAT NEREUS_MPI_C_ENVIRONMENT "${NEREUS_MPI_C_ENVIRONMENT}" "NULL")
string(CONCAT NEREUS_MPI_C_MODULES "${NEREUS_MPI_C_MODULES}" "NULL")
set(NEREUS_HAVE_MPI_01 0)
if(NEREUS_HAVE_MPI)
    set(NEREUS_HAVE_MPI_01 1)
endif()
configure_file("${PROJECT_SOURCE_DIR}/src/mpi/nereus_mpi_config.h.in"
               "${NEREUS_GENERATED_DIR}/nereus_mpi_config.h" @ONLY)
