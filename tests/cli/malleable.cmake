# docs/results/apps.md states numbers of lines.
nereus_add_cli_test(cli-malleable-lines SCRIPT malleable_lines.sh)
