# Fortran, where there is a compiler for it: NEREUS_HAVE_FORTRAN, and the target
# nereus_fortran_common. And the modules mpi and mpi_f08, where src/mpi/find-fortran finds some that
# fit: NEREUS_HAVE_MPI_FORTRAN, NEREUS_MPIFORT, and the target nereus_mpi_fortran.
set(NEREUS_HAVE_FORTRAN OFF)
set(NEREUS_HAVE_MPI_FORTRAN OFF)
set(NEREUS_MPIFORT "")

# Runs find-fortran (at once when nothing has changed) and reads fortran.env.
macro(nereus_find_mpi_fortran)
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/src/mpi/find-fortran" "${NEREUS_MPI_FOLDER}"
                    RESULT_VARIABLE status OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE)
    message(STATUS "MPI for Fortran: ${answer}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${NEREUS_MPI_FOLDER}/fortran.env")
    if(status EQUAL 0)
        file(STRINGS "${NEREUS_MPI_FOLDER}/fortran.env" lines REGEX "^NEREUS_MPIFORT=")
        string(REGEX REPLACE "^[^=]*=" "" NEREUS_MPIFORT "${lines}")
        nereus_query_wrapper(NEREUS_MPI_FORTRAN "${NEREUS_MPIFORT}")
        nereus_mpi_target(nereus_mpi_fortran NEREUS_MPI_FORTRAN)
        set(NEREUS_HAVE_MPI_FORTRAN ON)
    endif()
endmacro()

# The standard's binary interface leaves Fortran's integers out.
if(NEREUS_HAVE_MPI AND NEREUS_MPI_ABI)
    message(STATUS "Fortran: left out, as the MPI is built for by the standard's binary interface (mpicc_abi)")
elseif(NEREUS_HAVE_MPI)
    include(CheckLanguage)
    check_language(Fortran)
    if(CMAKE_Fortran_COMPILER)
        enable_language(Fortran)
        set(NEREUS_HAVE_FORTRAN ON)
        add_library(nereus_fortran_common INTERFACE)
        if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
            target_compile_options(nereus_fortran_common INTERFACE -std=f2018 -Wall -Wextra -Wpedantic -Wimplicit-interface
                $<$<BOOL:${NEREUS_WERROR}>:-Werror>)
        endif()
        if(NEREUS_SANITIZE)
            target_compile_options(nereus_fortran_common INTERFACE -fsanitize=${NEREUS_SANITIZE} -fno-omit-frame-pointer)
            target_link_options(nereus_fortran_common INTERFACE -fsanitize=${NEREUS_SANITIZE})
        endif()
        nereus_find_mpi_fortran()
    else()
        message(STATUS "Fortran: no compiler was found; the module nereus is left out (install gfortran)")
    endif()
endif()
