# Installs the CMake package (find_package(nereus)) and the pkg-config files.
include(CMakePackageConfigHelpers)

if(TARGET nereus-model)
    set(config "${PROJECT_BINARY_DIR}/package")
    configure_package_config_file("${PROJECT_SOURCE_DIR}/src/cmake/nereus-config.cmake.in"
        "${config}/nereus-config.cmake" INSTALL_DESTINATION "${NEREUS_CMAKEDIR}")
    write_basic_package_version_file("${config}/nereus-config-version.cmake"
        VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
    install(FILES "${config}/nereus-config.cmake" "${config}/nereus-config-version.cmake"
            DESTINATION "${NEREUS_CMAKEDIR}")
    install(EXPORT nereus-targets NAMESPACE nereus:: DESTINATION "${NEREUS_CMAKEDIR}")

    configure_file("${PROJECT_SOURCE_DIR}/src/cmake/nereus-model.pc.in" "${config}/nereus-model.pc" @ONLY)
    install(FILES "${config}/nereus-model.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
if(TARGET nereus-runtime)
    set(NEREUS_PC_MPI_CFLAGS "")
    foreach(dir IN LISTS NEREUS_MPI_INCLUDE_DIRS)
        string(APPEND NEREUS_PC_MPI_CFLAGS " -I${dir}")
    endforeach()
    set(NEREUS_PC_MPI_LIBS "")
    foreach(dir IN LISTS NEREUS_MPI_LIBRARY_DIRS)
        string(APPEND NEREUS_PC_MPI_LIBS " -L${dir} -Wl,-rpath,${dir}")
    endforeach()
    foreach(library IN LISTS NEREUS_MPI_LIBRARIES)
        string(APPEND NEREUS_PC_MPI_LIBS " -l${library}")
    endforeach()
    configure_file("${PROJECT_SOURCE_DIR}/src/cmake/nereus.pc.in" "${config}/nereus.pc" @ONLY)
    install(FILES "${config}/nereus.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
