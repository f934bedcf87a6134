/** @file test_manifest.c  Checkpoints in a folder: written, read, refused, removed. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/crc32.h"
#include "nereus/checkpoint.h"

static const uint64_t job_number = 0xfedcba9876543210;
static char folder[64];
static struct nereus_error err;

static void begin(void)
{
    strcpy(folder, "/tmp/nereus-checkpoint-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_expect_eq(system(command), 0);
}

static void put(const char *path, const char *name, const char *text)
{
    char file[PATH_MAX + 80];
    snprintf(file, sizeof file, "%s/%s", path, name);
    FILE *stream = fopen(file, "w");
    cr_assert_not_null(stream, "%s", file);
    fputs(text, stream);
    fclose(stream);
}

static struct nereus_checkpoint_file file_of(const char *name, const char *text)
{
    struct nereus_checkpoint_file file = {.bytes = (int64_t)strlen(text),
                                          .crc32 = nereus_crc32(0, text, strlen(text))};
    strcpy(file.name, name);
    return file;
}

/* A checkpoint with an array of two elements of 4 bytes, one host and a state. */
static int64_t make(char *path)
{
    static struct nereus_checkpoint_object object;
    static struct nereus_checkpoint_host host = {"host0", 4, 2};
    int64_t number;
    cr_assert_eq(nereus_checkpoint_begin(folder, &number, path, &err), NEREUS_OK, "%s", err.text);
    put(path, "x.bin", "abcdefgh");
    put(path, "state.bin", "state");
    object = (struct nereus_checkpoint_object){
        .entry = {.name = "x", .element_bytes = 4, .count = 2, .kind = NEREUS_VARIABLE},
        .type = "MPI_INT",
        .values = file_of("x.bin", "abcdefgh")};
    const struct nereus_checkpoint checkpoint = {.number = number,
                                                 .job = job_number,
                                                 .slurm_job = 41,
                                                 .job_name = "heat",
                                                 .program = "/bin/heat",
                                                 .library = "nereus 0.1.0",
                                                 .mpi = "MPICH",
                                                 .processes = 2,
                                                 .points = 40,
                                                 .written_s = 1795828403.8,
                                                 .took_s = 0.25,
                                                 .sizes = {.minimum = 2},
                                                 .host_count = 1,
                                                 .hosts = &host,
                                                 .object_count = 1,
                                                 .objects = &object,
                                                 .state = file_of("state.bin", "state")};
    cr_assert_eq(nereus_checkpoint_write(path, &checkpoint, &err), NEREUS_OK, "%s", err.text);
    return number;
}

Test(manifest, is_read_as_it_was_written, .init = begin, .fini = end)
{
    char path[PATH_MAX];
    struct nereus_checkpoint c;
    cr_expect_eq(make(path), 1);
    cr_assert_eq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK, "%s", err.text);
    cr_expect_eq(c.job, job_number);
    cr_expect_eq(c.slurm_job, 41);
    cr_expect_str_eq(c.job_name, "heat");
    cr_expect_eq(c.processes, 2);
    cr_expect_eq(c.points, 40);
    cr_expect_eq(c.sizes.minimum, 2);
    cr_expect_eq(c.written_s, 1795828403.8);
    cr_assert_eq(c.host_count, 1);
    cr_expect_str_eq(c.hosts[0].name, "host0");
    cr_assert_eq(c.object_count, 1);
    cr_expect_str_eq(c.objects[0].type, "MPI_INT");
    cr_expect_eq(c.objects[0].entry.kind, NEREUS_VARIABLE);
    cr_expect_eq(nereus_checkpoint_verify(path, &c, &err), NEREUS_OK, "%s", err.text);
    put(path, "x.bin", "abcdefgH");
    cr_expect_eq(nereus_checkpoint_verify(path, &c, &err), NEREUS_ERR_PARSE);
    cr_expect(strstr(err.text, "x.bin") != NULL && strstr(err.text, "crc32") != NULL, "%s",
              err.text);
    nereus_checkpoint_fini(&c);
}

/* A path that is cut in a character is shown without it; a name that would be read as another one
 * is refused, as the program that goes on would not find its data. */
Test(manifest, has_texts_that_are_no_utf8, .init = begin, .fini = end)
{
    static const char *const names[] = {"temp\xe9rature", "a\tb", "\xc2\x85"};
    char path[PATH_MAX];
    struct nereus_checkpoint c;
    make(path);
    cr_assert_eq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK, "%s", err.text);
    memset(c.program, 'p', sizeof c.program - 2);
    strcpy(c.program + sizeof c.program - 2, "\xc3");
    strcpy(c.objects[0].type, "\xff");
    memset(c.hosts[0].name, '\xff', sizeof c.hosts[0].name - 1);
    cr_assert_eq(nereus_checkpoint_write(path, &c, &err), NEREUS_OK, "%s", err.text);
    nereus_checkpoint_fini(&c);
    cr_assert_eq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK, "%s", err.text);
    cr_expect_eq(strspn(c.program, "p"), sizeof c.program - 2);
    cr_expect_str_eq(c.objects[0].type, "\xef\xbf\xbd");
    for (size_t i = 0; i < NEREUS_COUNT_OF(names); i++) {
        strcpy(c.objects[0].entry.name, names[i]);
        cr_expect_eq(nereus_checkpoint_write(path, &c, &err), NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, "object 0 ") != NULL, "%s", err.text);
    }
    nereus_checkpoint_fini(&c);
}

/* The text of a manifest with one part replaced. */
static char *changed(const char *path, const char *from, const char *to)
{
    static char text[8192], result[8192];
    char file[PATH_MAX + 80];
    snprintf(file, sizeof file, "%s/manifest.json", path);
    FILE *stream = fopen(file, "r");
    cr_assert_not_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    char *position = strstr(text, from);
    cr_assert_not_null(position, "no '%s' in %s", from, text);
    snprintf(result, sizeof result, "%.*s%s%s", (int)(position - text), text, to,
             position + strlen(from));
    return result;
}

Test(manifest, that_is_wrong_is_refused_by_name, .init = begin, .fini = end)
{
    static const struct {
        const char *from, *to, *says;
    } rows[] = {
        {"\"version\": 1", "\"version\": 7", "reads version 1 of checkpoints, not 7"},
        {"\"nereus-checkpoint\"", "\"tar\"", "format"},
        {"\"x.bin\"", "\"../x.bin\"", "not the name of a file"},
        {"\"x.bin\"", "\"/etc/passwd\"", "not the name of a file"},
        {"\"x.bin\"", "\".bin\"", "not the name of a file"},
        {"\"x.bin\"", "\"manifest.json\"", "not the name of a file"},
        {"\"x.bin\"", "\"y.bin\"", "'y.bin' cannot be read"},
        {"\"x.bin\"", "\"state.bin\"", "two have the file 'state.bin'"},
        {"\"count\": 2", "\"count\": 3", "not those of the elements"},
        {"\"count\": 2", "\"count\": 9223372036854775806", "not those of the elements"},
        {"\"count\": 2", "\"count\": -2", "count"},
        {"\"element_bytes\": 4", "\"element_bytes\": 0", "element_bytes"},
        {"\"array\"", "\"custom\"", "custom data have one"},
        {"\"type\"", "\"index\": {\"file\": \"i\", \"bytes\": 24, \"crc32\": 0}, \"type\"",
         "only custom data have one"},
        {"\"array\"", "\"cube\"", "none of array, rows"},
        {"\"fedcba9876543210\"", "\"job\"", "16 hexadecimal digits"},
        {"\"processes\": 2", "\"processes\": 0", "processes"},
        {"\"minimum\": 2", "\"minimum\": 0, \"least\": 2", "least"},
        {"\"points\": 40,", "", "points"},
        {"}", "", "manifest.json"},
    };
    char path[PATH_MAX];
    struct nereus_checkpoint c;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        make(path);
        put(path, "manifest.json", changed(path, rows[i].from, rows[i].to));
        cr_expect_neq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK, "%s -> %s", rows[i].from,
                      rows[i].to);
        cr_expect(strstr(err.text, rows[i].says) != NULL, "%s -> %s: %s", rows[i].from, rows[i].to,
                  err.text);
    }
}

Test(manifest, needs_its_files_as_they_were, .init = begin, .fini = end)
{
    char path[PATH_MAX], file[PATH_MAX + 80];
    struct nereus_checkpoint c;
    make(path);
    put(path, "x.bin", "abc");
    cr_expect_neq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK);
    cr_expect(strstr(err.text, "has 3 bytes instead of 8") != NULL, "%s", err.text);
    snprintf(file, sizeof file, "%s/x.bin", path);
    unlink(file);
    cr_assert_eq(symlink("/etc/passwd", file), 0);
    cr_expect_neq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK);
    cr_expect(strstr(err.text, "not a regular file") != NULL, "%s", err.text);
    /* opening a pipe would wait for a writer */
    snprintf(file, sizeof file, "%s/manifest.json", path);
    unlink(file);
    cr_assert_eq(mkfifo(file, 0666), 0);
    cr_expect_neq(nereus_checkpoint_read(path, &c, &err), NEREUS_OK);
    cr_expect(strstr(err.text, "manifest.json' is not a regular file") != NULL, "%s", err.text);
}

Test(folder, keeps_the_two_newest, .init = begin, .fini = end)
{
    char path[PATH_MAX];
    int64_t number;
    for (int i = 1; i <= 4; i++)
        cr_expect_eq(make(path), i);
    cr_expect_eq(nereus_checkpoint_newest(folder, INT64_MAX, path), 4);
    cr_expect(strstr(path, "/checkpoint-4") != NULL);
    cr_expect_eq(nereus_checkpoint_newest(folder, 4, path), 3);
    nereus_checkpoint_prune(folder, job_number + 1); /* of another job in this folder */
    cr_expect_eq(nereus_checkpoint_newest(folder, 2, path), 1);
    nereus_checkpoint_prune(folder, job_number);
    cr_expect_eq(nereus_checkpoint_newest(folder, 3, path), 0);
    /* one that was interrupted is no checkpoint, and is removed with its files */
    cr_assert_eq(nereus_checkpoint_begin(folder, &number, path, &err), NEREUS_OK);
    cr_expect_eq(number, 5);
    put(path, "x.bin", "abc");
    cr_expect_eq(nereus_checkpoint_newest(folder, INT64_MAX, path), 4);
    cr_assert_eq(nereus_checkpoint_begin(folder, &number, path, &err), NEREUS_OK);
    cr_expect_eq(number, 5);
    cr_expect_eq(access(path, F_OK), 0);
}

Test(folder, of_others_is_left_alone, .init = begin, .fini = end)
{
    char path[PATH_MAX + 80], other[PATH_MAX];
    snprintf(other, sizeof other, "%s/checkpoints", folder);
    mkdir(other, 0777);
    put(other, "mine", "text");
    put(folder, "checkpoint-3.tar", "text");
    snprintf(path, sizeof path, "%s/checkpoint-2", folder);
    cr_assert_eq(symlink(other, path), 0);
    cr_expect_eq(make(path), 3);
    nereus_checkpoint_prune(folder, job_number);
    snprintf(path, sizeof path, "%s/mine", other);
    cr_expect_eq(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/checkpoint-3.tar", folder);
    cr_expect_eq(access(path, F_OK), 0);
}

/* Other programs have folders of this name, too, without a manifest. */
Test(folder, of_another_program_keeps_its_files, .init = begin, .fini = end)
{
    char path[PATH_MAX], other[PATH_MAX], file[PATH_MAX + 80];
    snprintf(other, sizeof other, "%s/checkpoint-500", folder);
    mkdir(other, 0777);
    put(other, "optimizer.bin", "weights");
    put(other, "trainer_state.json", "{}");
    cr_expect_eq(make(path), 501);
    nereus_checkpoint_prune(folder, job_number);
    snprintf(file, sizeof file, "%s/optimizer.bin", other);
    cr_expect_eq(access(file, F_OK), 0);
    snprintf(file, sizeof file, "%s/trainer_state.json", other);
    cr_expect_eq(access(file, F_OK), 0);
}

/* A number that is not read back would hide the checkpoint. */
Test(folder, has_numbers_of_18_digits, .init = begin, .fini = end)
{
    char path[PATH_MAX], last[PATH_MAX];
    int64_t number;
    snprintf(last, sizeof last, "%s/checkpoint-999999999999999999", folder);
    mkdir(last, 0777);
    put(last, "mine", "text");
    cr_expect_eq(nereus_checkpoint_begin(folder, &number, path, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "checkpoint-999999999999999999") != NULL, "%s", err.text);
}

/* In a mount namespace of its own, so as root only. */
static bool mount_small(const char *path)
{
    return mkdir(path, 0777) == 0 && unshare(CLONE_NEWNS) == 0 &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", path, "tmpfs", 0, "size=16k") == 0;
}

/* A manifest of many hosts that the file system has no room for. */
static void write_large(const char *path, int64_t number)
{
    enum { HOSTS = 1000 };
    static struct nereus_checkpoint_host hosts[HOSTS];
    char file[PATH_MAX + 80];
    struct nereus_checkpoint c = {.number = number,
                                  .processes = 1,
                                  .sizes = {.minimum = 1},
                                  .host_count = HOSTS,
                                  .hosts = hosts,
                                  .state = file_of("state.bin", "state")};
    cr_expect_eq(nereus_checkpoint_write(path, &c, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "manifest.json") != NULL &&
                  strstr(err.text, "No space left on device") != NULL,
              "%s", err.text);
    snprintf(file, sizeof file, "%s/manifest.json", path);
    cr_expect_neq(access(file, F_OK), 0);
    cr_expect_eq(rmdir(path), 0, "the file that was begun is still there");
}

Test(folder, that_is_full_or_read_only_is_named, .init = begin, .fini = end)
{
    char path[PATH_MAX], disk[PATH_MAX];
    int64_t number;
    snprintf(disk, sizeof disk, "%s/disk", folder);
    if (!mount_small(disk))
        cr_skip_test("no file system can be mounted");
    cr_assert_eq(nereus_checkpoint_begin(disk, &number, path, &err), NEREUS_OK, "%s", err.text);
    write_large(path, number);
    cr_assert_eq(mount("none", disk, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    cr_expect_eq(nereus_checkpoint_begin(disk, &number, path, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, disk) != NULL && strstr(err.text, "Read-only file system") != NULL,
              "%s", err.text);
    cr_expect_eq(umount(disk), 0);
}

Test(folder, that_cannot_be_made_is_named, .init = begin, .fini = end)
{
    char path[PATH_MAX], below[PATH_MAX];
    int64_t number;
    put(folder, "file", "text");
    snprintf(below, sizeof below, "%s/file/checkpoints", folder);
    cr_expect_eq(nereus_checkpoint_begin(below, &number, path, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, below) != NULL && strstr(err.text, "Not a directory") != NULL, "%s",
              err.text);
    snprintf(below, sizeof below, "%s/a/b", folder);
    cr_expect_eq(nereus_checkpoint_begin(below, &number, path, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, below) != NULL &&
                  strstr(err.text, "No such file or directory") != NULL,
              "%s", err.text);
    snprintf(below, sizeof below, "%s/a", folder);
    cr_expect_eq(nereus_checkpoint_begin(below, &number, path, &err), NEREUS_OK, "%s", err.text);
}

Test(path, names_a_checkpoint_or_a_folder)
{
    static const struct {
        const char *path, *folder;
        int64_t number;
    } rows[] = {{"/a/b/checkpoint-7", "/a/b", 7},
                {"checkpoint-12", ".", 12},
                {"/checkpoint-1", "/", 1},
                {"/a/b", "/a/b", 0},
                {"/a/checkpoint-7/x", "/a/checkpoint-7/x", 0},
                {"/a/checkpoint-0", "/a/checkpoint-0", 0},
                {"/a/checkpoint-7b", "/a/checkpoint-7b", 0}};
    char path[PATH_MAX];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_expect_eq(nereus_checkpoint_split_path(rows[i].path, path), rows[i].number, "%s",
                     rows[i].path);
        cr_expect_str_eq(path, rows[i].folder);
    }
}

Test(file_name, is_plain_and_its_own)
{
    static const struct {
        const char *object, *file;
    } rows[] = {{"x", "x.bin"},
                {"u_new-2", "u_new-2.bin"},
                {"state", "object-3.bin"},
                {"object-1", "object-3.bin"},
                {"a/b", "object-3.bin"},
                {"..", "object-3.bin"},
                {"", "object-3.bin"},
                {"\xc3\xa4", "object-3.bin"}};
    char file[NEREUS_CHECKPOINT_FILE_MAX];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_str_eq(nereus_checkpoint_file_name(rows[i].object, 3, ".bin", file),
                         rows[i].file);
}

/* Daly (2006): with d = 5 min and M = 24 h the first order, sqrt(2 d M), is 2 h, the higher
 * one 1.95 h. */
Test(interval, is_that_of_daly)
{
    const double d = 300, m = 86400, x = d / (2 * m);
    cr_expect_float_eq(nereus_checkpoint_interval_s(d, m),
                       sqrt(2 * d * m) * (1 + sqrt(x) / 3 + x / 9) - d, 1e-9);
    cr_expect_float_eq(nereus_checkpoint_interval_s(d, m), 7000, 60);
    cr_expect_eq(nereus_checkpoint_interval_s(10, 4), 4);
    cr_expect_eq(nereus_checkpoint_interval_s(0, 4), 0);
}

/* M = 100. Rows with logarithms: each factor is a whole number or a half, as e^(ln 2) - 1 = 1. */
Test(expected, is_that_of_daly)
{
    const double ln15 = 100 * log(1.5), ln2 = 100 * log(2), ln3 = 100 * log(3);
    const struct {
        struct nereus_checkpoint_times times;
        double expected_s;
    } rows[] = {
        {{600, 60, ln2 - 60, ln15, 100}, 1500}, /* 100 x 1.5 x 1 x 600 / 60 */
        {{600, 60, ln3 - 60, 0, 100}, 2000},    /* 100 x 1 x 2 x 10 */
        {{ln3, 200, 7, ln15, 100}, 300},        /* none is written: 100 x 1.5 x (3 - 1) */
        {{ln3, ln3, 7, 0, 100}, 200},           /* likewise */
        {{1000, 99, 1, 3, 1e15}, 1000 / 0.99},  /* no failures: the checkpoints alone */
        {{1000, 1000, 0, 3, 1e15}, 1000},       /* nothing */
        {{0, 60, 1, 3, 100}, 0},
        {{1e6, 1e6, 0, 0, 100}, INFINITY},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double found = nereus_checkpoint_expected_s(&rows[i].times);
        cr_expect(found == rows[i].expected_s ||
                      fabs(found - rows[i].expected_s) <= 1e-9 * rows[i].expected_s,
                  "row %zu: %.12g, not %.12g", i, found, rows[i].expected_s);
    }
}

/* Equation 37 is the minimum of equation 20, up to its order. */
Test(expected, is_least_at_the_best_interval)
{
    struct nereus_checkpoint_times times = {
        .work_s = 1e6, .cost_s = 300, .restart_s = 60, .mtbf_s = 86400};
    const double best = nereus_checkpoint_interval_s(times.cost_s, times.mtbf_s);
    times.interval_s = best;
    const double min = nereus_checkpoint_expected_s(&times);
    for (double factor = 0.9; factor < 1.2; factor += 0.2) {
        times.interval_s = factor * best;
        cr_expect(nereus_checkpoint_expected_s(&times) > min, "%g times the interval", factor);
    }
}
