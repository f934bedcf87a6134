# Parts of the runtime and of its helper programs that need no MPI: compiled once, for tests and for
# parsers (fuzz).
set(runtime_parts
    guard/memory_hooks.c guard/process_phase.c guard/shm_hint.c checkpoint/data_file.c link/connection.c
    link/job_server.c link/launcher_environment.c mpi/manager_hydra.c mpi/manager_prrte.c
    mpi/process_manager.c move/custom.c move/kept_parts.c move/partition_table.c move/parts.c
    move/rank_map.c move/registry.c move/schedule.c start/bind_choice.c start/command.c
    start/host_resources.c supervise/job_end.c supervise/job_hosts.c supervise/job_line.c
    supervise/launched.c supervise/launcher.c supervise/launcher_watch.c
    supervise/line_filter.c supervise/mpiexec_processes.c supervise/next_attempt.c
    supervise/output.c supervise/own_options.c supervise/peers.c supervise/pending_spawns.c supervise/records.c
    supervise/recovery.c supervise/restart_requests.c supervise/slurm_job.c supervise/status_page.c
    supervise/supervisor.c util/call_names.c util/callback.c util/monitor_setting.c util/option_value.c
    util/process_settings.c util/progress.c util/stall.c util/watchdog_setting.c)
list(TRANSFORM runtime_parts PREPEND ${PROJECT_SOURCE_DIR}/src/)
add_library(nereus-runtime-parts STATIC EXCLUDE_FROM_ALL ${runtime_parts})
target_link_libraries(nereus-runtime-parts PRIVATE nereus_common)
function(nereus_add_runtime_test name source)
    nereus_add_unit_test(${name} SOURCES src/${source} LINK nereus-runtime-parts nereus-model m)
endfunction()
nereus_add_runtime_test(test-bind test_bind_choice.c)
nereus_add_runtime_test(test-connection test_connection.c)
nereus_add_runtime_test(test-command test_command.c)
nereus_add_runtime_test(test-launcher-environment test_launcher_environment.c)
nereus_add_runtime_test(test-job-line test_job_line.c)
nereus_add_runtime_test(test-launcher test_launcher.c)
nereus_add_runtime_test(test-next-attempt test_next_attempt.c)
nereus_add_runtime_test(test-slurm-job test_slurm_job.c)
nereus_add_runtime_test(test-ask-server test_job_server.c)
if(TARGET test-ask-server) # no Criterion: no target
    target_link_libraries(test-ask-server PRIVATE Threads::Threads m)
endif()
nereus_add_runtime_test(test-recovery test_recovery.c)
nereus_add_runtime_test(test-status-page test_status_page.c)
nereus_add_runtime_test(test-memory-hooks test_memory_hooks.c)
nereus_add_runtime_test(test-line-filter test_line_filter.c)
nereus_add_runtime_test(test-launcher-output test_output.c)
nereus_add_runtime_test(test-process-phase test_process_phase.c)
nereus_add_runtime_test(test-host-resources test_host_resources.c)
nereus_add_runtime_test(test-data-file test_data_file.c)
nereus_add_runtime_test(test-call-names test_call_names.c)
nereus_add_runtime_test(test-stall test_stall.c)
nereus_add_runtime_test(test-progress-record test_progress.c)
nereus_add_runtime_test(test-watchdog-setting test_watchdog_setting.c)
nereus_add_runtime_test(test-monitor-setting test_monitor_setting.c)
nereus_add_runtime_test(test-pending-spawns test_pending_spawns.c)
nereus_add_runtime_test(test-schedule test_schedule.c)
nereus_add_runtime_test(test-custom test_custom.c)
nereus_add_runtime_test(test-registry test_registry.c)
nereus_add_runtime_test(test-kept-parts test_kept_parts.c)
nereus_add_runtime_test(test-huge-pages test_huge_pages.c)
