# nereus job checkpoints: those that are whole and those that are not, as text, CSV and JSON;
# folders without any.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
export TZ=Europe/Madrid

# make N: checkpoint N in the folder c, of an array of 4 numbers of 8 bytes and a state of 5 bytes.
make() {
    python3 - "$1" <<'PY'
import json, os, struct, sys, zlib
n = int(sys.argv[1])
path = f"c/checkpoint-{n}"
os.makedirs(path)
def put(name, data):
    open(f"{path}/{name}", "wb").write(data)
    return {"file": name, "bytes": len(data), "crc32": zlib.crc32(data)}
values = put("x.bin", struct.pack("4d", 0, 1, 2, n))
json.dump({
    "format": "nereus-checkpoint", "version": 1, "number": n, "job": "a3f0c2d417e96b58", "job_name": "heat",
    "program": "/opt/solvers/bin/heat", "library": "nereus 0.1.0", "mpi": "MPICH 4.1", "processes": 3, "points": 100 * n,
    "restarts": 1, "written_s": 1795824000 + 60.5 * n, "took_s": 0.25,
    "sizes": {"minimum": 1, "maximum": 0, "multiple_of": 0, "powers_of_two": False},
    "hosts": [{"name": "host0", "slots": 4, "processes": 3}],
    "objects": [{"name": "x", "kind": "variable", "placement": "distributed", "shape": "array", "element_bytes": 8,
                 "count": 4, "values": values, "type": "MPI_DOUBLE"}],
    "state": put("state.bin", b"state")}, open(f"{path}/manifest.json", "w"))
PY
}

mkdir c empty
misused 'FOLDER is missing' "$NEREUS" job checkpoints
misused "'d' is one argument too many" "$NEREUS" job checkpoints c d
misused "--format must be one of text, csv, json, not 'xml'" "$NEREUS" job checkpoints c --format xml
failed "^nereus job checkpoints: there is no checkpoint in 'empty'$" "$NEREUS" job checkpoints empty
failed "'nowhere' cannot be read: No such file" "$NEREUS" job checkpoints nowhere --format csv
failed "'x' is not a folder" sh -c 'touch x && exec "$0" job checkpoints x' "$NEREUS"
rm x

make 9
make 10
mkdir c/checkpoint-11 # not written to its end
failed "'c/checkpoint-11' has no manifest.json: it was not written to its end" "$NEREUS" job checkpoints c/checkpoint-11
for one in c/checkpoint-9 c/checkpoint-9/; do
    accepted "$NEREUS" job checkpoints "$one"
    [ "$(sed 's/  */ /g; s/^ //; s/ $//' out | tail -n +2)" = "9 2026-11-28 01:09:04 3 900 37 1 heat yes" ] || fail "$one: $(cat out)"
done
accepted "$NEREUS" job checkpoints c --verify
holds '^number +written +processes +points +bytes +restarts +program +whole *$' out
[ "$(sed 's/  */ /g; s/^ //; s/ $//' out | tail -n +2)" = "10 2026-11-28 01:10:05 3 1000 37 1 heat yes
9 2026-11-28 01:09:04 3 900 37 1 heat yes" ] || fail "rows: $(cat out)"
accepted "$NEREUS" job checkpoints c --format csv
[ "$(cat out)" = "number,written_s,processes,points,bytes,restarts,program,whole,sentence
10,1795824605,3,1000,37,1,/opt/solvers/bin/heat,1,
9,1795824544.5,3,900,37,1,/opt/solvers/bin/heat,1," ] || fail "rows: $(cat out)"

# A byte that has changed is seen by its checksum alone.
printf 'X' | dd of=c/checkpoint-10/x.bin bs=1 seek=3 conv=notrunc status=none
accepted "$NEREUS" job checkpoints c
holds '^ *10 .* yes *$' out
accepted "$NEREUS" job checkpoints c --verify
holds '^ *10 +2026-.* heat +no *$' out
holds '^ *9 .* yes *$' out
holds_whole "^'c/checkpoint-10/x.bin' is not as it was written: its checksum"

# A file that is too short, and a manifest of another version: the other checkpoint counts.
truncate -s 20 c/checkpoint-10/x.bin
accepted "$NEREUS" job checkpoints c --format json
python3 - out <<'PY' || fail "JSON is not right: $(cat out)"
import json, sys
broken, whole = json.load(open(sys.argv[1]))
assert broken["number"] == 10 and broken["whole"] is False and broken["processes"] is None and broken["bytes"] is None
assert broken["sentence"].endswith("manifest.json: the file 'x.bin' has 20 bytes instead of 32")
assert whole["number"] == 9 and whole["whole"] is True and whole["sentence"] is None and whole["bytes"] == 37
PY
sed -i 's/"version": 1/"version": 2/' c/checkpoint-9/manifest.json
"$NEREUS" job checkpoints c >out 2>err
[ $? -eq 1 ] || fail "none is whole, and the status is not 1"
holds "^nereus job checkpoints: no checkpoint in 'c' is whole$" err
holds '^ *10 .* no *$' out
holds '^ *9 .* no *$' out
holds_whole 'this Nereus reads version 1 of checkpoints, not 2$'

# A time that no calendar has is none.
rm -r c && mkdir c && make 1
sed -i 's/"written_s": [0-9.]*/"written_s": 1e300/' c/checkpoint-1/manifest.json
accepted "$NEREUS" job checkpoints c
holds '^number +processes ' out

rm -r c empty
only ''
finish
