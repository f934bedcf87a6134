# Manual pages and completion in build/P/share, as they are installed: of `nereus` by itself, from
# the tables of its parser; of nereus-mpiexec from its help text; of nereus.h from its comments.
set(share "${PROJECT_BINARY_DIR}/share")
set(old "${share}/man" "${share}/bash-completion" "${share}/zsh" "${share}/fish")
set(stamp "${PROJECT_BINARY_DIR}/manuals.stamp")
set(commands COMMAND nereus-cli help --output "${share}")
set(depends nereus-cli)
if(NEREUS_HAVE_MPI)
    set(script "${PROJECT_SOURCE_DIR}/src/mpi/manuals.sh")
    set(mpiexec "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/nereus-mpiexec")
    list(APPEND commands COMMAND sh "${script}" "${PROJECT_SOURCE_DIR}" "${mpiexec}" "${PROJECT_VERSION}" "${share}")
    list(APPEND depends "${script}" "${mpiexec}" "${PROJECT_SOURCE_DIR}/src/mpi/mpiexec-manual.awk"
         "${PROJECT_SOURCE_DIR}/src/include/header-comments.awk" "${PROJECT_SOURCE_DIR}/src/include/header-manual.awk" "${PROJECT_SOURCE_DIR}/src/include/nereus/nereus.h")
endif()
add_custom_command(OUTPUT "${stamp}" COMMAND "${CMAKE_COMMAND}" -E rm -rf ${old} ${commands} COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
                   DEPENDS ${depends} COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(nereus-manuals ALL DEPENDS "${stamp}")
install(DIRECTORY "${share}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
foreach(folder bash-completion zsh fish)
    install(DIRECTORY "${share}/${folder}" DESTINATION "${CMAKE_INSTALL_DATADIR}")
endforeach()
