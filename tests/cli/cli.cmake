# The `nereus` command as a user or a script sees it. lib.sh has what the scripts share.
foreach(name comparator options fit predict plan streams children)
    nereus_add_cli_test(cli-${name} SCRIPT ${name}.sh)
endforeach()
nereus_add_cli_test(cli-live SCRIPT live.sh MPI TIMEOUT 180)
