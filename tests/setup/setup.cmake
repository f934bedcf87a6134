# What installs and finds things: find-mpi and find-fortran with stub MPIs, find-libraries with stub
# tools, and bad arguments. No MPI needed.
nereus_add_cli_test(setup-find-mpi SCRIPT find-mpi.sh TIMEOUT 120)
nereus_add_cli_test(setup-find-fortran SCRIPT find-fortran.sh TIMEOUT 60)
nereus_add_cli_test(setup-arguments SCRIPT arguments.sh)
nereus_add_cli_test(setup-find-libraries SCRIPT find-libraries.sh)
if(NOT NEREUS_SANITIZE)
    nereus_add_cli_test(setup-older-system SCRIPT older-system.sh TIMEOUT 900)
    nereus_add_cli_test(setup-newer-system SCRIPT newer-system.sh TIMEOUT 1800)
    set_property(TEST setup-older-system setup-newer-system APPEND PROPERTY LABELS long)
endif()
