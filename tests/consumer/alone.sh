#!/bin/bash
# alone.sh BINARY_DIR SOURCE_DIR: an installation stands alone. It is moved to another place; then,
# in a mount namespace in which the checkout and its build folder are hidden, everything that it has
# is used: jobs that change their size, predictions, and programs in C, C++ and Fortran that are
# built by CMake (with MPI looked for before Nereus), by pkg-config and by nereus-mpicc and its
# kind.
# Status 77: this user cannot have a mount namespace.
set -u

fail() { echo "alone: $*"; exit 1; }

accepted() { # COMMAND...
    timeout -k 3 120 "$@" >out 2>&1 </dev/null || { status=$?; tail -40 out; fail "'$*' ended with $status"; }
}

runs() { # PROGRAM LINE
    accepted "$prefix/bin/nereus-mpiexec" -n 2 "$1"
    grep -qE "$2" out || { cat out; fail "$1 does not say '$2'"; }
}

# ---- inside --------------------------------------------------------------------------------------

hide() { # FOLDER
    [ -e "$1" ] || return 0 # in another that is hidden
    mount -t tmpfs none "$1" || fail "$1 cannot be hidden"
    [ -z "$(ls -A "$1")" ] || fail "$1 is still to be seen"
}

# Nothing but debugging information names a folder of the checkout.
check_paths() {
    local named file
    named=$(grep -rIlF -e "$source" -e "$binary" "$prefix")
    [ -z "$named" ] || fail "these files name the checkout: $named"
    for file in "$prefix"/bin/* "$prefix"/libexec/nereus/* "$prefix"/lib/*.so; do
        readelf -d "$file" 2>/dev/null | grep -E 'R(UN)?PATH' | grep -qF -e "$source" -e "$binary" &&
            fail "the run path of $file is in the checkout"
    done
    # (Results were measured in the sources, and say so.)
    named=$(grep -rnE 'sam/programs|build/release/bin' "$prefix/share/doc/nereus" --include='*.md' --exclude='results*' --exclude-dir=results | head -3
        cd "$prefix/share/doc/nereus" && grep -roE '\]\([^):#]+[)#]' --include='*.md' . | while IFS= read -r named; do
            [ -e "$(dirname "${named%%:*}")/$(tr -d ')#' <<<"${named##*(}")" ] || echo "$named"
        done)
    [ -z "$named" ] || fail "the documentation names what is not installed: $named"
    file=$(find "$prefix/include" -name '*.h' -printf '%f\n' | sort | uniq -d)
    [ -z "$file" ] || fail "installed twice: $file"
}

by_cmake() {
    local home
    home=$(dirname "$(dirname "$(realpath "$(pkg-config --variable=mpicc nereus)")")")
    local by_abi=() # only such an installation has these wrappers, and CMake does not look for them
    [ ! -e "$home/bin/mpicc_abi" ] || by_abi=("-DMPI_C_COMPILER=$home/bin/mpicc_abi" "-DMPI_CXX_COMPILER=$home/bin/mpicxx_abi")
    accepted cmake -G Ninja -S consumer -B by-cmake -DMPI_FIRST=ON "${by_abi[@]}" "-DCMAKE_PREFIX_PATH=$prefix;$home" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror" \
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"
    accepted cmake --build by-cmake
    runs by-cmake/use_runtime 'use_runtime: 3 processes after iteration 4'
    runs by-cmake/use_matrix 'use_matrix: 1 processes, wrong 0'
    [ -z "$mpifort" ] || runs by-cmake/use_module 'use_module: 3 processes, sum 400'
    # Another MPI is refused, with what to do: here one that only has another name.
    mkdir -p other/bin
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$home/bin/mpicc" >other/bin/mpicc
    chmod 755 other/bin/mpicc
    cmake -G Ninja -S consumer -B refused -DMPI_FIRST=ON "-DMPI_C_COMPILER=$work/other/bin/mpicc" "-DCMAKE_PREFIX_PATH=$prefix;$home" >out 2>&1 &&
        fail "a project with another MPI was accepted"
    tr -s ' \n' ' ' <out | grep -qF -e "this project uses the MPI of $work/other/bin/mpicc: give cmake -DMPI_HOME=$home" \
        -e "this project uses the MPI of $work/other/bin/mpicc: give cmake -DMPI_C_COMPILER=$home/bin/mpicc_abi" ||
        { tail -20 out; fail "another MPI was refused with another sentence"; }
}

by_pkg_config() {
    accepted consumer/build-with-pkg-config "$prefix" "$work/consumer" "$work/by-pkg-config"
    runs by-pkg-config/use_runtime 'use_runtime: 3 processes after iteration 4'
    [ -z "$mpifort" ] || runs by-pkg-config/use_module 'use_module: 3 processes, sum 400'
}

by_wrappers() {
    accepted "$prefix/bin/nereus-mpicc" -Wall -o runtime consumer/use_runtime.c
    accepted "$prefix/bin/nereus-mpicxx" -Wall -c -o matrix.o consumer/use_matrix.cpp
    accepted "$prefix/bin/nereus-mpicxx" -o matrix matrix.o
    runs ./runtime 'use_runtime: 3 processes after iteration 4'
    runs ./matrix 'use_matrix: 1 processes, wrong 0'
    [ -n "$mpifort" ] || return 0
    accepted "$prefix/bin/nereus-mpifort" -o module consumer/use_module.f90
    runs ./module 'use_module: 3 processes, sum 400'
    # Also for a linker that leaves out libraries which the program itself does not call, and with
    # all names looked up at the start.
    accepted "$prefix/bin/nereus-mpifort" -Wl,--as-needed -Wl,-z,now -o module-now consumer/use_module.f90
    export LD_BIND_NOW=1
    runs ./module-now 'use_module: 3 processes, sum 400'
    unset LD_BIND_NOW
}

inside() {
    hide "$source"
    hide "$binary"
    cd "$work" || exit 1
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    mpifort=$(pkg-config --variable=mpifort nereus-fortran 2>/dev/null)
    accepted "$prefix/bin/nereus" predict --profile profile.json --ns 2 --nt 4
    grep -q merge out || fail "nereus predict does not predict: $(cat out)"
    [ -e "$prefix/bin/nereus-mpiexec" ] || { echo "no MPI: predictions only"; return; }
    by_cmake
    by_pkg_config
    by_wrappers
    check_paths
    echo "alone: C, C++${mpifort:+, Fortran}: built by CMake, pkg-config and wrappers, and resized"
}

# ---- outside -------------------------------------------------------------------------------------

if [ "$1" = inside ]; then
    binary=$2 source=$3 work=$4 prefix=$4/moved
    inside
    exit
fi
binary=$1 source=$2
work=$(mktemp -d /tmp/nereus-alone.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
cmake --install "$binary" --prefix "$work/installed" >"$work/out" 2>&1 || { tail "$work/out"; fail "it cannot be installed"; }
mv "$work/installed" "$work/moved"
cp -r "$source/tests/consumer" "$work/consumer"
cp "$source/tests/consumer/alone.sh" "$source/tests/cli/data/profile.json" "$work"
namespace=(unshare --mount)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --map-root-user --mount)
if ! "${namespace[@]}" mount -t tmpfs none /mnt 2>/dev/null; then
    echo "skipped: no mount namespace can be had here (unshare --mount; root, or user namespaces)"
    exit 77
fi
"${namespace[@]}" bash "$work/alone.sh" inside "$binary" "$source" "$work"
