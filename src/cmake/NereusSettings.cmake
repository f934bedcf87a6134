# Where everything goes, the language, and what every target of the project shares (nereus_common).

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# lib, not lib/<triplet>: programs find libraries and helpers by fixed relative paths in every tree.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Libraries, relative to the prefix")
include(GNUInstallDirs)
set(NEREUS_LIBEXECDIR "${CMAKE_INSTALL_LIBEXECDIR}/nereus")
set(NEREUS_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/nereus")

# The build tree has the shape of the installed one.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(NEREUS_LIBEXEC_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${NEREUS_LIBEXECDIR}")
set(NEREUS_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${NEREUS_LIBEXEC_OUTPUT_DIRECTORY}"
                    "${NEREUS_GENERATED_DIR}")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # POSIX names without a macro in every file
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Checks and assertions are kept in every build.
foreach(type RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${type} "${CMAKE_C_FLAGS_${type}}")
endforeach()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# C++, where there is a compiler for it: nereus.hpp, its programs, and public headers compiled as C++.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
endif()

add_library(nereus_warnings INTERFACE)
target_compile_options(nereus_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -Wformat=2 -Wvla $<$<BOOL:${NEREUS_WERROR}>:-Werror>)

add_library(nereus_common INTERFACE)
target_include_directories(nereus_common INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/model/include" "${NEREUS_GENERATED_DIR}")
target_compile_definitions(nereus_common INTERFACE NEREUS_VERSION="${PROJECT_VERSION}" _GNU_SOURCE)
target_link_libraries(nereus_common INTERFACE nereus_warnings)
if(NEREUS_SANITIZE)
    target_compile_options(nereus_common INTERFACE -fsanitize=${NEREUS_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
    target_link_options(nereus_common INTERFACE -fsanitize=${NEREUS_SANITIZE})
endif()

# nereus_commit.h, for `nereus --version`.
set(commit -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${NEREUS_GENERATED_DIR}/nereus_commit.h -P ${PROJECT_SOURCE_DIR}/src/cmake/commit.cmake)
add_custom_target(nereus-commit COMMAND "${CMAKE_COMMAND}" ${commit} BYPRODUCTS "${NEREUS_GENERATED_DIR}/nereus_commit.h" COMMENT "" VERBATIM)
