# nereus calibrate and nereus doctor. Both start MPI jobs; what they say without an MPI is in
# calibrate_refused.sh.
nereus_add_cli_test(cli-calibrate SCRIPT calibrate.sh MPI)
nereus_add_cli_test(cli-each-mpi SCRIPT each_mpi.sh MPI)
nereus_add_cli_test(cli-start-up SCRIPT start_up.sh MPI)
nereus_add_cli_test(cli-doctor SCRIPT doctor.sh MPI)
nereus_add_cli_test(cli-doctor-without-mpi SCRIPT doctor_without_mpi.sh)
