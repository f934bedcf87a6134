# Sourced by scripts that need stubs of Slurm's commands, first on PATH: squeue and sinfo, which
# print what is in files of this folder (own, queue, nodes, steps), fail while `down` is there.
mkdir bin
# As squeue does: of one's own jobs (own: lines A|i|T|D|C|B|r|k, which may go on in a line "  k")
# what is asked for, of all others only what has no text.
cat >bin/squeue <<'SH'
#!/bin/bash
echo "$*" >>squeue.calls
[ ! -e held ] || { cat held; exit; }
[ -z "${!SQUEUE_@}" ] || { echo "squeue: error: ${!SQUEUE_@}" >&2; exit 1; }
[[ " $* " == *" --noconvert "* ]] || { echo "squeue: error: no --noconvert" >&2; exit 1; }
me="" ids=""
[[ " $* " != *" -s "* ]] || only_steps=1
for word; do
    case $word in
    --me) me=1 ;;
    --jobs=*) ids=${word#*=} ;;
    --partition=* | --nodelist=*) ;;
    -o) take=1 ;;
    *) [ -z "${take-}" ] || format=$word; take="" ;;
    esac
done
mark=${format%%|*}
case $mark in nereus:*) ;; *) echo "squeue: error: no mark: $format" >&2; exit 1 ;; esac
[ ! -e down ] || { echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1; }
[ ! -e banner ] || { cat banner && echo "squeue: error: a plugin warns" >&2; }
if [ -n "${only_steps-}" ]; then
    [ ! -e steps ] || sed "s/^/$mark|/" steps
    exit
fi
if [ "$format" = "$mark|%A|%P|%L|%q|%v|%a" ]; then
    echo "$mark|3|other|10:00|(null)||x"
    echo "$mark|${ids}|$(cat partition)|10:00|normal|(null)|solvers"
    exit
fi
if [ -z "$me" ]; then
    [ "$format" = "$mark|%A|%K|%D|%C|%r" ] || { echo "squeue: error: asked for $format of all users" >&2; exit 1; }
    sed "s/^/$mark|/" queue
else
    [ "$format" = "$mark|%A|%i|%T|%D|%C|%B|%r|%k" ] || { echo "squeue: error: $format" >&2; exit 1; }
    while IFS= read -r line; do
        case $line in
        "  "*) [ -z "$shown" ] || echo "${line#  }" ;;
        *) shown="" && [[ -n $ids && ,$ids, != *",${line%%|*},"* ]] || { shown=1 && echo "$mark|$line"; } ;;
        esac
    done <own
fi
SH
echo main >partition
cat >bin/sinfo <<'SH'
#!/bin/sh
for format; do :; done # the last word
case " $* " in *" --noconvert "*) cat nodes ;; *) sed 's/1024$/1K/' nodes ;; esac | sed "s/^/${format%%|*}|/"
SH
chmod +x bin/*
PATH=$PWD/bin:$PATH
mkdir -m 700 runtime
export XDG_RUNTIME_DIR=$PWD/runtime
unset SLURM_JOB_ID
