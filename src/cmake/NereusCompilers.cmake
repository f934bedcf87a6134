# nereus-mpicc, nereus-mpicxx and nereus-mpifort: the MPI's own wrappers, which find Nereus as well.
# In the build tree, too.

# nereus_compiler(NAME OF COMMAND LIBRARIES INCLUDES_BUILT INCLUDES_INSTALLED): the wrapper NAME of
# COMMAND (in sh).
function(nereus_compiler WRAPPER WRAPPER_OF WRAPPER_COMMAND WRAPPER_LIBRARIES built installed)
    set(mode FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(template "${PROJECT_SOURCE_DIR}/src/mpi/nereus-compiler.in")
    set(WRAPPER_INCLUDES "${built}")
    configure_file("${template}" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${WRAPPER}" @ONLY ${mode})
    set(WRAPPER_INCLUDES "${installed}")
    configure_file("${template}" "${PROJECT_BINARY_DIR}/package/${WRAPPER}" @ONLY ${mode})
    install(PROGRAMS "${PROJECT_BINARY_DIR}/package/${WRAPPER}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()

# nereus_compiler_of(OUT PATH): how sh finds a wrapper of the MPI, in both trees; "" if there is
# none.
function(nereus_compiler_of out path)
    set(${out} "" PARENT_SCOPE)
    if(path AND EXISTS "${path}")
        if(NEREUS_MPI_PRIVATE)
            string(REPLACE "${NEREUS_MPI_HOME}" "$prefix/${NEREUS_MPI_PRIVATE_DIR}" path "${path}")
        endif()
        set(${out} "${path}" PARENT_SCOPE)
    endif()
endfunction()

# What belongs to mpicc: /usr/bin/mpicc.mpich -> /usr/bin/mpicxx.mpich.
string(REGEX REPLACE "mpicc([^/]*)$" "mpicxx\\1" NEREUS_MPICXX "${NEREUS_MPICC}")
nereus_compiler_of(command_c "${NEREUS_MPICC}")
nereus_compiler_of(command_cxx "${NEREUS_MPICXX}")
nereus_compiler_of(command_fortran "${NEREUS_MPIFORT}")
set(headers "-I\"${PROJECT_SOURCE_DIR}/src/include\" -I\"${PROJECT_SOURCE_DIR}/model/include\" -I\"${NEREUS_GENERATED_DIR}/include\"")
set(installed "-I\"$prefix/${CMAKE_INSTALL_INCLUDEDIR}\"")
nereus_compiler(nereus-mpicc mpicc "${command_c}" "-lnereus -lnereus-model" "${headers}" "${installed}")
if(command_cxx)
    nereus_compiler(nereus-mpicxx mpicxx "${command_cxx}" "-lnereus -lnereus-model" "${headers}" "${installed}")
endif()
if(command_fortran AND TARGET nereus-fortran)
    nereus_compiler(nereus-mpifort mpifort "${command_fortran}" "-lnereus-fortran -lnereus"
                    "-I\"${PROJECT_BINARY_DIR}/src/fortran/modules\"" "-I\"$prefix/${CMAKE_INSTALL_INCLUDEDIR}/nereus\"")
endif()
