# Every way to move data x overlap x distribution with every kind of process method, one job each:
# data of every kind is checked bit for bit after each change (kinds.c), and with an overlap
# iterations have gone by beside each. The unit test live-data holds the list of the changes against
# model/plan/method_check.c; docs/methods.md shows the table.
#
# Nodes are virtual, one process each, so that every group is a world.
set(NEREUS_LIVE_DATA "")
set(NEREUS_KINDS_METHODS "") # they count as rows of the matrix (matrix.cmake)

# Process method and size; PARALLEL is one of the strategies with a tree, from row to row another
# one, OTHER the one after it.
set(changes "merge 3" "merge-zs 2" "merge-PARALLEL 4" "merge-ts 3" "baseline-intra 2" "baseline 3" "baseline-PARALLEL 2"
            "merge-launch 3" "baseline-launch 2" "baseline-intra-OTHER 3" "baseline-intra-launch 2")
set(changes_shared "merge-ss 1") # all anew: what rma cannot, and p2p and coll do as a baseline, above
set(lengths 3 1009 37 1 2003 509 0 64) # elements where they are not cut into blocks: primes, fewer than processes, none

# nereus_add_data_row(ROW WAY OVERLAP DISTRIBUTION): a job of 2 processes that goes through `changes`.
function(nereus_add_data_row row way overlap distribution)
    set(data ${way}${overlap}${distribution})
    math(EXPR which "${row} % 8")
    list(GET lengths ${which} n)
    # More than is packed: what is packed goes as messages with rma and shared.
    if(NOT distribution OR (way MATCHES "rma|shared" AND (distribution STREQUAL "-keep" OR overlap MATCHES "targets|thread")))
        set(n 2503)
    endif()
    list(LENGTH NEREUS_TREES count)
    math(EXPR parallel "${row} % ${count}")
    math(EXPR other "(${row} + 1) % ${count}")
    list(GET NEREUS_TREES ${other} other)
    list(GET NEREUS_TREES ${parallel} parallel)
    set(schedule "")
    set(ns 2)
    set(number 0)
    foreach(change IN LISTS changes changes_${way})
        string(REPLACE PARALLEL ${parallel} change "${change}")
        string(REPLACE OTHER ${other} change "${change}")
        string(REPLACE " " ";" change "${change}")
        list(GET change 0 process)
        list(GET change 1 nt)
        if(way STREQUAL "rma" AND process MATCHES "^baseline" AND NOT process MATCHES "^baseline-intra")
            continue() # a window needs one communicator
        endif()
        math(EXPR number "${number} + 1")
        math(EXPR point "2 * ${number}")
        list(APPEND schedule ${nt}@${point}:${process}/${data})
        string(APPEND NEREUS_LIVE_DATA "${ns} ${nt} ${process}/${data}\n")
        string(APPEND NEREUS_KINDS_METHODS "${process}/${data}\n")
        set(ns ${nt})
    endforeach()
    list(JOIN schedule "," schedule)
    set(beside "")
    if(overlap)
        set(beside beside=1)
    endif()
    nereus_add_live_test(live-data-${data} PROGRAM kinds NP 2
                         ARGS n=${n} seed=${row} powers=2,3 schedule=${schedule} until=${number} pause=0.004 ${beside}
                              expect=${ns} outcome=resized
                         ENVIRONMENT NEREUS_HOSTFILE=${PROJECT_BINARY_DIR}/tests/machines/six
                         NEREUS_TEST_TRACED=$<TARGET_FILE:nereus-cli>)
    set(NEREUS_LIVE_DATA "${NEREUS_LIVE_DATA}" PARENT_SCOPE)
    set(NEREUS_KINDS_METHODS "${NEREUS_KINDS_METHODS}" PARENT_SCOPE)
endfunction()

set(row 0)
foreach(way IN ITEMS p2p coll rma shared)
    foreach(overlap IN ITEMS "" -waitsources -waittargets -thread)
        foreach(distribution IN ITEMS "" -weighted -keep)
            nereus_add_data_row(${row} ${way} "${overlap}" "${distribution}")
            math(EXPR row "${row} + 1")
        endforeach()
    endforeach()
endforeach()

# What an MPI cannot do is refused by name, with the reason.
if(NEREUS_HAVE_MPI AND NEREUS_TESTS)
    foreach(row IN ITEMS "rma merge/rma" "launch merge-launch/coll")
        string(REPLACE " " ";" words "${row}")
        list(GET words 0 word)
        add_test(NAME live-refused-${word} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                 COMMAND "${PROJECT_SOURCE_DIR}/tests/live-run" 60 0 "${CMAKE_CURRENT_LIST_DIR}/refused.sh"
                         "${NEREUS_MPIEXEC_WRAPPER}" $<TARGET_FILE:kinds> ${words})
        set_tests_properties(live-refused-${word} PROPERTIES LABELS live TIMEOUT 75 RUN_SERIAL ON PROCESSORS 2)
    endforeach()
endif()

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/live-data.txt" CONTENT "${NEREUS_LIVE_DATA}")
nereus_add_unit_test(live-data SOURCES ${CMAKE_CURRENT_LIST_DIR}/live_data.c LINK nereus-model)
