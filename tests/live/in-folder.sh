#!/bin/bash
# in-folder.sh COMMAND...: runs a command in a new folder, which is removed. Ends as the command ends.
set -u
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
"$@"
