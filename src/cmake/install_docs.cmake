# Where it is installed, the documentation names what is there: no links into the sources, and programs at their places.
if(IS_SYMLINK "${folder}") # the build folder's own: it leads to the sources
    return()
endif()
file(GLOB_RECURSE pages "${folder}/*.md")
foreach(page IN LISTS pages)
    file(READ "${page}" text)
    string(REGEX REPLACE "\\[([^][]*)\\]\\((\\.\\./)+((src|tests|model|sam|predictor|packaging|calibration)/|README)[^)]*\\)" "\\1" text "${text}")
    string(REPLACE "sam/programs" "share/nereus/programs" text "${text}")
    string(REPLACE "build/release/bin" "bin" text "${text}")
    file(WRITE "${page}" "${text}")
endforeach()
