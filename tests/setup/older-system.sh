# The static predictor of packaging/build-static on an older system: Debian 11 in a folder, with the
# same prediction as here. Needs root, a network and mmdebstrap; the chroot has nothing but Debian's
# essential packages.
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can make a chroot"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
accepted "$NEREUS_SOURCE_DIR/packaging/build-static" dist
[ "$(stat -c %s dist/nereus)" -lt 8000000 ] || fail "a static file of $(stat -c %s dist/nereus) bytes"
unshare --mount mmdebstrap --mode=root --variant=essential bullseye old http://deb.debian.org/debian >made 2>&1 ||
    { rm -rf old; skip "Debian 11 could not be loaded: $(tail -1 made)"; }
cp dist/nereus old/usr/bin/nereus
"$NEREUS" profile fit "$NEREUS_SOURCE_DIR/tests/unit/data/spawning_tables_1_to_4.csv" --output old/six-nodes.json >out 2>err || fail "fit: $(cat err)"
question="predict --profile six-nodes.json --ns 20 --nt 60 --t-iter 0.2s"
# shellcheck disable=SC2086 # words
(cd old && "$NEREUS" $question) >here 2>err || fail "here: $(cat err)"
# shellcheck disable=SC2086
accepted chroot old /usr/bin/nereus $question
cmp here out || fail "another prediction on Debian $(cat old/etc/debian_version)"
chroot old /usr/bin/nereus $question --output x.pdf >out 2>err && fail "a PDF without cairo"
holds '^nereus predict: --output x.pdf: this Nereus was built without cairo, ' err
python3 -m venv venv >out 2>err && accepted venv/bin/pip install --no-index dist/nereus-*.whl && accepted venv/bin/nereus --version
rm -rf old venv
finish
