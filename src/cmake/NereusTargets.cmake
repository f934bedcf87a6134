# Functions that define the project's libraries and programs. README.md beside this file has examples.

set(nereus_origin_mpi "")
foreach(dir IN LISTS NEREUS_MPI_LIBRARY_DIRS)
    string(APPEND nereus_origin_mpi ";${dir}")
endforeach()

# nereus_add_library(TARGET [OUTPUT_NAME name] SOURCES f... [HEADERS public.h...] [LINK public...]
#                    [LINK_PRIVATE private...])
# A shared library with SONAME, installed and exported as nereus::NAME. HEADERS are installed to include/nereus, so
# that they find each other by plain name there too, and each of them is compiled alone, as C and as C++.
function(nereus_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME" "SOURCES;HEADERS;LINK;LINK_PRIVATE")
    add_library(${target} SHARED ${arg_SOURCES} ${arg_HEADERS})
    if(NOT arg_OUTPUT_NAME)
        set(arg_OUTPUT_NAME ${target})
    endif()
    add_library(nereus::${arg_OUTPUT_NAME} ALIAS ${target})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_OUTPUT_NAME} EXPORT_NAME ${arg_OUTPUT_NAME}
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        INSTALL_RPATH "$ORIGIN${nereus_origin_mpi}")
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
                                                "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${target} PUBLIC ${arg_LINK}
                          PRIVATE ${arg_LINK_PRIVATE} $<BUILD_INTERFACE:nereus_common>)
    install(TARGETS ${target} EXPORT nereus-targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${arg_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nereus)
    nereus_check_headers(${target} ${arg_HEADERS})
endfunction()

# nereus_check_headers(TARGET header...): compiles each header by itself, strictly, as C and as C++.
function(nereus_check_headers target)
    if(NOT NEREUS_TESTS OR NOT ARGN)
        return()
    endif()
    set(languages c)
    if(CMAKE_CXX_COMPILER)
        list(APPEND languages cpp)
    endif()
    foreach(header IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        cmake_path(GET header STEM LAST_ONLY stem)
        foreach(language IN LISTS languages)
            set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${target}-${stem}.${language}")
            file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
            list(APPEND sources "${source}")
        endforeach()
    endforeach()
    add_library(${target}-headers OBJECT ${sources})
    target_compile_options(${target}-headers PRIVATE -Wall -Wextra -Wpedantic -Werror)
    target_link_libraries(${target}-headers PRIVATE ${target})
endfunction()

# nereus_add_program(TARGET SOURCES f... [LINK lib...] [OUTPUT_NAME name] [LIBEXEC] [NO_INSTALL])
# A program for users in bin/ or, with LIBEXEC, a helper in libexec/nereus/, in both trees alike.
function(nereus_add_program target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "LIBEXEC;NO_INSTALL" "OUTPUT_NAME" "SOURCES;LINK")
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_LINK} nereus_common)
    if(arg_OUTPUT_NAME)
        set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_OUTPUT_NAME})
    endif()
    if(arg_LIBEXEC)
        set(destination "${NEREUS_LIBEXECDIR}")
        set_target_properties(${target} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY "${NEREUS_LIBEXEC_OUTPUT_DIRECTORY}"
            INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}${nereus_origin_mpi}")
    else()
        set(destination "${CMAKE_INSTALL_BINDIR}")
        set_target_properties(${target} PROPERTIES
            INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}${nereus_origin_mpi}")
    endif()
    if(NOT arg_NO_INSTALL)
        install(TARGETS ${target} RUNTIME DESTINATION "${destination}")
    endif()
endfunction()
