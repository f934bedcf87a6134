# docs/application.md shows what makes a program of sam/programs malleable.
nereus_add_cli_test(cli-programs SCRIPT programs.sh MPI)
