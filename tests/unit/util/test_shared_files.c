/**
 * @file test_shared_files.c
 * Files in /dev/shm that a job leaves: what is new and nobody's goes, what others have, or was
 * there before, stays.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/util/shared_files.h"

enum { NAME_BYTES = 64, BYTES = 4096, OTHER_USER = 65534 };

/* A folder of its own: in /dev/shm itself a command that runs beside this test may look at its
 * files, and remove them. */
static char folder[] = "/dev/shm/nereus-test-XXXXXX";

static void make_folder(void)
{
    cr_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    cr_expect(rmdir(folder) == 0);
}

TestSuite(shared_files, .init = make_folder, .fini = remove_folder);

/* @return the file, open */
static int make(char *path, const char *prefix, const char *end)
{
    snprintf(path, NAME_BYTES, "%s/%s_%s", folder, prefix, end);
    const int file = open(path, O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    cr_assert(file >= 0 && ftruncate(file, BYTES) == 0, "%s", path);
    return file;
}

/* Has the file mapped, or only open. */
static void hold_and_wait(const char *path, int mapped, int told)
{
    for (int inherited = 3; inherited < 64; inherited++)
        if (inherited != told)
            close(inherited);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (mapped && (mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED ||
                   close(file) != 0))
        _exit(1);
    if (write(told, "x", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static pid_t start(const char *path, int mapped)
{
    int tell[2];
    char one;
    cr_assert(pipe(tell) == 0);
    const pid_t child = fork();
    if (child == 0)
        hold_and_wait(path, mapped, tell[1]);
    cr_assert(read(tell[0], &one, 1) == 1);
    close(tell[0]);
    close(tell[1]);
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

Test(shared_files, what_is_new_and_nobodys_goes)
{
    char old[NAME_BYTES], left[NAME_BYTES], ucx[NAME_BYTES], mapped[NAME_BYTES], opened[NAME_BYTES],
        foreign[NAME_BYTES], other[NAME_BYTES];
    struct nereus_shared_files earlier_files, now;
    const int held = make(old, "mpich", "old");
    nereus_shared_files_record(folder, &earlier_files);
    nereus_shared_files_record(folder, &now);
    close(make(left, "mpich", "left"));
    close(make(ucx, "ucx_shm_posix", "left"));
    const int to_map = make(mapped, "mpich", "mapped"), to_open = make(opened, "mpich", "opened");
    close(make(foreign, "mpich", "foreign"));
    close(make(other, "other", "kind"));
    const int is_foreign = chown(foreign, OTHER_USER, (gid_t)-1) == 0; /* root alone can try this */
    const pid_t maps = start(mapped, 1), opens = start(opened, 0);
    close(to_map);
    close(to_open);
    close(held);
    nereus_shared_files_remove(&earlier_files);
    const int again = open(old, O_RDWR | O_CLOEXEC);
    cr_expect(access(left, F_OK) != 0 && access(ucx, F_OK) != 0, "what a job has left stays");
    cr_expect(access(old, F_OK) == 0, "a file is gone that was there before");
    cr_expect(access(mapped, F_OK) == 0, "a file is gone that a process has mapped");
    cr_expect(access(opened, F_OK) == 0, "a file is gone that a process has open");
    cr_expect(access(foreign, F_OK) == 0 || !is_foreign, "a file of another user is gone");
    cr_expect(access(other, F_OK) == 0, "a file is gone that is not of MPI");
    end(maps);
    end(opens);
    close(again);
    nereus_shared_files_remove(&now);
    cr_expect(access(mapped, F_OK) != 0 && access(opened, F_OK) != 0,
              "a file of a killed process stays");
    unlink(ucx);
    cr_expect(access(old, F_OK) == 0 && (access(foreign, F_OK) == 0 || !is_foreign));
    unlink(old);
    unlink(foreign);
    unlink(other);
}

Test(shared_files, memory_is_of_a_process_or_a_world)
{
    static const struct {
        const char *name;
        enum nereus_shared_file file;
    } files[] = {{"mpich_shm_1", NEREUS_SHARED_OF_WORLD},
                 {"ucx_shm_posix_1 (deleted)", NEREUS_SHARED_OF_PROCESS},
                 {"sm_segment.host.0.1", NEREUS_SHARED_OF_PROCESS},
                 {"my_mpich_", NEREUS_SHARED_OF_NONE},
                 {"", NEREUS_SHARED_OF_NONE}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        cr_expect_eq(nereus_shared_file_kind(files[i].name), files[i].file, "%s", files[i].name);
}

/* What was there is not known twice. */
Test(shared_files, without_a_note_nothing_goes)
{
    char path[NAME_BYTES];
    struct nereus_shared_files earlier_files;
    nereus_shared_files_record(folder, &earlier_files);
    nereus_shared_files_remove(&earlier_files);
    close(make(path, "mpich", "later"));
    cr_expect(nereus_shared_files_remove(&earlier_files) == 0);
    cr_expect(access(path, F_OK) == 0);
    unlink(path);
}

/* Without a record, by age: on another host than the one that the job was started on. */
Test(shared_files, what_is_young_and_nobodys_goes)
{
    char old[NAME_BYTES], left[NAME_BYTES], held[NAME_BYTES], other[NAME_BYTES];
    int to_hold = -1, stay = 0;
    close(make(old, "mpich", "old"));
    close(make(other, "other", "kind"));
    sleep(3);                             /* it only gets older */
    for (bool is_late = true; is_late;) { /* again where others have grown old meanwhile */
        const time_t begun = time(NULL);
        close(make(left, "mpich", "left"));
        to_hold = make(held, "ucx_shm_posix", "held");
        stay = nereus_shared_files_remove_young(folder, 1.5);
        is_late = time(NULL) - begun > 1;
        if (is_late) {
            close(to_hold);
            unlink(held);
            unlink(left);
        }
    }
    cr_expect_eq(stay, 1);
    cr_expect(access(left, F_OK) != 0, "what a job has left stays");
    cr_expect(access(old, F_OK) == 0, "a file is gone that is older than the job");
    cr_expect(access(held, F_OK) == 0, "a file is gone that a process has open");
    cr_expect(access(other, F_OK) == 0, "a file is gone that is not of MPI");
    close(to_hold);
    cr_expect_eq(nereus_shared_files_remove_young(folder, 100), 0);
    cr_expect(access(held, F_OK) != 0 && access(old, F_OK) != 0);
    unlink(other);
}
