/** @file test_memory_hooks.c  MPI's memory hooks are left out only where no device needs them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/guard/memory_hooks.h"
#include "src/mpi/process_manager.h"

/* Folders below a new root, one after the other, then a file in the last, as Linux has them. */
static const struct {
    const char *folders[4], *file;
    bool needed;
} cases[] = {
    {{"/dev"}, "/dev/null", false},
    {{"/sys", "/sys/class", "/sys/class/infiniband"}, NULL, false}, /* a module without a card */
    {{"/sys", "/sys/class", "/sys/class/infiniband"}, "/sys/class/infiniband/mlx5_0", true},
    {{"/sys", "/sys/class", "/sys/class/cxi"}, "/sys/class/cxi/cxi0", true},
    {{"/dev"}, "/dev/nvidiactl", true},
    {{"/dev"}, "/dev/kfd", true},
    {{"/dev", "/dev/dri"}, "/dev/dri/renderD128", true},
    {{"/dev", "/dev/dri"}, "/dev/dri/card0", false}, /* a screen */
};

Test(memory_hooks, needed_where_a_device_is)
{
    char path[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char root[] = "/tmp/nereus-hooks-XXXXXX";
        cr_assert_not_null(mkdtemp(root));
        for (int k = 0; k < 4 && cases[i].folders[k] != NULL; k++) {
            snprintf(path, sizeof path, "%s%s", root, cases[i].folders[k]);
            cr_assert_eq(mkdir(path, 0700), 0);
        }
        if (cases[i].file != NULL) {
            snprintf(path, sizeof path, "%s%s", root, cases[i].file);
            FILE *file = fopen(path, "w");
            cr_assert_not_null(file);
            fclose(file);
        }
        cr_expect_eq(memory_hooks_are_needed(root), cases[i].needed, "row %zu", i);
        if (cases[i].file != NULL)
            unlink(path);
        for (int k = 3; k >= 0; k--) {
            snprintf(path, sizeof path, "%s%s", root,
                     cases[i].folders[k] != NULL ? cases[i].folders[k] : "/none");
            rmdir(path);
        }
        rmdir(root);
    }
}

/* A loop of links cannot be read even by root. */
Test(memory_hooks, needed_where_devices_cannot_be_listed)
{
    char root[] = "/tmp/nereus-hooks-XXXXXX", folder[64], path[80];
    cr_assert_not_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/dev", root);
    snprintf(path, sizeof path, "%s/dri", folder);
    cr_assert_eq(mkdir(folder, 0700), 0);
    cr_assert_eq(symlink("dri", path), 0);
    cr_expect(memory_hooks_are_needed(root));
    unlink(path);
    rmdir(folder);
    rmdir(root);
}

Test(memory_hooks, what_the_user_has_set_stays)
{
    for (const struct nereus_process_manager *const *manager = nereus_process_managers;
         *manager != NULL; manager++) {
        setenv(NEREUS_PROCESS_MANAGER_NAME, (*manager)->name, 1);
        unsetenv((*manager)->hooks);
        memory_hooks_choose("/nonexistent");
        cr_assert_str_eq(getenv((*manager)->hooks), (*manager)->no_hooks);
        setenv((*manager)->hooks, "reloc", 1);
        memory_hooks_choose("/nonexistent");
        cr_expect_str_eq(getenv((*manager)->hooks), "reloc");
    }
    unsetenv(NEREUS_PROCESS_MANAGER_NAME);
}
