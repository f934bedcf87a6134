#!/bin/sh
# manuals.sh SOURCE MPIEXEC VERSION SHARE: the manual pages of nereus.h and nereus-mpiexec, and the
# completion of nereus-mpiexec, into SHARE, beside those of `nereus help --output SHARE`, whose date
# they get.
set -eu
source=$1 mpiexec=$2 version=$3 share=$4
date=$(sed -n '1s/^\.TH [^ ]* [^ ]* "\([^"]*\)".*/\1/p' "$share/man/man1/nereus.1")
mkdir -p "$share/man/man3"
awk -v folder="$share/man/man3" -v version="$version" -v date="$date" -f "$source/src/include/header-comments.awk" \
    -f "$source/src/include/header-manual.awk" "$source/src/include/nereus/nereus.h"
write() { # KIND FILE
    "$mpiexec" --help | sed "s#$source/docs#share/doc/nereus#" >"$share/help.tmp" # as installed
    awk -v kind="$1" -v version="$version" -v date="$date" -f "$source/src/mpi/mpiexec-manual.awk" "$share/help.tmp" >"$share/$2"
    rm "$share/help.tmp"
}
write man man/man1/nereus-mpiexec.1
write bash bash-completion/completions/nereus-mpiexec
write zsh zsh/site-functions/_nereus-mpiexec
write fish fish/vendor_completions.d/nereus-mpiexec.fish
