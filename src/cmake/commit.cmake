# nereus_commit.h: the commit that the source is, as `nereus --version` says it; empty where there
# is no git checkout of this project. Run when configuring and in each build; the file changes only
# when the commit does.
#     cmake -DSOURCE=... -DHEADER=... -P commit.cmake
function(nereus_query_git out)
    execute_process(COMMAND git -C "${SOURCE}" ${ARGN} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${out} "${answer}" PARENT_SCOPE)
endfunction()
nereus_query_git(top rev-parse --show-prefix)
nereus_query_git(commit describe --always --abbrev=10 --dirty=+ --exclude=*)
nereus_query_git(date log -1 --format=%cs)
if(NOT top STREQUAL "") # the source lies in another project's checkout
    set(commit "")
    set(date "")
endif()
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT [[/* Made by src/cmake/commit.cmake. */
#ifndef NEREUS_COMMIT_H
#define NEREUS_COMMIT_H

/* The commit of the source, with a + where files were changed since; "": not known. */
#define NEREUS_COMMIT "@commit@"
/* Its date, as in 2026-11-23. */
#define NEREUS_COMMIT_DATE "@date@"

#endif
]])
