# The libraries that the project uses, found through pkg-config: PkgConfig::gsl, PkgConfig::jansson,
# PkgConfig::inih, PkgConfig::cairo, PkgConfig::zlib, PkgConfig::hwloc (the runtime needs it;
# without MPI, where installed), and where installed PkgConfig::criterion; and nereus_glpk, as GLPK
# brings no pkg-config file.

find_package(PkgConfig REQUIRED)

# nereus_dependency(NAME DEBIAN_PACKAGE [OPTIONAL])
function(nereus_dependency name package)
    cmake_parse_arguments(PARSE_ARGV 2 arg "OPTIONAL" "" "")
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${name})
    if(NOT TARGET PkgConfig::${name} AND NOT arg_OPTIONAL)
        message(FATAL_ERROR "${name} was not found: install ${package} (./setup build does this on Debian).")
    endif()
endfunction()

nereus_dependency(gsl libgsl-dev)
nereus_dependency(jansson libjansson-dev)
nereus_dependency(inih libinih-dev)
find_path(NEREUS_GLPK_INCLUDE_DIR glpk.h)
find_library(NEREUS_GLPK_LIBRARY glpk)
if(NOT NEREUS_GLPK_INCLUDE_DIR OR NOT NEREUS_GLPK_LIBRARY)
    message(FATAL_ERROR "GLPK was not found: install libglpk-dev (./setup build does this on Debian).")
endif()
add_library(nereus_glpk UNKNOWN IMPORTED GLOBAL)
set_target_properties(nereus_glpk PROPERTIES IMPORTED_LOCATION "${NEREUS_GLPK_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${NEREUS_GLPK_INCLUDE_DIR}")
nereus_dependency(cairo libcairo2-dev)
nereus_dependency(zlib zlib1g-dev)
set(optional OPTIONAL)
if(NEREUS_HAVE_MPI)
    set(optional "")
endif()
nereus_dependency(hwloc libhwloc-dev ${optional})
nereus_dependency(criterion libcriterion-dev OPTIONAL)
if(NEREUS_TESTS AND NOT TARGET PkgConfig::criterion)
    message(WARNING "Criterion was not found: unit tests are left out "
                    "(install libcriterion-dev; ./setup test does this on Debian).")
endif()
