# The `nereus` command as a user or a script sees it. lib.sh has what the scripts share.
foreach(name comparator options fit profile synthetic unequal predict advise plan pictures trace tree streams children judged clear-shm)
    string(REPLACE "-" "_" script ${name})
    nereus_add_cli_test(cli-${name} SCRIPT ${script}.sh)
endforeach()
nereus_add_cli_test(cli-map SCRIPT map.sh TIMEOUT 120)
nereus_add_cli_test(cli-mpiexec SCRIPT mpiexec.sh MPI TIMEOUT 120)
nereus_add_cli_test(cli-live SCRIPT live.sh MPI TIMEOUT 180)
nereus_add_cli_test(cli-twin SCRIPT twin.sh MPI TIMEOUT 120)
