# What the documentation shows works. With MPI the example program of docs/application.md runs,
# alone on the machine.
if(NEREUS_HAVE_MPI)
    nereus_add_cli_test(cli-docs SCRIPT docs.sh MPI)
else()
    nereus_add_cli_test(cli-docs SCRIPT docs.sh)
endif()
