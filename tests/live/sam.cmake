# The synthetic application under mpiexec. Its exit status says whether every element was right after every
# reconfiguration, whether all of them were carried out and whether the iterations went on.
set(sam_folder ${CMAKE_CURRENT_LIST_DIR}/sam)
# proteo: all that the files of that tool have (docs/synthetic-application.md), in their form, with
# both kinds of rma.
foreach(name IN ITEMS merge-2-4-2 baseline-2-1-3 stages proteo)
    nereus_add_live_test(live-sam-${name} PROGRAM nereus-sam NP 2 ARGS ${sam_folder}/${name}.ini TIMEOUT 60)
endforeach()
foreach(name IN ITEMS minimal two-to-four chain)
    nereus_add_live_test(live-sam-example-${name} PROGRAM nereus-sam NP 2
                         ARGS ${PROJECT_SOURCE_DIR}/sam/examples/${name}.ini TIMEOUT 60)
endforeach()
# Every other way to start and to end processes. The nodes are virtual: real groups on one host.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/machines/four" CONTENT
     "localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\nlocalhost/d:1\n")
foreach(name IN ITEMS async parallel launch one-by-one)
    nereus_add_live_test(live-sam-example-${name} PROGRAM nereus-sam NP 1
                         ARGS ${PROJECT_SOURCE_DIR}/sam/examples/${name}.ini TIMEOUT 60
                         ENVIRONMENT NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/four)
endforeach()
# A bad file, and a wrong number of processes, end all processes at once.
nereus_add_live_test(live-sam-bad-file PROGRAM nereus-sam NP 3 ARGS ${sam_folder}/nowhere.ini EXPECT 1
                     ENVIRONMENT "NEREUS_TEST_SAYS=^nereus-sam: .*/nowhere.ini")
nereus_add_live_test(live-sam-wrong-start PROGRAM nereus-sam NP 1 ARGS ${sam_folder}/merge-2-4-2.ini EXPECT 1
                     ENVIRONMENT "NEREUS_TEST_SAYS=^nereus-sam: .*/merge-2-4-2.ini: .group0. has Procs = 2, but 1 process was started")
