# tests/clear-shm: what killed jobs have left goes, and nothing else.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
mkdir shm
touch -d '2 minutes ago' shm/mpich_shm_before
touch -d '1 minute ago' begun
for name in mpich_shm_left ucx_shm_posix_left mpich_shm_open of_others; do touch -d '30 seconds ago' shm/$name; done
touch shm/mpich_shm_fresh
exec 9<shm/mpich_shm_open
accepted "$NEREUS_SOURCE_DIR/tests/clear-shm" begun "$PWD/shm"
exec 9<&-
[ "$(ls shm | paste -sd' ')" = 'mpich_shm_before mpich_shm_fresh mpich_shm_open of_others' ] || fail "left: $(ls shm | paste -sd' ')"
rm -r shm begun
finish
