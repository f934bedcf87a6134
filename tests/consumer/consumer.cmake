# Installs into build/P/stage, then builds and runs the project beside this file from there, through find_package and
# through pkg-config. Label install.
if(NOT TARGET nereus-model)
    return()
endif()
set(stage "${PROJECT_BINARY_DIR}/stage")
set(source "${CMAKE_CURRENT_LIST_DIR}")
set(by_cmake "${PROJECT_BINARY_DIR}/tests/consumer-cmake")
set(by_pkg_config "${PROJECT_BINARY_DIR}/tests/consumer-pkg-config")

add_test(NAME install-clean COMMAND "${CMAKE_COMMAND}" -E rm -rf "${stage}" "${by_cmake}" "${by_pkg_config}")
add_test(NAME install-stage COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --prefix "${stage}")
add_test(NAME install-cmake-configure COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${by_cmake}"
         "-DCMAKE_PREFIX_PATH=${stage}" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror")
add_test(NAME install-cmake-build COMMAND "${CMAKE_COMMAND}" --build "${by_cmake}")
add_test(NAME install-pkg-config-build COMMAND "${source}/build-with-pkg-config" "${stage}" "${source}" "${by_pkg_config}")
set_tests_properties(install-clean PROPERTIES FIXTURES_SETUP clean)
set_tests_properties(install-stage PROPERTIES FIXTURES_REQUIRED clean FIXTURES_SETUP stage)
set_tests_properties(install-cmake-configure PROPERTIES FIXTURES_REQUIRED stage FIXTURES_SETUP configured)
set_tests_properties(install-cmake-build PROPERTIES FIXTURES_REQUIRED configured FIXTURES_SETUP by_cmake)
set_tests_properties(install-pkg-config-build PROPERTIES FIXTURES_REQUIRED stage FIXTURES_SETUP by_pkg_config)

add_test(NAME install-cmake-model COMMAND "${by_cmake}/use_model")
add_test(NAME install-pkg-config-model COMMAND "${by_pkg_config}/use_model")
set_tests_properties(install-cmake-model PROPERTIES FIXTURES_REQUIRED by_cmake)
set_tests_properties(install-pkg-config-model PROPERTIES FIXTURES_REQUIRED by_pkg_config)
set(tests install-clean install-stage install-cmake-configure install-cmake-build install-pkg-config-build
          install-cmake-model install-pkg-config-model)

if(TARGET nereus-cli)
    add_test(NAME install-command COMMAND "${stage}/${CMAKE_INSTALL_BINDIR}/nereus" --version)
    set_tests_properties(install-command PROPERTIES FIXTURES_REQUIRED stage)
    list(APPEND tests install-command)
endif()
if(TARGET nereus-runtime)
    foreach(way cmake pkg-config)
        string(REPLACE "-" "_" fixture "${way}")
        add_test(NAME install-${way}-runtime COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0
            "${stage}/${CMAKE_INSTALL_BINDIR}/nereus-mpiexec" -n 2 "${PROJECT_BINARY_DIR}/tests/consumer-${way}/use_runtime")
        set_tests_properties(install-${way}-runtime PROPERTIES FIXTURES_REQUIRED by_${fixture} RUN_SERIAL ON PROCESSORS 2)
        list(APPEND tests install-${way}-runtime)
    endforeach()
endif()
set_tests_properties(${tests} PROPERTIES LABELS install TIMEOUT 120)
