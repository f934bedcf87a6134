# The whole matrix, live: every method that model/plan/method_check.c lets the runtime carry out has
# at least one test here, in which the job grows and shrinks and every element is checked after each
# change (resize.c), and its trace by nereus job trace --check. The unit test live-methods compares
# the list with method_check.c. A strategy more is a word more in tests/strategies.cmake.
#
# Nodes are virtual: names with a slash are on one host, so that every group is a world, on any machine.
set(NEREUS_MACHINES "${PROJECT_BINARY_DIR}/tests/machines")
file(CONFIGURE OUTPUT "${NEREUS_MACHINES}/six" CONTENT
     "localhost/a:1\nlocalhost/b:1\nlocalhost/c:1\nlocalhost/d:1\nlocalhost/e:1\nlocalhost/f:1\n")
file(CONFIGURE OUTPUT "${NEREUS_MACHINES}/pairs" CONTENT "localhost/a:2\nlocalhost/b:2\nlocalhost/c:2\n")
file(CONFIGURE OUTPUT "${NEREUS_MACHINES}/uneven" CONTENT "localhost/a:1\nlocalhost/b:2\nlocalhost/c:1\nlocalhost/d:2\n")
file(CONFIGURE OUTPUT "${NEREUS_MACHINES}/crowded" CONTENT "localhost/a:1\nlocalhost/b:1\n")

set(NEREUS_LIVE_METHODS "")

# nereus_add_matrix_test(NAME MACHINE NP WORD... [ENV N=V...]): resize on that machine; the words of resize.c.
function(nereus_add_matrix_test name machine np)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "EXPECT" "ENV")
    if(NOT NEREUS_HAVE_MPI)
        return()
    endif()
    if(NOT DEFINED arg_EXPECT)
        set(arg_EXPECT 0)
    endif()
    nereus_add_live_test(live-matrix-${name} PROGRAM resize NP ${np} ARGS data=all ${arg_UNPARSED_ARGUMENTS}
                         EXPECT ${arg_EXPECT} ENVIRONMENT NEREUS_HOSTFILE=${NEREUS_MACHINES}/${machine}
                         NEREUS_TEST_TRACED=$<TARGET_FILE:nereus-cli> ${arg_ENV})
endfunction()

# nereus_add_method_test(METHOD MACHINE NP SCHEDULE EXPECT): one row of the matrix. An asynchronous
# change takes as many points as it takes; what is due meanwhile waits.
function(nereus_add_method_test method machine np schedule expect)
    string(REPLACE "/" "-" name ${method})
    string(REGEX MATCHALL "@" changes ${schedule})
    list(LENGTH changes changes)
    set(pace last=9)
    if(method MATCHES "async|/.*-(wait|thread)")
        set(pace last=9 until=${changes} pause=0.002)
    endif()
    if(method MATCHES "/.*-(wait|thread)")
        list(APPEND pace beside=1)
    endif()
    nereus_add_matrix_test(${name} ${machine} ${np} method=${method} schedule=${schedule} expect=${expect} ${pace})
    set(NEREUS_LIVE_METHODS "${NEREUS_LIVE_METHODS}${method}\n" PARENT_SCOPE)
endfunction()

list(TRANSFORM NEREUS_SEVERAL_WORLDS PREPEND - OUTPUT_VARIABLE worlds)
set(strategies "" -single ${worlds} -launch)
set(respawning "" ${worlds} -launch) # those that ss can use: every node a world
foreach(async IN ITEMS "" -async)
    foreach(process IN ITEMS baseline baseline-intra merge)
        foreach(strategy IN LISTS strategies)
            # Two levels of a tree, an odd number of groups, and back.
            nereus_add_method_test(${process}${strategy}${async}/coll six 1 3@2,5@4,2@6 2)
        endforeach()
        if(async) # the others: kinds_matrix.cmake
            nereus_add_method_test(${process}${async}/p2p pairs 2 4@2,1@4 1)
        endif()
    endforeach()
    foreach(strategy IN LISTS respawning)
        nereus_add_method_test(merge${strategy}${async}-ss/coll pairs 4 2@2,6@4:merge-diffusive/coll,4@6 4)
    endforeach()
    # 2 falls asleep, 4 wakes and starts one, then the new one sleeps.
    nereus_add_method_test(merge${async}-zs/coll six 3 2@2,4@4:merge/coll,3@6 3)
    # The youngest two worlds, then all but the initial one.
    nereus_add_method_test(merge${async}-ts/coll six 1 5@2:merge-diffusive/coll,3@4,1@6 1)
endforeach()
foreach(method IN ITEMS merge-single-async merge-diffusive-async merge-multiple)
    nereus_add_method_test(${method}/p2p uneven 1 4@2,2@4 2)
endforeach()
nereus_add_method_test(merge-ss/p2p pairs 4 2@2 2)

# By files: more, fewer and as many processes.
foreach(method IN ITEMS restart/file restart)
    string(REPLACE "/" "-" name ${method})
    nereus_add_matrix_test(${name} six 2 method=${method} schedule=3@2,5@4,2@6,2@8 expect=2 last=10
                           ENV NEREUS_CHECKPOINT=${PROJECT_BINARY_DIR}/tests/saved-${name})
endforeach()

# ---- constant data beside the application, by asynchronous methods -------------------------------
# All others: kinds_matrix.cmake.
foreach(overlap IN ITEMS waitsources waittargets thread)
    nereus_add_method_test(merge-async/p2p-${overlap} six 2 4@2,2@4 2)
    nereus_add_method_test(merge-async/coll-${overlap} six 2 4@2,2@4 2)
    nereus_add_method_test(merge-launch-async/coll-${overlap} six 2 4@2,2@4 2)
    nereus_add_method_test(merge-single-async/coll-${overlap} six 2 5@2,2@4 2)
    nereus_add_method_test(baseline-intra-diffusive-async/p2p-${overlap} six 2 3@2,2@4 2)
    nereus_add_method_test(merge-async-ts/coll-${overlap} six 1 4@2:merge-diffusive-async/coll-${overlap},2@4 2)
    nereus_add_method_test(merge-ss/coll-${overlap} pairs 4 2@2 2)
    foreach(data IN ITEMS many replicated none)
        nereus_add_matrix_test(${data}-${overlap} six 2 method=merge/coll-${overlap} schedule=4@2,1@4:baseline/p2p-${overlap}
                               last=8 until=2 expect=1 data=${data})
    endforeach()
    nereus_add_matrix_test(test-every-3-${overlap} six 2 method=merge/coll-${overlap} schedule=4@2,3@4 until=2 pause=0.002
                           expect=3 beside=1 ENV NEREUS_TEST_EVERY=3)
    # The application ends while the data is on its way.
    foreach(method IN ITEMS merge/coll-${overlap} baseline/p2p-${overlap} merge-async/coll-${overlap}
                            merge-launch-async/coll-${overlap})
        string(REPLACE "/" "-" name ${method})
        nereus_add_matrix_test(ends-first-${name} six 2 method=${method} schedule=4@3 last=3 expect=2)
    endforeach()
    nereus_add_matrix_test(ends-first-zs-${overlap} six 3 method=merge-zs/coll-${overlap} schedule=1@3 last=3 expect=3)
    nereus_add_matrix_test(busy-${overlap} six 2 method=merge/coll-${overlap} ask=4@3 until=1 pause=0.002 busy=1 expect=4)
endforeach()
# More processes than cores: nobody starts a thread, so that one that cannot be had (thread:1) is no
# failure; and what a shrink overlaps moves at once.
set(no_thread NEREUS_SLOTS=6 NEREUS_FAULT=thread:1@1,thread:1@2,thread:1@3)
nereus_add_matrix_test(crowded-thread crowded 3 method=merge/coll-thread
                       schedule=4@2,5@3:baseline/p2p-thread,6@4:merge-launch-async/coll-thread until=3 pause=0.002 beside=1 expect=6
                       ENV ${no_thread})
nereus_add_matrix_test(crowded-thread-ends-first crowded 3 method=merge/coll-thread schedule=4@3 last=3 expect=3 ENV ${no_thread})
nereus_add_matrix_test(crowded-shrink crowded 5 method=merge/coll-thread
                       schedule=4@2,3@3:baseline/p2p-waitsources until=2 last=6 beside=none expect=3 ENV ${no_thread})

# ---- how data moves: much of it, refused, random -------------------------------------------------
foreach(data IN ITEMS p2p coll rma shared)
    nereus_add_matrix_test(move-${data}-many six 2 method=merge/${data} schedule=5@2,3@4,1@6 data=many last=8 expect=1)
endforeach()
# Where the system does not let a process read another one: the same by messages.
foreach(method IN ITEMS merge baseline baseline-intra)
    nereus_add_matrix_test(move-shared-refused-${method} six 2 method=${method}/shared schedule=5@2,3@4 last=6 expect=3
                           ENV NEREUS_SHARED=messages)
endforeach()
# Random types, lengths, sizes and methods, one after the other.
foreach(seed IN ITEMS 5 29 100)
    nereus_add_matrix_test(move-random-${seed} six 2 data=random seed=${seed} walk=${seed} until=14 last=3 pause=0.0005)
endforeach()

# ---- how old and new are connected, batches, machines --------------------------------------------
foreach(connect IN ITEMS port bridge)
    foreach(method IN ITEMS merge-single merge-single-async merge-diffusive merge-multiple baseline-single baseline-hypercube
                            baseline-intra-diffusive-async)
        nereus_add_matrix_test(${connect}-${method} six 2 method=${method}/coll schedule=5@2,2@4 last=6 until=2 pause=0.001
                               expect=2 ENV NEREUS_CONNECT=${connect})
    endforeach()
endforeach()
foreach(method IN ITEMS merge-multiple merge-multiple-async baseline-multiple)
    nereus_add_matrix_test(batch-2-${method} crowded 1 method=${method}/coll schedule=6@2,2@4 last=6 until=2 pause=0.001
                           expect=2 ENV NEREUS_BATCH=2 NEREUS_SLOTS=6)
endforeach()
# One source starts five groups: levels of one, two and two; then five start one each.
nereus_add_matrix_test(five-groups six 1 method=merge-diffusive/coll schedule=6@2,1@4,6@6 last=8 expect=6)
nereus_add_matrix_test(hypercube-six-groups six 1 method=baseline-hypercube/coll schedule=6@2 last=4 expect=6)
nereus_add_matrix_test(uneven-nodes uneven 1 method=merge-diffusive/coll schedule=6@2,3@4,5@6 last=8 expect=5)
nereus_add_matrix_test(uneven-nodes-binomial uneven 1 method=merge-binomial/coll schedule=6@2,3@4,5@6 last=8 expect=5)
nereus_add_matrix_test(uneven-nodes-baseline uneven 2 method=baseline-diffusive/coll schedule=6@2,3@4 last=6 expect=3)
nereus_add_matrix_test(oversubscribed crowded 1 method=merge-diffusive/coll schedule=5@2,2@4 last=6 expect=2
                       ENV NEREUS_SLOTS=6)
nereus_add_matrix_test(oversubscribed-baseline crowded 2 method=baseline-hypercube/coll schedule=4@2,2@4 last=6 expect=2
                       ENV NEREUS_SLOTS=6)
nereus_add_matrix_test(hypercube-unequal uneven 1 method=merge-hypercube/coll schedule=5@2 last=4 expect=1 outcome=failed)
foreach(data IN ITEMS many replicated none)
    nereus_add_matrix_test(${data} six 2 method=merge-diffusive/coll schedule=4@2,1@4:baseline-intra/p2p,3@6 last=8 expect=3
                           data=${data})
endforeach()

# ---- who leaves ----------------------------------------------------------------------------------
# Worlds of two: 0 and 1 active on each node.
nereus_add_matrix_test(ts-and-zs pairs 2 method=merge-diffusive/coll schedule=6@2,3@4 last=7 expect=3)
nereus_add_matrix_test(ts-takes-its-zombie pairs 2 method=merge-diffusive/coll schedule=6@2,5@4:merge-zs/coll,4@6:merge-ts/coll
                       last=8 expect=4)
nereus_add_matrix_test(world-of-zombies pairs 2
                       method=merge-diffusive/coll schedule=6@2,5@4:merge-zs/coll,4@6:merge-zs/coll,6@8 last=10 expect=6)
nereus_add_matrix_test(release-in-the-middle pairs 2 method=merge-diffusive/coll schedule=6@2,5@4:merge-zs/coll
                       release=localhost/b@7 last=12 until=3 expect=3 outcome=resized)
nereus_add_matrix_test(release-root-zombies-asleep pairs 2 method=merge-diffusive/coll
                       schedule=6@2,5@4:merge-zs/coll,6@100 release=localhost/a@7 last=102 expect=6 outcome=resized)
nereus_add_matrix_test(root-world-leaves six 1 method=merge/coll schedule=4@2,3@4:merge-ts/coll,5@6:merge-diffusive/coll,2@8
                       last=10 expect=2)
nereus_add_matrix_test(root-leaves-by-zs-after six 1
                       method=merge/coll schedule=4@2,3@4:merge-ts/coll,1@6:merge-zs/coll,4@8:merge-single/coll last=10 expect=4)
nereus_add_matrix_test(release-part-of-a-world pairs 4 method=merge/coll release=localhost/a@3 last=9 until=1 expect=2 outcome=resized)
nereus_add_matrix_test(ss-present-size-then-ts pairs 4 method=merge-ss/coll schedule=4@2,2@4:merge-ts/coll last=6 expect=2)
nereus_add_matrix_test(ts-impossible pairs 4 method=merge-ts/coll schedule=2@2 last=4 expect=4 outcome=failed)
nereus_add_matrix_test(ts-cannot-grow six 1 method=merge-ts/coll schedule=3@2 last=4 expect=1 outcome=failed)

# Nobody of a world that ended is left, nor the launcher of one that was launched, while the job goes on.
nereus_add_matrix_test(ts-gone six 1 method=merge-diffusive/coll schedule=5@2,3@4:merge-ts/coll last=6 present=3@2:1 expect=3)
nereus_add_matrix_test(ts-gone-zombie-too pairs 2 method=merge-diffusive/coll
                       schedule=6@2,5@4:merge-zs/coll,4@6:merge-ts/coll last=8 present=4@3:1 expect=4)
nereus_add_matrix_test(ts-gone-launched six 1 method=merge-launch/coll schedule=3@2,1@4:merge-ts/coll last=6 present=1@2:1 expect=1)
nereus_add_matrix_test(ts-gone-root six 1 method=merge/coll schedule=4@2,3@4:merge-ts/coll last=6 present=3@2:1 expect=3)
nereus_add_matrix_test(zs-all-there six 4 method=merge-zs/coll schedule=1@2 last=6 present=4@1:1 expect=1)
nereus_add_matrix_test(baseline-gone six 2 method=baseline-diffusive/coll schedule=3@2 last=6 present=3@1:1 expect=3)

# ---- any method after any other ------------------------------------------------------------------
nereus_add_matrix_test(mixed six 2 method=merge/coll
    schedule=5@2:merge-diffusive/coll,4@3:merge-zs/coll,2@4:baseline-intra-single/p2p,5@5:merge-multiple/p2p,3@6:merge-ts/coll,4@7:baseline-hypercube/coll,2@8:merge-diffusive-ss/coll
    last=10 expect=2)
nereus_add_matrix_test(mixed-async six 2 method=merge/coll
    schedule=4@2:merge-diffusive-async/coll,3@3:merge-zs/coll,2@4:baseline-intra-single-async/p2p,4@5:merge-multiple-async/p2p,3@6:merge-async-ts/coll,4@7:baseline-hypercube-async/coll,2@8:merge-diffusive-async-ss/coll
    last=10 until=7 pause=0.001 expect=2)

# ---- requests while an asynchronous change is under way; an application that ends first
# -------------------------------
foreach(method IN ITEMS merge-async merge-single-async merge-diffusive-async merge-multiple-async merge-launch-async)
    nereus_add_matrix_test(busy-${method} six 2 method=${method}/coll ask=4@3 until=1 pause=0.002 busy=1 expect=4)
    nereus_add_matrix_test(test-every-3-${method} six 2 method=${method}/coll schedule=4@2,3@4 until=2 pause=0.002 expect=3
                           ENV NEREUS_TEST_EVERY=3)
endforeach()
foreach(method IN ITEMS merge-async merge-single-async merge-multiple-async merge-diffusive-async merge-launch-async merge-async-ss
                        baseline-async baseline-launch-async
                        baseline-intra-async baseline-hypercube-async)
    set(size 4)
    if(method MATCHES "ss")
        set(size 1)
    endif()
    nereus_add_matrix_test(ends-first-${method} six 2 method=${method}/coll schedule=${size}@3 last=3 expect=2)
    nereus_add_matrix_test(ends-soon-${method} six 2 method=${method}/coll schedule=${size}@3 last=40 pause=0.002)
endforeach()

# ---- 40 random ones in one job: data right after each, and nothing grows that does not grow in MPI
# itself ----------------
# 200 of them, and other seeds: tests/live/flat.sh by hand (tests/README.md).
if(NEREUS_HAVE_MPI)
    set(mpi "${PROJECT_SOURCE_DIR}/src/mpi")
    file(GLOB rows CONFIGURE_DEPENDS ${mpi}/process_manager.c ${mpi}/manager_*.c ${mpi}/mpi_*.c)
    nereus_add_program(bare-loop SOURCES ${CMAKE_CURRENT_LIST_DIR}/bare_loop.c ${CMAKE_CURRENT_LIST_DIR}/measure.c ${rows}
                       LINK nereus_mpi NO_INSTALL)
    if(NEREUS_TESTS)
        add_test(NAME live-flat WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
            COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 120 0 "${CMAKE_CURRENT_LIST_DIR}/flat.sh"
                    "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:resize> $<TARGET_FILE:bare-loop> 40 7)
        set_tests_properties(live-flat PROPERTIES LABELS live TIMEOUT 135 RUN_SERIAL ON PROCESSORS 2
                             ENVIRONMENT "NEREUS_TEST_SAYS=/bare-loop 40 7$")
    endif()
endif()

# ---- the list ------------------------------------------------------------------------------------
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/live-methods.txt" CONTENT
     "${NEREUS_LIVE_METHODS}${NEREUS_KINDS_METHODS}") # and those of kinds.cmake
nereus_add_unit_test(live-methods SOURCES ${CMAKE_CURRENT_LIST_DIR}/live_methods.c LINK nereus-model)
