/** @file process.c  Reads the state of a process, and finds the file of a program on PATH. */
#include "process.h"

#include <sys/stat.h>
#include <unistd.h>

bool nereus_process_read(long pid, struct nereus_process_stat *process)
{
    char path[64], text[512];
    *process = (struct nereus_process_stat){.state = 'X'};
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    /* "PID (NAME) STATE PARENT GROUP SESSION TERMINAL ITS-GROUP FLAGS"; a name may have any
     * character */
    const char *name = strchr(text, '('), *rest = strrchr(text, ')');
    if (name == NULL || rest == NULL ||
        sscanf(rest, ") %c %ld %*d %*d %*d %*d %lu", &process->state, &process->parent,
               &process->flags) != 3)
        return false;
    snprintf(process->name, sizeof process->name, "%.*s", (int)(rest - name - 1), name + 1);
    return true;
}

/* A folder is executable for access(), too. */
static bool is_program(const char *path)
{
    struct stat file_status;
    if (access(path, X_OK) != 0 || stat(path, &file_status) != 0)
        return false;
    errno = EACCES;
    return S_ISREG(file_status.st_mode);
}

static bool is_program_in(const char *path, int length, const char *name, const char *folder,
                          char *found, size_t size)
{
    const bool relative = length == 0 ? name[0] != '/' : path[0] != '/';
    snprintf(found, size, "%s%s%.*s%s%s", relative && folder != NULL ? folder : "",
             relative && folder != NULL ? "/" : "", length, path, length > 0 ? "/" : "", name);
    return is_program(found);
}

bool nereus_program_search(const char *name, const char *folder, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL)
        return is_program_in("", 0, name, folder, path, size);
    for (const char *position = folders != NULL ? folders : "/bin:/usr/bin"; *name != '\0';) {
        const size_t length = strcspn(position, ":");
        if (is_program_in(position, (int)length, name, folder, path, size))
            return true;
        if (position[length] == '\0')
            break;
        position += length + 1;
    }
    errno = ENOENT;
    return false;
}
