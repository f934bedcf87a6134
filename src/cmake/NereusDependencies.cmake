# The libraries that the project uses. GSL and jansson are needed; without cairo, GLPK, hwloc,
# PMIx or zlib (not found, or NEREUS_CAIRO=OFF and so on) something is left out, which CMake and `nereus
# doctor` say. Targets: PkgConfig::NAME, which link lists name as
# $<TARGET_NAME_IF_EXISTS:PkgConfig::NAME> where it is optional; nereus_glpk, as GLPK brings no
# pkg-config file. NEREUS_LIBRARIES: the optional ones that are used.

option(NEREUS_STATIC "One static program: the predictor, without MPI (packaging/build-static)" OFF)
if(NEREUS_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES ".a")
    set(CMAKE_SKIP_RPATH ON)
    add_link_options(-static)
endif()
find_package(PkgConfig REQUIRED)
# Where find-libraries has put what this machine lacks. Installed programs look there, too.
set(NEREUS_LIBRARIES_FOLDER "${PROJECT_SOURCE_DIR}/build/libraries" CACHE PATH "Where find-libraries keeps its answer")
set(NEREUS_LIBRARY_DIRS "")
if(EXISTS "${NEREUS_LIBRARIES_FOLDER}/libraries.env")
    file(STRINGS "${NEREUS_LIBRARIES_FOLDER}/libraries.env" prefixes REGEX "^prefix ")
    list(TRANSFORM prefixes REPLACE "^prefix " "")
    list(APPEND CMAKE_PREFIX_PATH ${prefixes})
    foreach(prefix IN LISTS prefixes)
        list(APPEND NEREUS_LIBRARY_DIRS "${prefix}/lib")
        if(CMAKE_LIBRARY_ARCHITECTURE)
            list(APPEND NEREUS_LIBRARY_DIRS "${prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
        endif()
    endforeach()
    foreach(folder IN LISTS NEREUS_LIBRARY_DIRS) # a library there may need another one that is there, as GSL its CBLAS
        add_link_options("LINKER:-rpath-link,${folder}")
    endforeach()
endif()

# nereus_dependency(NAME DEBIAN_PACKAGE)
function(nereus_dependency name package)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${name})
    if(NOT TARGET PkgConfig::${name})
        message(FATAL_ERROR "${name} was not found: install ${package} (./setup build does this on Debian, "
                            "and says elsewhere where it can be taken from).")
    endif()
endfunction()

set(NEREUS_LIBRARIES "")
set(NEREUS_LIBRARIES_MISSING "")
set(NEREUS_LIBRARIES_C "")
# nereus_optional(NAME DEBIAN_PACKAGE TARGET LOST): uses the library if it is there and not turned off
function(nereus_optional name package target lost)
    string(TOUPPER ${name} upper)
    option(NEREUS_${upper} "Use ${name} where it is installed" ON)
    if(NEREUS_${upper} AND target STREQUAL "PkgConfig::${name}")
        pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${name})
    endif()
    if(NEREUS_${upper} AND TARGET ${target})
        set(NEREUS_LIBRARIES ${NEREUS_LIBRARIES} ${name} PARENT_SCOPE)
        return()
    endif()
    message(STATUS "Without ${name} (Debian: ${package}): ${lost}")
    set(NEREUS_LIBRARIES_MISSING ${NEREUS_LIBRARIES_MISSING} ${name} PARENT_SCOPE)
    set(NEREUS_LIBRARIES_C "${NEREUS_LIBRARIES_C}    X(\"${name}\", \"${package}\", \"${lost}\") \\\n" PARENT_SCOPE)
endfunction()

nereus_dependency(gsl libgsl-dev)
nereus_dependency(jansson libjansson-dev)
find_path(NEREUS_GLPK_INCLUDE_DIR glpk.h)
find_library(NEREUS_GLPK_LIBRARY glpk)
if(NEREUS_GLPK_INCLUDE_DIR AND NEREUS_GLPK_LIBRARY)
    add_library(nereus_glpk UNKNOWN IMPORTED GLOBAL)
    set_target_properties(nereus_glpk PROPERTIES IMPORTED_LOCATION "${NEREUS_GLPK_LIBRARY}"
                          INTERFACE_INCLUDE_DIRECTORIES "${NEREUS_GLPK_INCLUDE_DIR}")
    if(NEREUS_STATIC) # what GLPK itself needs
        foreach(library ltdl amd colamd suitesparseconfig gmp)
            find_library(NEREUS_GLPK_${library} ${library})
            if(NEREUS_GLPK_${library})
                set_property(TARGET nereus_glpk APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${NEREUS_GLPK_${library}}")
            endif()
        endforeach()
    endif()
endif()
nereus_optional(cairo libcairo2-dev PkgConfig::cairo "pictures are SVG and HTML, not PDF or PNG")
nereus_optional(glpk libglpk-dev nereus_glpk "a policy knows one class of nodes only")
nereus_optional(hwloc libhwloc-dev PkgConfig::hwloc "processes are not bound to cores")
nereus_optional(pmix libpmix-dev PkgConfig::pmix "there is no nereus-pmix, which asks a resource manager by PMIx for nodes")
nereus_optional(zlib zlib1g-dev PkgConfig::zlib "gzipped files are not read, and checksums of checkpoints take longer")
file(CONFIGURE OUTPUT "${NEREUS_GENERATED_DIR}/nereus_libraries.h" @ONLY CONTENT "/* Made by CMake. X(library, Debian package, what is lost): those that this build is without. */
#ifndef NEREUS_LIBRARIES_H
#define NEREUS_LIBRARIES_H

#define NEREUS_LIBRARIES_MISSING(X) \\
@NEREUS_LIBRARIES_C@
#endif
")

# nereus_choose_sources(LIST): of X_with_LIBRARY.c and X_without_LIBRARY.c, the one to build.
function(nereus_choose_sources list)
    set(chosen ${${list}})
    foreach(library IN LISTS NEREUS_LIBRARIES)
        list(FILTER chosen EXCLUDE REGEX "_without_${library}[.]c$")
    endforeach()
    foreach(library IN LISTS NEREUS_LIBRARIES_MISSING)
        list(FILTER chosen EXCLUDE REGEX "_with_${library}[.]c$")
    endforeach()
    set(${list} ${chosen} PARENT_SCOPE)
endfunction()

pkg_check_modules(criterion QUIET IMPORTED_TARGET GLOBAL criterion)
if(NEREUS_TESTS AND NOT TARGET PkgConfig::criterion)
    message(WARNING "Criterion was not found: unit tests are left out "
                    "(install libcriterion-dev; ./setup test does this on Debian).")
endif()
