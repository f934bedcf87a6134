#!/bin/bash
# run.sh MPIEXEC ROW ARGS...: a row of python.cmake. The Python is that which ./setup test has
# installed (install), or python3 where it has the packages; else the row is skipped.
set -u
mpiexec=$1 row=$2
shift 2
here=$(dirname -- "$(readlink -f -- "$0")")
root=$(dirname -- "$(dirname -- "$here")")
python=$root/build/python/bin/python
[ -x "$python" ] || python=$(command -v python3)
why=$("$python" -c 'import importlib.util as i
for name in "mpi4py", "numpy", "scipy": i.find_spec(name) or exit("no " + name)' 2>&1) || {
    echo "SKIPPED: $python has not mpi4py, numpy and scipy, which tests/python/install installs: ${why##*$'\n'}"
    exit 77
}
export PYTHONPATH=$root/src/python PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}

# An example gives the same answer, whatever changes of size there were.
example() { # NAME CHANGES METHOD
    local plain changed number
    plain=$("$mpiexec" -n 1 "$python" "$root/src/python/examples/$1.py") || fail "undisturbed: $?"
    changed=$(NEREUS_SCHEDULE=${2//,/:$3,}:$3 "$mpiexec" -n 2 "$python" "$root/src/python/examples/$1.py") || fail "changed: $?"
    printf '%s\n' "$plain" "$changed"
    number=$(tr -cd @ <<<"$2" | wc -c)
    [[ "${plain%, processes*}" = "${changed%, processes*}" && $changed == *"changes of size $number" ]]
}

# New processes run what was started, by the interpreter that was started.
start() {
    local program='import sys, nereus
with nereus.init(schedule="2@1") as job:
    for _ in job.steps(3):
        words = job.comm.allgather((sys.executable, sys.argv[1:], sys.flags.dev_mode))
        assert len(set(map(str, words))) == 1, words
    if not job.left and job.rank == 0:
        print(job.size, job.reconfigurations, *words[0])'
    local bin
    "$python" -m venv --system-site-packages --without-pip "$work/env"
    "$python" -c 'import sys; print("\n".join(path for path in sys.path if path.endswith("-packages")))' >"$work/paths.pth"
    cp "$work/paths.pth" "$(echo "$work"/env/lib/python*/site-packages)/packages.pth"
    bin=$work/env/bin
    mkdir -p "$work/package" "$work/bin"
    echo "$program" >"$work/package/__main__.py"
    { echo "#!$bin/python"; echo "$program"; } >"$work/bin/of-path"
    chmod +x "$work/bin/of-path"
    cd "$work" || exit 1
    says "2 1 $bin/python ['a', 'b c'] True" "$mpiexec" -n 1 "$bin/python" -X dev -m package a "b c"
    says "2 1 $bin/python [] False" env PATH="$work/bin:$PATH" "$mpiexec" -n 1 of-path
    says "2 1 $bin/python ['x'] False" env PATH="$bin:$PATH" "$mpiexec" -n 1 python -c "$program" x
    says "2 1 $bin/python ['y'] False" NEREUS_LIBRARY="$(dirname -- "$mpiexec")/../lib/libnereus.so" \
        "$(sed -n 's/^mpiexec="\(.*\)"$/\1/p' "$mpiexec" | sed "s|\$here|$(dirname -- "$mpiexec")|")" -n 1 "$bin/python" package y
}
says() { # LINE [NAME=VALUE] COMMAND...
    local answer
    answer=$(env "${@:2}" 2>"$work/err") || fail "${*:2}: status $?: $(cat "$work/err")"
    [ "$answer" = "$1" ] || fail "${*:2}: '$answer', expected '$1'"
}

# The wheel that pip makes without a network is all that a program needs.
installed() {
    "$python" -m pip install -q --no-index --no-deps --no-cache-dir --disable-pip-version-check --target "$work/target" "$root/src/python" || fail "pip: $?"
    export PYTHONPATH=$work/target
    cd "$work" || exit 1
    says "$work/target/nereus/__init__.py 1" "$mpiexec" -n 1 "$python" -c 'import nereus
with nereus.init() as job: print(nereus.__file__, job.size)'
}

# The Python program of docs/languages.md prints what the page shows; the predictor answers, or says why not.
page() {
    local profile=$root/tests/unit/data/calibrated.json
    sed -n '/^## Python$/,$p' "$root/docs/languages.md" >"$work/manual"
    awk '/^```python$/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$work/manual" >"$work/sum.py"
    awk '/^```text$/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$work/manual" >"$work/expected"
    [ -s "$work/expected" ] || fail "docs/languages.md shows no answer"
    says "$(cat "$work/expected")" "$(grep -om 1 'NEREUS_SCHEDULE=[^ ]*' "$work/manual")" "$mpiexec" -n 2 "$python" "$work/sum.py"
    export PATH=${mpiexec%/*}:$PATH
    says "merge True ['merge', 'baseline']" "$python" -c "import nereus
answer = nereus.predict(1, 2, methods=['merge', 'baseline'], profile='$profile')
rows = answer['predictions']
print(answer['best'], 0 < rows[0]['rt_s'] < rows[1]['rt_s'], [row['method'] for row in rows])
try:
    nereus.predict(2, 0, profile='$profile')
    print('no error')
except nereus.NereusError as error:
    assert error.status == 'argument' and 'must be at least 1' in str(error), error"
    "$python" "$root/src/python/examples/predict.py" 1 2,4 "" "$profile" >"$work/table" || fail "predict.py: $?"
    grep -q '^1 -> 4: best is ' "$work/table" || fail "$(cat "$work/table")"
    "$python" "$root/src/python/examples/predict.py" 1 2,4 "" "nodes:16 cores:20 latency:1.5us bandwidth:12GB/s" >"$work/table" || fail "predict.py: $?"
    grep -q '^1 -> 4: best is ' "$work/table" || fail "$(cat "$work/table")"
    NEREUS_PROFILE='' "$python" "$root/src/python/examples/predict.py" 1 2 >"$work/table" 2>&1 && fail "predict.py without a profile"
    [[ $(wc -l <"$work/table") -eq 1 && $(cat "$work/table") == "predict.py: nereus predict: no profile"*"nereus calibrate"* ]] || fail "$(cat "$work/table")"
}

# NEREUS_CHECK=1 names the collectives on MPI.COMM_WORLD after a resize, and there are none of the job's own.
world() {
    local calls
    NEREUS_CHECK=1 "$mpiexec" -n 2 "$python" "$here/job.py" world 2>"$work/err" || fail "$?: $(cat "$work/err")"
    calls=$(sed -n 's/^nereus: MPI_\([A-Za-z_]*\) on MPI_COMM_WORLD by rank 0 after point 2: .*/\1/p' "$work/err" | sort | tr '\n' ' ')
    [ "$calls" = "Allreduce Barrier Bcast Comm_dup Gather Gatherv " ] || fail "named: $calls; $(cat "$work/err")"
}

restart() {
    "$mpiexec" --checkpoint "$work/checkpoints" --on-failure restart -n 2 "$python" "$here/job.py" restart || return
    [ "$(find "$work/checkpoints" -name 'checkpoint-*' | wc -l)" = 1 ] || fail "the restart has written the checkpoint again: $(ls "$work/checkpoints")"
    grep -q '"program": *"[^"]*/job.py"' "$work"/checkpoints/checkpoint-1/manifest.json || fail "of another program: $(grep program "$work"/checkpoints/checkpoint-1/manifest.json)"
}

# mpi4py is imported, and has initialised MPI, before nereus.
first() {
    "$mpiexec" -n 2 "$python" -c 'import runpy, sys, mpi4py.MPI
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")' "$here/job.py" "$@"
}

case $row in
    example | first | start | installed | page | world | restart) "$row" "$@" ;;
    *) "$mpiexec" -n 2 "$python" "$here/job.py" "$row" "$@" ;;
esac
