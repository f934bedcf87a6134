# docs/application.md says what is in sam/.
nereus_add_cli_test(cli-malleable-lines SCRIPT malleable_lines.sh)
