/** @file test_doctor_network.c  Which interfaces tell their speed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "predictor/doctor/doctor.h"

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(doctor_network, interfaces_that_tell_their_speed)
{
    static const struct {
        const char *name, *state, *speed;
    } rows[] = {{"eth0", "up\n", "10000\n"},     {"ib0", "up\n", "200000\n"},
                {"veth0", "up\n", "-1\n"},       {"eth1", "down\n", "1000\n"},
                {"odd", "up\n", "Invalid\n"},    {"lo", "unknown\n", NULL},
                {"huge", "up\n", "4294967295\n"}};
    char folder[] = "/tmp/nereus-netXXXXXX", text[160], path[128];
    cr_assert_not_null(mkdtemp(folder));
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, rows[i].name);
        cr_assert_eq(mkdir(path, 0700), 0);
        write_file(path, "operstate", rows[i].state);
        if (rows[i].speed != NULL)
            write_file(path, "speed", rows[i].speed);
    }
    cr_expect_float_eq(nereus_doctor_interfaces(folder, text, sizeof text), 25e9, 1);
    cr_expect_str_eq(text, "eth0 1250 MB/s, ib0 25000 MB/s");
    cr_expect_float_eq(nereus_doctor_interfaces("/nowhere", text, sizeof text), 0, 0);
    cr_expect_str_eq(text, "");
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        snprintf(path, sizeof path, "%s/%s/operstate", folder, rows[i].name);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s/speed", folder, rows[i].name);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s", folder, rows[i].name);
        rmdir(path);
    }
    rmdir(folder);
}
