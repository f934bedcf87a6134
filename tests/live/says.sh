#!/bin/bash
# says.sh WORDS COMMAND...: runs a command and fails unless it says these words.
set -u
words=$1
shift
said=$(mktemp) || exit
trap 'rm -f "$said"' EXIT
"$@" 2>&1 | tee "$said"
status=${PIPESTATUS[0]}
grep -qF -- "$words" "$said" || { echo "says.sh: nobody said: $words"; exit 1; }
exit "$status"
