# Functions that define the project's libraries and programs. README.md beside this file has
# examples.

# nereus_install_rpath(OUT LIB): run paths of an installed file, from which the libraries are in LIB
# ($ORIGIN...): these, and the MPI's, which lies below them if set-up has installed it.
function(nereus_install_rpath out lib)
    set(mpi ${NEREUS_MPI_LIBRARY_DIRS})
    if(NEREUS_MPI_PRIVATE)
        cmake_path(RELATIVE_PATH NEREUS_MPI_PRIVATE_DIR BASE_DIRECTORY "${CMAKE_INSTALL_LIBDIR}" OUTPUT_VARIABLE below)
        set(mpi "${lib}/${below}/lib")
    endif()
    set(${out} ${lib} ${mpi} ${NEREUS_LIBRARY_DIRS} PARENT_SCOPE)
endfunction()

# nereus_add_library(TARGET [OUTPUT_NAME name] SOURCES f... [HEADERS public.h...] [LINK public...]
#                    [LINK_PRIVATE private...])
# A shared library with SONAME, installed and exported as nereus::NAME. HEADERS are installed to
# include/nereus (nereus.h and nereus.hpp to include), and each of them is compiled alone, as C and as C++.
function(nereus_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME" "SOURCES;HEADERS;LINK;LINK_PRIVATE")
    set(type SHARED)
    if(NEREUS_STATIC)
        set(type STATIC)
    endif()
    add_library(${target} ${type} ${arg_SOURCES} ${arg_HEADERS})
    if(NOT arg_OUTPUT_NAME)
        set(arg_OUTPUT_NAME ${target})
    endif()
    add_library(nereus::${arg_OUTPUT_NAME} ALIAS ${target})
    nereus_install_rpath(rpath "$ORIGIN")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_OUTPUT_NAME} EXPORT_NAME ${arg_OUTPUT_NAME}
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        INSTALL_RPATH "${rpath}")
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
                                                "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${target} PUBLIC ${arg_LINK}
                          PRIVATE ${arg_LINK_PRIVATE} $<BUILD_INTERFACE:nereus_common>)
    install(TARGETS ${target} EXPORT nereus-targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    foreach(header IN LISTS arg_HEADERS) # each once: the runtime's is <nereus.h>, the model's are <nereus/...>
        cmake_path(GET header FILENAME name)
        if(name MATCHES "^nereus\\.h(pp)?$")
            install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
        else()
            install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nereus)
        endif()
    endforeach()
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
        cmake_path(GET header FILENAME name)
        foreach(language IN LISTS languages)
            if(language STREQUAL "c" AND header MATCHES "\\.hpp$")
                continue()
            endif()
            set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${target}-${name}.${language}")
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
        nereus_install_rpath(rpath "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}")
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${NEREUS_LIBEXEC_OUTPUT_DIRECTORY}")
    else()
        set(destination "${CMAKE_INSTALL_BINDIR}")
        nereus_install_rpath(rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
    if(NOT arg_NO_INSTALL)
        install(TARGETS ${target} RUNTIME DESTINATION "${destination}")
    endif()
endfunction()
