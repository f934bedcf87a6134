# Installs what others build with: the CMake package (find_package(nereus)), the pkg-config files,
# nereus-mpicc and its kind, and an MPI that set-up has installed. A user's own MPI is referred to
# by its path.
include(CMakePackageConfigHelpers)

set(config "${PROJECT_BINARY_DIR}/package")
set(NEREUS_HAVE_FORTRAN_01 0)
if(TARGET nereus-fortran)
    set(NEREUS_HAVE_FORTRAN_01 1)
endif()

# nereus_installed(OUT PREFIX PATH...): paths in the MPI as they are once it is installed in PREFIX,
# as CMake or pkg-config write that.
function(nereus_installed out prefix)
    set(paths "${ARGN}")
    if(NEREUS_MPI_PRIVATE)
        string(REPLACE "${NEREUS_MPI_HOME}" "${prefix}/${NEREUS_MPI_PRIVATE_DIR}" paths "${paths}")
    endif()
    set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# nereus_pc_flags(PREFIX): what a wrapper printed (nereus_query_wrapper), as PREFIX_PC_CFLAGS and
# PREFIX_PC_LIBS.
function(nereus_pc_flags of)
    nereus_installed(includes "\${prefix}" ${${of}_INCLUDE_DIRS})
    nereus_installed(folders "\${prefix}" ${${of}_LIBRARY_DIRS})
    list(TRANSFORM includes PREPEND " -I")
    set(options ${${of}_OPTIONS}) # -DMPI_ABI: other handles
    list(TRANSFORM options PREPEND " ")
    list(JOIN options "" options)
    list(JOIN includes "" includes)
    set(libs "")
    foreach(folder IN LISTS folders)
        string(APPEND libs " -L${folder} -Wl,-rpath,${folder}")
    endforeach()
    foreach(library IN LISTS ${of}_LIBRARIES)
        string(APPEND libs " -l${library}")
    endforeach()
    set(${of}_PC_CFLAGS "${options}${includes}" PARENT_SCOPE)
    set(${of}_PC_LIBS "${libs}" PARENT_SCOPE)
endfunction()

function(nereus_install_pc name template)
    configure_file("${PROJECT_SOURCE_DIR}/src/cmake/${template}.pc.in" "${config}/${name}.pc" @ONLY)
    install(FILES "${config}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# nereus_install_library_pc(NAME LICENSE REQUIRES DESCRIPTION): of a library without MPI.
function(nereus_install_library_pc name license requires description)
    nereus_install_pc(${name} nereus-library)
endfunction()

if(TARGET nereus-runtime)
    include(NereusCompilers)
    nereus_pc_flags(NEREUS_MPI)
    nereus_installed(NEREUS_PC_MPICC "\${prefix}" "${NEREUS_MPICC}")
    nereus_install_pc(nereus nereus)
    # For nereus-config.cmake.
    foreach(name MPICC MPICXX MPIFORT)
        nereus_installed(NEREUS_CONFIG_${name} "\${PACKAGE_PREFIX_DIR}" "${NEREUS_${name}}")
    endforeach()
    foreach(name INCLUDE_DIRS LIBRARY_DIRS)
        nereus_installed(NEREUS_CONFIG_${name} "\${PACKAGE_PREFIX_DIR}" ${NEREUS_MPI_${name}})
        nereus_installed(NEREUS_CONFIG_FORTRAN_${name} "\${PACKAGE_PREFIX_DIR}" ${NEREUS_MPI_FORTRAN_${name}})
    endforeach()
endif()
if(TARGET nereus-fortran)
    nereus_pc_flags(NEREUS_MPI_FORTRAN)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU") # buffers of two types in calls of one procedure
        string(APPEND NEREUS_MPI_FORTRAN_PC_CFLAGS " -fallow-argument-mismatch")
    endif()
    nereus_installed(NEREUS_PC_MPIFORT "\${prefix}" "${NEREUS_MPIFORT}")
    nereus_install_pc(nereus-fortran nereus-fortran)
endif()
if(TARGET nereus-model)
    configure_package_config_file("${PROJECT_SOURCE_DIR}/src/cmake/nereus-config.cmake.in"
        "${config}/nereus-config.cmake" INSTALL_DESTINATION "${NEREUS_CMAKEDIR}")
    write_basic_package_version_file("${config}/nereus-config-version.cmake"
        VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
    install(FILES "${config}/nereus-config.cmake" "${config}/nereus-config-version.cmake"
            DESTINATION "${NEREUS_CMAKEDIR}")
    install(EXPORT nereus-targets NAMESPACE nereus:: DESTINATION "${NEREUS_CMAKEDIR}")
    nereus_install_library_pc(nereus-model BSD-3-Clause "" "predictions, plans, questions to running jobs")
    nereus_install_library_pc(nereus-fit GPL-3.0-or-later nereus-model "from samples or a description to a profile")
    nereus_install_library_pc(nereus-policy GPL-3.0-or-later nereus-model "whether a job should change its size for a goal")
    nereus_install_library_pc(nereus-simulate GPL-3.0-or-later nereus-model "a cluster with jobs that change their size")
endif()

# The MPI that set-up has installed, without the Python around it: launcher, wrappers, headers,
# modules and libraries.
if(NEREUS_MPI_PRIVATE)
    set(no_wrappers "")
    set(no_headers "")
    set(no_libraries "")
    if(NOT NEREUS_MPI_ABI) # without the standard's binary interface
        set(no_wrappers PATTERN "*_abi" EXCLUDE)
        set(no_headers PATTERN "mpi_abi.h" EXCLUDE)
        set(no_libraries PATTERN "libmpi_abi*" EXCLUDE)
    endif()
    install(DIRECTORY "${NEREUS_MPI_HOME}/bin" DESTINATION "${NEREUS_MPI_PRIVATE_DIR}" USE_SOURCE_PERMISSIONS
            FILES_MATCHING PATTERN "mpi*" PATTERN "hydra_*" PATTERN "prte*" PATTERN "*_wrapper" ${no_wrappers})
    install(DIRECTORY "${NEREUS_MPI_HOME}/include" DESTINATION "${NEREUS_MPI_PRIVATE_DIR}"
            FILES_MATCHING PATTERN "mpi*.h" PATTERN "*.mod" PATTERN "python*" EXCLUDE ${no_headers})
    install(DIRECTORY "${NEREUS_MPI_HOME}/lib" DESTINATION "${NEREUS_MPI_PRIVATE_DIR}" USE_SOURCE_PERMISSIONS
            FILES_MATCHING PATTERN "*.so*" PATTERN "python*" EXCLUDE ${no_libraries})
    foreach(folder etc share/openmpi share/pmix share/prte) # what Open MPI's programs read
        cmake_path(GET folder PARENT_PATH parent)
        install(DIRECTORY "${NEREUS_MPI_HOME}/${folder}" DESTINATION "${NEREUS_MPI_PRIVATE_DIR}/${parent}" OPTIONAL)
    endforeach()
    file(GLOB licenses "${NEREUS_MPI_HOME}/lib/python*/site-packages/*mpi*-*.dist-info/licenses" "${NEREUS_MPI_HOME}/licenses")
    install(DIRECTORY ${licenses} DESTINATION "${NEREUS_MPI_PRIVATE_DIR}")
endif()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The manuals, and in the build tree a link to them: nereus-mpiexec --help names their folder.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md" PATTERN "*.ini" PATTERN "*.svg" PATTERN "ask.c")
# Files of the pages' examples.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/unit/data/" "${PROJECT_SOURCE_DIR}/tests/cli/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/nereus/data"
        FILES_MATCHING PATTERN "*.csv" PATTERN "*.hosts" PATTERN "*.json" PATTERN "*.jsonl" PATTERN "*.swf.gz" PATTERN "*.xml" PATTERN "sacct")
install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")")
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/install_docs.cmake")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/doc")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DOCDIR}" SYMBOLIC)
