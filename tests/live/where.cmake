# Each process on a core of its own, before and after reconfigurations; what cannot be bound is left
# as it was started.
# Skipped, with the reason, where only one processor may be used (resize.c).
if(NEREUS_HAVE_MPI AND NEREUS_TESTS AND NOT hwloc IN_LIST NEREUS_LIBRARIES)
    nereus_skip_test(live-binding live "this build has no hwloc, which binds processes to cores")
    nereus_add_live_test(live-binding-refused PROGRAM resize NP 1 ARGS last=2 EXPECT 7 ENVIRONMENT NEREUS_BIND=core
                         "NEREUS_TEST_SAYS=is core, and this libnereus was built without hwloc")
elseif(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    set(virtual "${PROJECT_BINARY_DIR}/tests/binding-virtual.hosts")
    set(too_many "${PROJECT_BINARY_DIR}/tests/binding-too-many.hosts")
    file(WRITE "${virtual}" "localhost/a:1\nlocalhost/b:1\n")
    file(WRITE "${too_many}" "localhost/a:1\nlocalhost/b:4000\n") # more than any host has

    function(add_binding_test name)
        nereus_add_live_test(live-binding-${name} PROGRAM resize ${ARGN})
        set_tests_properties(live-binding-${name} PROPERTIES SKIP_RETURN_CODE 77)
        set_property(TEST live-binding-${name} APPEND PROPERTY ENVIRONMENT
                     "NEREUS_STATE=${PROJECT_BINARY_DIR}/tests/binding-${name}.json")
    endfunction()

    foreach(method IN ITEMS merge baseline)
        set(words where=bound method=${method}/coll last=9)
        add_binding_test(${method} NP 1 ARGS ${words} schedule=2@3,1@5,2@7 expect=2)
        # 4 processes may be more than there are cores, and are not bound then; the 2 afterwards are.
        add_binding_test(${method}-crowded NP 2 ARGS ${words} schedule=4@3,2@5,1@7 expect=1)
        add_binding_test(${method}-virtual NP 1 ARGS ${words} schedule=2@3,1@5,2@7 expect=2
                         ENVIRONMENT NEREUS_HOSTFILE=${virtual})
    endforeach()
    add_binding_test(declared-too-many NP 1 ARGS where=free schedule=3@3,1@5,2@7 expect=2 last=9
                     ENVIRONMENT NEREUS_HOSTFILE=${too_many})
    add_binding_test(none NP 1 ARGS where=free schedule=2@3,1@5,2@7 expect=2 last=9 ENVIRONMENT NEREUS_BIND=none)
    # Each process takes two cores, with its threads: bound to both, and one process is what two
    # declared cores are slots for.
    file(WRITE "${PROJECT_BINARY_DIR}/tests/binding-threads.hosts" "cores_per_process 2\nlocalhost:2\n")
    add_binding_test(threads NP 1 ARGS where=bound last=5 ENVIRONMENT NEREUS_CORES_PER_PROCESS=2)
    add_binding_test(threads-crowded NP 1 ARGS where=bound last=9 schedule=2@3,1@5 expect=1 ENVIRONMENT NEREUS_CORES_PER_PROCESS=2)
    add_binding_test(threads-hostfile NP 1 ARGS where=bound last=5 ENVIRONMENT
                     NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/binding-threads.hosts)
    # The auxiliary thread has the last of a process' cores.
    foreach(method IN ITEMS merge-async/coll merge-single-async/coll merge-diffusive-async/p2p)
        string(REPLACE "/" "-" name ${method})
        add_binding_test(threads-${name} NP 1 ARGS where=bound method=${method} last=9 until=1 pause=0.002 schedule=2@3 spare=1
                         ENVIRONMENT NEREUS_CORES_PER_PROCESS=2)
    endforeach()
    nereus_add_live_test(live-binding-threads-slots PROGRAM resize NP 1 ARGS schedule=2@2 last=5 EXPECT 7 ENVIRONMENT
                         NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/binding-threads.hosts
                         "NEREUS_TEST_SAYS=2: only 1 slot is declared")
    nereus_add_live_test(live-binding-threads-bad PROGRAM resize NP 1 ARGS last=5 EXPECT 7 ENVIRONMENT NEREUS_CORES_PER_PROCESS=two
                         "NEREUS_TEST_SAYS=NEREUS_CORES_PER_PROCESS is 'two' and must be a whole number of at least 1")
    nereus_add_live_test(live-binding-threads-noticed PROGRAM resize NP 2 ARGS last=5 ENVIRONMENT OMP_NUM_THREADS=4
                         "NEREUS_TEST_SAYS=^nereus: OMP_NUM_THREADS is 4, and each process gets one core: NEREUS_CORES_PER_PROCESS=4 ")
    nereus_add_live_test(live-binding-threads-meant PROGRAM resize NP 2 ARGS last=5 ENVIRONMENT OMP_NUM_THREADS=4
                         NEREUS_CORES_PER_PROCESS=1)
    set_property(TEST live-binding-threads-meant PROPERTY FAIL_REGULAR_EXPRESSION "OMP_NUM_THREADS|live-run: ")
    # A control group leaves one core's time: the second process is one too many, however many cores
    # there are.
    set(limited "${PROJECT_BINARY_DIR}/tests/limited")
    file(CONFIGURE OUTPUT "${limited}/proc/self/cgroup" CONTENT "0::/\n")
    file(CONFIGURE OUTPUT "${limited}/proc/self/mountinfo"
         CONTENT "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
    file(CONFIGURE OUTPUT "${limited}/sys/fs/cgroup/cpu.max" CONTENT "120000 100000\n")
    nereus_add_live_test(live-binding-limited PROGRAM resize NP 2 ARGS last=5 ENVIRONMENT NEREUS_TEST_ROOT=${limited}
                         "NEREUS_TEST_SAYS=^nereus: warning: 2 processes on 1 core: times are those of an oversubscribed")
    nereus_add_live_test(live-binding-bad-word PROGRAM resize NP 1 ARGS last=5 EXPECT 7 ENVIRONMENT NEREUS_BIND=socket)
    add_test(NAME live-binding-apart WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
        COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/bound-apart.sh" "${NEREUS_MPIEXEC_WRAPPER}"
                $<TARGET_FILE:resize>)
    set_tests_properties(live-binding-apart PROPERTIES LABELS live TIMEOUT 100 RUN_SERIAL ON PROCESSORS 2 SKIP_RETURN_CODE 77)
endif()
