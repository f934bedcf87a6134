# The command line of nereus-sam, which is only built where there is an MPI.
if(NEREUS_HAVE_MPI)
    nereus_add_cli_test(cli-sam-offline SCRIPT sam_offline.sh)
    nereus_add_cli_test(cli-sam-live SCRIPT sam_live.sh MPI)
endif()
