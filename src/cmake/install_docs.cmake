# Where it is installed, the documentation names what is there: no links into the sources, and
# programs and files at their places, so that its commands work in any folder. (Results were
# measured in the sources.)
if(IS_SYMLINK "${folder}") # the build folder's own: it leads to the sources
    return()
endif()
set(share "${CMAKE_INSTALL_PREFIX}/share/nereus")
file(GLOB_RECURSE pages RELATIVE "${folder}" "${folder}/*.md")
foreach(page IN LISTS pages)
    file(READ "${folder}/${page}" text)
    string(REGEX REPLACE "\\[([^][]*)\\]\\((\\.\\./)+((src|tests|model|sam|predictor|packaging|calibration)/|README)[^)]*\\)" "\\1" text "${text}")
    if(NOT page MATCHES "^results")
        string(REPLACE "$PWD/build/release/bin" "${CMAKE_INSTALL_PREFIX}/bin" text "${text}")
        string(REPLACE "build/release/bin" "${CMAKE_INSTALL_PREFIX}/bin" text "${text}")
        string(REGEX REPLACE "sam/(programs|examples)" "${share}/\\1" text "${text}")
        string(REGEX REPLACE "tests/(unit|cli)/data/" "${share}/data/" text "${text}")
        string(REPLACE "docs/policy/" "${CMAKE_INSTALL_PREFIX}/share/doc/nereus/policy/" text "${text}")
        string(REGEX REPLACE "build/([a-z0-9-]+\\.[a-z]+|elastisim|ckpt|nodes|sum|live)" "\\1" text "${text}") # what commands write
    endif()
    file(WRITE "${folder}/${page}" "${text}")
endforeach()
