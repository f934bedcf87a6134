/** @file fuzz.c  Makes texts and files of inputs, and checks errors, for all fuzz targets. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("input", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
    FUZZ_CHECK(size == 0 || pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

char *fuzz_field(char **text)
{
    char *field = *text;
    char *end = field + strcspn(field, "\n");
    *text = *end == '\n' ? end + 1 : end;
    *end = '\0';
    return field;
}

bool fuzz_accepted(enum nereus_status status, const struct nereus_error *err)
{
    if (status == NEREUS_OK)
        return true;
    FUZZ_CHECK(err->status == status);
    FUZZ_CHECK(err->text[0] != '\0');
    FUZZ_CHECK(strlen(err->text) < sizeof err->text);
    FUZZ_CHECK(strpbrk(err->text, "\n\r\t\033") == NULL);
    return false;
}
