# The libraries that the project uses, found through pkg-config: PkgConfig::gsl, PkgConfig::jansson,
# PkgConfig::inih, PkgConfig::cairo, PkgConfig::zlib, PkgConfig::hwloc (the runtime needs it; without MPI, where installed), and where installed
# PkgConfig::criterion.

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
