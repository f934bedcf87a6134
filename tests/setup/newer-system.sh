# ./setup build on a newer system, for an ordinary user: Debian 13 in a folder with compilers alone,
# no sudo, a HOME that cannot be written, a prefix with a space. Needs root, a network and
# mmdebstrap. Its mounts are in a mount namespace, and end with it.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can make a chroot"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
unshare --mount mmdebstrap --mode=root --variant=minbase --skip=cleanup/apt/lists --dpkgopt=force-unsafe-io \
    --include=ca-certificates,g++,gfortran,make,pkg-config,python3-venv,procps \
    trixie new http://deb.debian.org/debian >made 2>&1 || { rm -rf new; skip "Debian 13 could not be loaded: $(tail -1 made)"; }

# Certificates and pip's settings are those of this system; the user 1000 has no home.
for file in /etc/ssl/certs/ca-certificates.crt /etc/pip.conf /etc/resolv.conf; do [ ! -e "$file" ] || cp -L "$file" "new$file"; done
checkout=/srv/nereus
mkdir new$checkout
tar -C "$NEREUS_SOURCE_DIR" --exclude=./build --exclude=./.git -c . | tar -C new$checkout -x
chown -R 1000:1000 new$checkout

# there COMMAND...: as that user, in the check-out
there() {
    # shellcheck disable=SC2016 # for the other shell
    unshare --mount -- "$BASH" -c 'mount --bind new new && mount -t proc proc new/proc && mount --rbind /sys new/sys && mount --rbind /dev new/dev &&
        mount -t tmpfs -o mode=1777 tmpfs new/dev/shm &&
        exec chroot --userspec=1000:1000 new env -u TMPDIR HOME=/nonexistent PATH=/usr/bin:/bin bash -c "cd \"\$0\" && exec \"\$@\"" "$@"' there "$checkout" "$@"
}
accepted there ./setup build
[ "$failures" -eq 0 ] || { tail -n 40 new$checkout/build/setup.log; rm -rf new; finish; }
holds '^\[1/4\] Tools and libraries ... from PyPI cmake.* ninja; from Debian.s packages, unpacked gsl jansson; without cairo glpk hwloc zlib ' out
holds '^\[3/4\] Fortran for this MPI ... use mpi, use mpi_f08 by Debian' out
holds '^\[4/4\] Building ... build/release, ' out
bin=build/libraries/tools/bin
accepted there $bin/ctest --test-dir build/release --no-tests=error -R '^(cli-fit|cli-predict|live-matrix-(merge|baseline)-coll|live-restart-heat-fortran)$'
holds '^100% tests passed, 0 tests failed out of 5$' out
accepted there $bin/cmake --install build/release --prefix "$checkout/build/a prefix"
there "build/a prefix/bin/nereus-mpicc" tests/consumer/use_runtime.c -o build/use_runtime >out 2>err && fail "MPICH's mpicc took a path with a space"
holds "^nereus-mpicc: an MPI's mpicc takes no path with a space, as .*/mpicc: install Nereus below a folder without one$" err
accepted there build/release/bin/nereus-mpicc tests/consumer/use_runtime.c -o build/use_runtime
accepted there "build/a prefix/bin/nereus-mpiexec" -n 2 build/use_runtime
holds '^use_runtime: 3 processes after iteration 4' out
rm -rf new
finish
