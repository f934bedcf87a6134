# Parts of the runtime and of its helper programs that need no MPI, compiled into their tests.
function(nereus_add_runtime_test name source)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/)
    nereus_add_unit_test(${name} SOURCES src/${source} ${ARGN} LINK nereus-model)
endfunction()
nereus_add_runtime_test(test-bind bind_place.c start/bind_place.c)
nereus_add_runtime_test(test-line line.c link/line.c)
nereus_add_runtime_test(test-command command.c start/command.c)
nereus_add_runtime_test(test-handed-on handed_on.c link/handed_on.c)
nereus_add_runtime_test(test-job-line job_line.c guard/job_line.c guard/records.c)
nereus_add_runtime_test(test-ask-server ask_server.c link/ask_server.c)
if(TARGET test-ask-server) # no Criterion: no target
    target_link_libraries(test-ask-server PRIVATE Threads::Threads m)
endif()
nereus_add_runtime_test(test-board board.c guard/board.c link/line.c)
nereus_add_runtime_test(test-memory-hooks memory_hooks.c guard/memory_hooks.c)
nereus_add_runtime_test(test-line-filter line_filter.c guard/line_filter.c)
nereus_add_runtime_test(test-stall stall.c util/stall.c)
nereus_add_runtime_test(test-progress-record progress.c util/progress.c)
nereus_add_runtime_test(test-watchdog-setting watchdog_setting.c util/watchdog_setting.c)
nereus_add_runtime_test(test-monitor-setting monitor_setting.c util/monitor_setting.c)
nereus_add_runtime_test(test-starts starts.c guard/starts.c link/line.c)
nereus_add_runtime_test(test-schedule schedule.c move/schedule.c move/rank_map.c move/registry.c
                        move/partition_table.c move/custom.c move/sparse.c move/parts.c move/kept_parts.c util/check.c
                        util/huge_setting.c util/keep_setting.c)
nereus_add_runtime_test(test-kept-parts kept_parts.c move/kept_parts.c util/keep_setting.c)
nereus_add_runtime_test(test-huge-pages huge_pages.c move/parts.c move/kept_parts.c util/check.c util/huge_setting.c
                        util/keep_setting.c)
