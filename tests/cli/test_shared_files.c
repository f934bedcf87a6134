/* Files in /dev/shm that a killed program leaves: its own go, what others have stays. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_files.h"

enum { NAME_BYTES = 64, BYTES = 4096 };

static void make(char *path, const char *end)
{
    snprintf(path, NAME_BYTES, "/dev/shm/mpich_test_%ld_%s", (long)getpid(), end);
    const int file = open(path, O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    cr_assert(file >= 0 && ftruncate(file, BYTES) == 0, "%s", path);
    close(file);
}

static void map_and_wait(const char *path, int told)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED ||
        write(told, "x", 1) != 1) {
        _exit(1);
    }
    for (;;) {
        pause();
    }
}

/* A child and its child, each with a file of its own. @return the child, which is a process group */
static pid_t start(const char *first, const char *second)
{
    int tell[2];
    char both[2];
    cr_assert(pipe(tell) == 0);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        map_and_wait(fork() == 0 ? first : second, tell[1]);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert(read(tell[0], &both[i], 1) == 1);
    }
    close(tell[0]);
    close(tell[1]);
    return child;
}

Test(shared_files, those_of_killed_processes_go_and_no_others)
{
    char first[NAME_BYTES], second[NAME_BYTES], foreign[NAME_BYTES];
    static struct nereus_shared_files files;
    make(first, "1");
    make(second, "2");
    make(foreign, "3");
    const pid_t child = start(first, second);
    nereus_shared_files_look(&files);
    nereus_shared_files_look(&files);
    cr_expect(files.count == 2, "%d are noted", files.count);
    kill(-child, SIGKILL);
    waitpid(child, NULL, 0);
    cr_expect(access(first, F_OK) == 0 && access(second, F_OK) == 0);
    cr_expect(nereus_shared_files_remove(&files) == 2);
    cr_expect(access(first, F_OK) != 0 && access(second, F_OK) != 0, "a file of a killed process stays");
    cr_expect(access(foreign, F_OK) == 0, "a file was removed that is nobody's here");
    cr_expect(files.count == 0 && nereus_shared_files_remove(&files) == 0);
    unlink(first);
    unlink(second);
    unlink(foreign);
}
