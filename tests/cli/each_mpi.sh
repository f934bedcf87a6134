# Calibrate, predict and validate on the MPI that NEREUS_MPI names, or else that of the build: the
# profile says which it is.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
mpi=$(sed -n 's/^NEREUS_MPI_VERSION=//p' "${NEREUS_MPI-$(sed -n 's/^NEREUS_MPI_FOLDER:PATH=//p' "$NEREUS_BINARY_DIR/CMakeCache.txt")}/mpi.env")
accepted "$NEREUS" calibrate --budget 20s --output profile.json
grep -q "\"mpi\": *\"$mpi\"" profile.json || fail "the profile does not say $mpi: $(grep -o '"mpi"[^,]*' profile.json)"
accepted "$NEREUS" predict --profile profile.json --ns 1 --nt 2 --format csv
accepted "$NEREUS" validate --profile profile.json --pairs 1:2,2:1 --methods merge/coll --repeats 1
holds 'merge' out
