# A running job under a policy (docs/policies.md).
if(NEREUS_HAVE_MPI)
    nereus_add_script_test(policy 0 COMMAND "${CMAKE_CURRENT_LIST_DIR}/policy.sh" $<TARGET_FILE:nereus-cli> "${NEREUS_MPIEXEC_WRAPPER}"
                           $<TARGET_FILE:resize>)
endif()
