# find-libraries with stub tools and package managers: what it finds missing, where it takes it
# from, and its sentences.
set -u
find_libraries=$NEREUS_SOURCE_DIR/src/cmake/find-libraries
failed=0
mkdir bin
stub() { # NAME BODY
    printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}
# shellcheck disable=SC2016 # for the stubs
{
    stub cc 'exit "${NO_GLPK-0}"'
    stub cmake 'echo "cmake version $CMAKE_IS"'
    stub ninja true
    stub python3 'exit 1'
    stub apt-get 'exit 100'
    stub pkg-config '[ "$1" = --exists ] || exit 1
        [[ " $THERE " == *" $2 "* ]] && exit
        for folder in ${PKG_CONFIG_PATH//:/ }; do [ -e "$folder/$2.pc" ] && exit; done; exit 1'
    conda='while [ "$1" != -p ]; do shift; done; mkdir -p "$2/lib/pkgconfig"; touch "$2/lib/pkgconfig/gsl.pc"; echo "$@" >>asked'
}
export PATH=$PWD/bin:/usr/bin:/bin CMAKE_IS=3.25.1 THERE="gsl jansson cairo hwloc zlib"
says() { # STATUS SENTENCE: find-libraries ends so
    local output status
    output=$("$find_libraries" out)
    status=$?
    # shellcheck disable=SC2053 # a pattern
    if [ "$status" -ne "$1" ] || [[ $(tail -1 <<<"$output") != $2 ]]; then
        echo "expected $1, '$2', got $status: $output"
        failed=1
    fi
}
says 0 "all needed is there"
[ ! -s out/libraries.env ] || { echo "places of libraries, though none was missing"; failed=1; }
THERE="gsl jansson" NO_GLPK=1 says 0 "all needed is there; without cairo glpk hwloc zlib"
THERE="jansson cairo hwloc zlib" says 1 "A build needs gsl, and neither apt-get download, conda nor spack gave it: *"
CMAKE_IS=3.18.4 says 1 "A build needs cmake 3.25 (here: 3.18.4), ninja and pkg-config, and PyPI did not give cmake>=3.25,<4 *"
CC=nowhere says 1 "A build needs a C compiler *"
stub conda "$conda"
THERE="jansson cairo hwloc" says 0 "from conda gsl; without zlib"
grep -qx -- "-p $PWD/out/conda -c conda-forge gsl zlib" asked || { echo "asked of conda: $(cat asked)"; failed=1; }
grep -qx "prefix $PWD/out/conda" out/libraries.env || { echo "the place: $(cat out/libraries.env)"; failed=1; }
THERE="jansson cairo hwloc zlib" says 0 "all needed is there"
exit $failed
