/** @file test_file.c  Reading whole files, and replacing them whole or not at all. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/file.h"

/* Every test works in an empty folder of its own. */
static char folder[] = "test-file-XXXXXX";

static void enter(void)
{
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave(void)
{
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (unlink(entry->d_name) != 0)
            (void)!rmdir(entry->d_name);
    closedir(here);
    cr_assert(chdir("..") == 0 && rmdir(folder) == 0);
}

static int files_here(void)
{
    int count = -2; /* "." and ".." */
    DIR *here = opendir(".");
    while (readdir(here) != NULL)
        count++;
    closedir(here);
    return count;
}

static void put(const char *path, const char *content, size_t length)
{
    FILE *stream = fopen(path, "wb");
    cr_assert(stream != NULL && fwrite(content, 1, length, stream) == length &&
              fclose(stream) == 0);
}

static void expect_content(const char *path, const char *expected)
{
    char *text = NULL;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_read(path, "file", &text, NULL, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(strcmp(text, expected) == 0, "%s: \"%s\", not \"%s\"", path, text, expected);
    free(text);
}

TestSuite(file, .init = enter, .fini = leave);

Test(file, reads_files_of_any_length)
{
    static const size_t lengths[] = {1, 2, 8190, 8191, 8192, 8193, 16384, 300001};
    char *content = malloc(300001);
    for (size_t i = 0; i < 300001; i++)
        content[i] = (char)('a' + i % 23);
    for (size_t i = 0; i < NEREUS_COUNT_OF(lengths); i++) {
        char *text = NULL;
        size_t length = 0;
        put("x", content, lengths[i]);
        cr_assert(nereus_file_read("x", "file", &text, &length, NULL) == NEREUS_OK);
        cr_expect(length == lengths[i] && strlen(text) == length &&
                      memcmp(text, content, length) == 0,
                  "%zu", lengths[i]);
        free(text);
    }
    free(content);
}

Test(file, says_why_it_cannot_read)
{
    put("empty", "", 0);
    put("binary", "a\0b", 3);
    cr_assert(mkdir("box", 0777) == 0);
    static const struct {
        const char *path;
        enum nereus_status status;
        const char *sentence;
    } rows[] = {
        {"missing", NEREUS_ERR_IO, "profile 'missing' does not exist"},
        {"no/way", NEREUS_ERR_IO, "profile 'no/way' does not exist"},
        {"", NEREUS_ERR_IO, "profile '' does not exist"},
        {"box", NEREUS_ERR_IO, "profile 'box' is a folder: name a file"},
        {"empty/x", NEREUS_ERR_IO, "profile 'empty/x' cannot be read: Not a directory"},
        {"empty", NEREUS_ERR_PARSE, "profile 'empty' is empty"},
        {"binary", NEREUS_ERR_PARSE,
         "profile 'binary' is not a text file (it has zero bytes in it)"},
        {"/dev/zero", NEREUS_ERR_PARSE,
         "profile '/dev/zero' is not a text file (it has zero bytes in it)"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char *text = NULL;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_expect(nereus_file_read(rows[i].path, "profile", &text, NULL, &err) == rows[i].status,
                  "%s", rows[i].path);
        cr_expect(strcmp(err.text, rows[i].sentence) == 0, "\"%s\", not \"%s\"", err.text,
                  rows[i].sentence);
        cr_expect(text == NULL, "%s", rows[i].path);
    }
}

Test(file, says_that_it_may_not_read)
{
    put("secret", "x", 1);
    cr_assert(chmod("secret", 0) == 0);
    if (access("secret", R_OK) == 0)
        cr_skip("the superuser may read everything");
    char *text;
    struct nereus_error err;
    cr_expect(nereus_file_read("secret", "profile", &text, NULL, &err) == NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "Permission denied") != NULL, "%s", err.text);
}

Test(file, reads_pipes)
{
    int ends[2];
    char path[32], *text = NULL;
    cr_assert(pipe(ends) == 0 && write(ends[1], "ns,nt\n", 6) == 6 && close(ends[1]) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    cr_assert(nereus_file_read(path, "file", &text, NULL, NULL) == NEREUS_OK);
    cr_expect(strcmp(text, "ns,nt\n") == 0);
    free(text);
    close(ends[0]);
}

static void replace_with(const char *path, const char *content)
{
    struct nereus_file_replace replace;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_replace_begin(path, &replace, &err) == NEREUS_OK, "%s", err.text);
    fputs(content, replace.stream);
    cr_assert(nereus_file_replace_commit(&replace, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(replace.stream == NULL && replace.path == NULL && replace.temporary == NULL);
    nereus_file_replace_abort(&replace); /* does nothing now */
}

Test(file, a_new_file_appears_with_the_commit)
{
    struct nereus_file_replace replace;
    cr_assert(nereus_file_replace_begin("new", &replace, NULL) == NEREUS_OK);
    fputs("half", replace.stream);
    fflush(replace.stream);
    cr_expect(access("new", F_OK) != 0, "there before the commit");
    fputs(" and half", replace.stream);
    cr_assert(nereus_file_replace_commit(&replace, NULL) == NEREUS_OK);
    expect_content("new", "half and half");
    cr_expect(files_here() == 1);
}

Test(file, the_old_file_stays_until_the_commit)
{
    put("old", "old\n", 4);
    struct nereus_file_replace replace;
    cr_assert(nereus_file_replace_begin("old", &replace, NULL) == NEREUS_OK);
    fputs("new\n", replace.stream);
    fflush(replace.stream);
    expect_content("old", "old\n");
    replace.transient = true;
    cr_assert(nereus_file_replace_commit(&replace, NULL) == NEREUS_OK);
    expect_content("old", "new\n");
    cr_expect(files_here() == 1);
}

Test(file, an_abort_leaves_nothing_behind)
{
    put("old", "old\n", 4);
    static const char *const paths[] = {"old", "new", "./new"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(paths); i++) {
        struct nereus_file_replace replace;
        cr_assert(nereus_file_replace_begin(paths[i], &replace, NULL) == NEREUS_OK);
        fputs("unwanted", replace.stream);
        cr_expect(files_here() == 2);
        nereus_file_replace_abort(&replace);
        cr_expect(files_here() == 1);
        nereus_file_replace_abort(&replace);
    }
    expect_content("old", "old\n");
}

Test(file, two_writers_do_not_meet)
{
    struct nereus_file_replace a, b;
    cr_assert(nereus_file_replace_begin("x", &a, NULL) == NEREUS_OK);
    cr_assert(nereus_file_replace_begin("x", &b, NULL) == NEREUS_OK);
    fputs("from a", a.stream);
    fputs("from b", b.stream);
    cr_assert(nereus_file_replace_commit(&b, NULL) == NEREUS_OK);
    expect_content("x", "from b");
    cr_assert(nereus_file_replace_commit(&a, NULL) == NEREUS_OK);
    expect_content("x", "from a");
    cr_expect(files_here() == 1);
}

Test(file, permissions_follow_the_umask_or_the_old_file)
{
    struct stat info;
    mode_t umask_before = umask(027);
    replace_with("x", "1");
    cr_assert(stat("x", &info) == 0);
    cr_expect((info.st_mode & 0777) == 0640, "%o", info.st_mode & 0777);
    cr_assert(chmod("x", 0604) == 0);
    replace_with("x", "2");
    cr_assert(stat("x", &info) == 0);
    cr_expect((info.st_mode & 0777) == 0604, "%o", info.st_mode & 0777);
    umask(umask_before);
}

Test(file, links_are_followed)
{
    put("real", "old", 3);
    cr_assert(symlink("real", "link") == 0);
    replace_with("link", "new");
    struct stat info;
    cr_assert(lstat("link", &info) == 0);
    cr_expect(S_ISLNK(info.st_mode));
    expect_content("real", "new");
}

/* A device would serve as well, but a fault in the code would replace it. */
Test(file, what_is_no_regular_file_is_written_to_directly)
{
    char text[8] = "";
    struct stat info;
    cr_assert(mkfifo("queue", 0600) == 0);
    int queue = open("queue", O_RDWR);
    replace_with("queue", "piped");
    cr_expect(stat("queue", &info) == 0 && S_ISFIFO(info.st_mode), "the pipe was replaced");
    cr_expect(fcntl(queue, F_SETFL, O_NONBLOCK) == 0 && read(queue, text, sizeof text) == 5);
    cr_expect(strcmp(text, "piped") == 0, "%s", text);
    close(queue);
    cr_expect(files_here() == 1);
}

Test(file, says_why_it_cannot_write)
{
    struct nereus_file_replace replace = {0};
    struct nereus_error err;
    cr_assert(mkdir("box", 0777) == 0);
    cr_expect(nereus_file_replace_begin("box", &replace, &err) == NEREUS_ERR_IO);
    cr_expect(strcmp(err.text, "'box' cannot be written: Is a directory") == 0, "%s", err.text);
    cr_expect(nereus_file_replace_begin("no/way", &replace, &err) == NEREUS_ERR_IO);
    cr_expect(strcmp(err.text, "'no/way' cannot be written: No such file or directory") == 0, "%s",
              err.text);
    cr_expect(nereus_file_replace_begin("", &replace, &err) == NEREUS_ERR_IO);
    cr_expect(replace.stream == NULL);
    cr_expect(files_here() == 1);
}

/* A full disk is found at the commit, however much is buffered: the old file stays, and nothing
 * else does. */
Test(file, a_failed_commit_leaves_the_old_file)
{
    static const size_t sizes[] = {1, 4096, 100001};
    put("old", "old\n", 4);
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
        struct nereus_file_replace replace;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert(nereus_file_replace_begin("old", &replace, &err) == NEREUS_OK);
        int full = open("/dev/full", O_WRONLY);
        cr_assert(full >= 0 && dup2(full, fileno(replace.stream)) >= 0);
        close(full);
        for (size_t n = 0; n < sizes[i]; n++)
            fputc('x', replace.stream);
        cr_expect(nereus_file_replace_commit(&replace, &err) == NEREUS_ERR_IO, "%zu bytes",
                  sizes[i]);
        cr_expect(strstr(err.text, "cannot be written: No space left on device") != NULL, "%s",
                  err.text);
        expect_content("old", "old\n");
        cr_expect(files_here() == 1);
    }
}

/* Of a line that does not fit any more nothing is left: others may be appended when there is
 * room. */
Test(file, a_line_is_appended_whole_or_not_at_all)
{
    struct rlimit limit, before; /* of a file, in the place of a disk */
    signal(SIGXFSZ, SIG_IGN);
    cr_assert(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = (struct rlimit){10, before.rlim_max};
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    cr_expect(nereus_file_append("lines", "first\n", 6));
    cr_expect(!nereus_file_append("lines", "second\n", 7) && errno == EFBIG);
    expect_content("lines", "first\n");
    cr_assert(setrlimit(RLIMIT_FSIZE, &before) == 0);
    cr_expect(nereus_file_append("lines", "third\n", 6));
    expect_content("lines", "first\nthird\n");
    cr_expect(!nereus_file_append("/dev/full", "x", 1) && errno == ENOSPC);
}

/* A failure stays one, even if writing works again afterwards: something may be missing in between.
 */
Test(file, an_earlier_failure_is_not_forgotten)
{
    struct nereus_file_replace replace;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_replace_begin("new", &replace, &err) == NEREUS_OK);
    int good = dup(fileno(replace.stream)), full = open("/dev/full", O_WRONLY);
    cr_assert(good >= 0 && full >= 0 && dup2(full, fileno(replace.stream)) >= 0);
    fputs("lost", replace.stream);
    cr_expect(fflush(replace.stream) != 0);
    cr_assert(dup2(good, fileno(replace.stream)) >= 0);
    fputs("kept", replace.stream);
    cr_expect(nereus_file_replace_commit(&replace, &err) == NEREUS_ERR_IO);
    cr_expect(files_here() == 0);
    close(good);
    close(full);
}

/* By name, in other words, and through links; there and not there yet. */
Test(file, folders_are_made_with_their_parents)
{
    static const struct {
        const char *path, *sentence; /* NULL: it is made */
    } rows[] = {
        {"a/b/c", NULL},
        {"a//b/", NULL},
        {"file", "the folder 'file' cannot be made: File exists"},
        {"file/x", "the folder 'file' cannot be made: File exists"},
        {"/proc/x/y", "the folder '/proc/x' cannot be made: No such file or directory"},
        {"", "the folder '' cannot be made: No such file or directory"},
    };
    put("file", "old", 3);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        const bool made = nereus_file_make_folder(rows[i].path, &err) == NEREUS_OK;
        cr_expect_eq(made, rows[i].sentence == NULL, "%s", rows[i].path);
        cr_expect_str_eq(err.text, made ? "" : rows[i].sentence);
    }
    cr_expect_eq(access("a/b/c", F_OK), 0);
    nereus_file_remove_tree("a");
}

Test(file, same_files)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"there", "there", true},
        {"there", "./there", true},
        {"there", "../HERE/there", true},
        {"there", "link", true},
        {"there", "hard", true},
        {"there", "copy", false},
        {"there", "missing", false},
        {"missing", "missing", true},
        {"missing", "./missing", true},
        {"missing", "dangling", true},
        {"dangling", "there", false},
        {"missing", "other", false},
        {"missing", "../missing", false},
        {"no-folder/a", "no-folder/b", false},
        {"no-folder/a", "no-folder/a", true},
        {"no-folder/a/b", "no-folder", false},
        {"/dev/null", "/dev/null", false},
        {".", ".", false},
    };
    put("there", "x", 1);
    put("copy", "x", 1);
    cr_assert(symlink("there", "link") == 0 && link("there", "hard") == 0 &&
              symlink("missing", "dangling") == 0);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char b[64];
        const char *here = strstr(rows[i].b, "HERE");
        snprintf(b, sizeof b, here != NULL ? "../%s/there" : "%s",
                 here != NULL ? folder : rows[i].b);
        cr_expect_eq(nereus_file_is_same(rows[i].a, b), rows[i].same, "%s, %s", rows[i].a, b);
        cr_expect_eq(nereus_file_is_same(b, rows[i].a), rows[i].same, "%s, %s", b, rows[i].a);
    }
}

/* Lines of several writers follow each other; what was written elsewhere gets its name. */
Test(file, is_appended_to_and_kept)
{
    struct nereus_error err = {.text = ""};
    char written[64], path[64], *text;
    snprintf(written, sizeof written, "part-%d", (int)getpid());
    snprintf(path, sizeof path, "kept-%d", (int)getpid());
    cr_assert(nereus_file_append(written, "one\n", 4) && nereus_file_append(written, "two\n", 4));
    cr_assert_eq(nereus_file_rename_durably(written, path, &err), NEREUS_OK, "%s", err.text);
    cr_expect(access(written, F_OK) != 0);
    cr_assert_eq(nereus_file_read(path, "file", &text, NULL, &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(text, "one\ntwo\n");
    free(text);
    remove(path);
    cr_expect_eq(nereus_file_rename_durably(written, path, &err), NEREUS_ERR_IO);
    cr_expect(!nereus_file_append("no-such-folder/file", "x", 1));
}

/* A named pipe that nobody reads is not waited for, and one whose reader goes ends nothing. */
Test(file, of_a_pipe_is_no_wait)
{
    enum { BYTES = 1 << 20 }; /* more than a pipe holds */
    char path[64], byte, *many = calloc(1, BYTES);
    snprintf(path, sizeof path, "pipe-%d", (int)getpid());
    cr_assert(mkfifo(path, 0600) == 0 && many != NULL);
    cr_expect(!nereus_file_append(path, "x", 1) && errno == EPIPE);
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    cr_expect(nereus_file_append(path, "x", 1) && read(reader, &byte, 1) == 1);
    const pid_t child = fork();
    if (child == 0) {
        poll(&(struct pollfd){reader, POLLIN, 0}, 1, -1);
        _exit(0);
    }
    close(reader);
    cr_expect(!nereus_file_append(path, many, BYTES) && errno == EPIPE);
    waitpid(child, NULL, 0);
    struct nereus_file_replace replace;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_file_replace_begin(path, &replace, &err) == NEREUS_OK, "%s", err.text);
    fwrite(many, 1, BYTES, replace.stream);
    cr_expect(nereus_file_replace_commit(&replace, &err) == NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "cannot be written: Broken pipe") != NULL, "%s", err.text);
    free(many);
    remove(path);
}

/* No shell has looked at a path in the environment, or in a file. */
Test(file, paths_in_the_home_folder)
{
    setenv("HOME", ".", 1);
    replace_with("~/x", "one\n");
    cr_expect(nereus_file_append("~/x", "two\n", 4));
    expect_content("~/x", "one\ntwo\n");
    expect_content("x", "one\ntwo\n");
    cr_expect(files_here() == 1);
}
