# nereus doctor and calibrate in a build without MPI: the machine's lines and exit status 0; one
# sentence. In a build with an MPI only what both share is looked at.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
refused '--format must be|--format' "$NEREUS" doctor --format csv
if [ "$NEREUS_HAVE_MPI" = 1 ]; then
    finish
fi
accepted "$NEREUS" doctor
holds '^  (ok|note) +cores +[0-9]+ may be used here' out
holds '^  (ok|note) +memory ' out
holds '^  note +library +this nereus was built without MPI' out
accepted "$NEREUS" doctor --format json
holds '"mpi": false' out
holds '"passed": true' out
refused 'was built without MPI' "$NEREUS" calibrate --budget 1s
only
finish
