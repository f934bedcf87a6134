/**
 * @file test_batch_script.c
 * The batch script of a malleable job: which files are scripts, and what is written into one.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/slurm/batch_script.h"

Test(batch_script, knows_scripts)
{
    static const struct {
        const char *text;
        bool is_one;
    } rows[] = {
        {"#!/bin/bash\necho", true},
        {"\xEF\xBB\xBF#!/bin/bash\necho", true},
        {"#!/bin/sh -e\n", true},
        {"#!/usr/bin/env zsh\n", true},
        {"#!/usr/bin/env -S A=b bash -l\n", true},
        {"#! /bin/sh\n", true},
        {"#!/bin/sh", true},
        {"#!/bin/bash\r\n", true},
        {"#!/bin/csh\nset a = b\n", true},
        {"#!/usr/bin/env python3\n# Copyright\n\n#SBATCH --time=5\n", true},
        {"#!/usr/bin/perl -w\n#SBATCH", true},
        {"#!/usr/bin/env python3\nimport os\n#SBATCH --time=5\n", false},
        {"#!/usr/bin/env python3\n", false},
        {"#!/usr/bin/python3\n", false},
        {"#SBATCH --time=5\n", false},
        {"\177ELF", false},
        {"", false},
        {"#!", false},
        {"#!\n/bin/sh", false},
        {"#!h", false},
        {"#!/usr/bin/env", false},
        {"#!/usr/bin/env A=bash", false},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_eq(nereus_batch_is_script(rows[i].text), rows[i].is_one, "%s", rows[i].text);
}

/* Nereus' own #SBATCH lines follow the user's, so that they win, and precede the first command. */
Test(batch_script, script_of_a_script)
{
    const struct nereus_batch batch = {.name = "app-%j",
                                       .sizes = {2, 8, 2, false},
                                       .slurm_options = "--time=5",
                                       .script = "#!/bin/bash\n#SBATCH --mem=1G\n\necho hello\n"};
    char *text;
    cr_assert_eq(nereus_batch_write(&batch, &text, NULL), NEREUS_OK);
    cr_expect_str_eq(
        text, "#!/bin/bash\n#SBATCH --mem=1G\n\n"
              "#SBATCH --job-name=app\n#SBATCH --time=5\n"
              "#SBATCH --comment=\"nereus app-%j\"\n#SBATCH --ntasks=2\n"
              "export NEREUS_JOB=\"app-${SLURM_JOB_ID}\"\n"
              "export NEREUS_SIZES=minimum=2,maximum=8,multiple-of=2\n"
              "# Slurm hands on the submitting host's folder, which may not be on this one.\n"
              "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n"
              "echo hello\n");
    free(text);
}

Test(batch_script, script_of_a_program)
{
    const char *const program[] = {"./app", "it's", NULL};
    const struct nereus_batch batch = {.name = "solver",
                                       .sizes = {.minimum = 3, .powers_of_two = true},
                                       .mpiexec = "/bin/nereus-mpiexec",
                                       .program = program};
    char *text;
    cr_assert_eq(nereus_batch_write(&batch, &text, NULL), NEREUS_OK);
    cr_expect_eq(strncmp(text, "#!/bin/sh\n#SBATCH --job-name=solver\n", 36), 0, "%s", text);
    cr_expect(strstr(text, "\nexport NEREUS_SIZES=minimum=3,powers-of-two\n") != NULL);
    cr_expect(strstr(text, "\nexec '/bin/nereus-mpiexec' -n 3 './app' 'it'\\''s'\n") != NULL, "%s",
              text);
    free(text);
}

Test(batch_script, name_of_no_job)
{
    const struct nereus_batch batch = {.name = "../%j", .sizes = {.minimum = 1}, .script = ""};
    struct nereus_error err;
    char *text;
    cr_expect_eq(nereus_batch_write(&batch, &text, &err), NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "is no name of a job") != NULL, "%s", err.text);
}
