/**
 * @file text_file.c
 * Reads text by lines or whole; recognises what is no text by its first bytes, and says so.
 */
#include "text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/home.h"

static enum nereus_status fail_read(const struct nereus_text_file *file, const char *why,
                                    struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_IO, "%s '%.200s' cannot be read: %s", file->what, file->path,
                       why);
}

static enum nereus_status open_standard_input(struct nereus_text_file *file,
                                              struct nereus_error *err)
{
    static bool opened;
    if (opened)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s '-': standard input was read before, and can be one file only",
                           file->what);
    opened = true;
    file->input.descriptor = STDIN_FILENO;
    return NEREUS_OK;
}

static enum nereus_status open_path(struct nereus_text_file *file, struct nereus_error *err)
{
    struct stat info;
    char *in_home = nereus_home_path(file->path);
    const int descriptor = open(in_home != NULL ? in_home : file->path, O_RDONLY | O_CLOEXEC);
    free(in_home);
    if (descriptor < 0 && errno == ENOENT)
        return nereus_fail(err, NEREUS_ERR_IO, "%s '%.200s' does not exist", file->what,
                           file->path);
    if (descriptor < 0)
        return fail_read(file, strerror(errno), err);
    if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(descriptor);
        return nereus_fail(err, NEREUS_ERR_IO, "%s '%.200s' is a folder: name a file", file->what,
                           file->path);
    }
    file->input.descriptor = descriptor;
    return NEREUS_OK;
}

enum nereus_status nereus_text_open(const char *path, const char *what,
                                    struct nereus_text_file *file, struct nereus_error *err)
{
    *file = (struct nereus_text_file){.path = path, .what = what};
    return strcmp(path, "-") == 0 ? open_standard_input(file, err) : open_path(file, err);
}

void nereus_text_close(struct nereus_text_file *file)
{
    if (file->input.descriptor != STDIN_FILENO)
        close(file->input.descriptor);
    nereus_bytes_in_fini(&file->input);
    free(file->text);
    file->text = NULL;
}

static enum nereus_status fail_file(const struct nereus_text_file *file, const char *why,
                                    struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s '%.200s' %s", file->what, file->path, why);
}

static const char has_zeros[] = "is not a text file (it has zero bytes in it)";
static const char has_end[] =
    "is not a text file (it has ^Z, the end of a text on DOS, in it, and goes on behind it)";
static const char is_utf16[] = "is UTF-16, which Windows calls Unicode: save it as UTF-8";
static const char is_utf32[] = "is UTF-32: save it as UTF-8";
static const char is_packed[] = "is packed, and not by gzip: unpack it first";

/* Files that are no text, recognised by their first bytes. */
static const struct {
    char bytes[7];
    size_t count;
    const char *why;
} others[] = {
    {"\xFF\xFE\0\0", 4, is_utf32},
    {"\0\0\xFE\xFF", 4, is_utf32},
    {"\xFF\xFE", 2, is_utf16},
    {"\xFE\xFF", 2, is_utf16},
    {"PK\3\4", 4, "is an archive (as .xlsx and .ods are): save the table as CSV"},
    {"BZh91A", 6, is_packed},
    {"\xFD"
     "7zXZ",
     5, is_packed},
    {"\x28\xB5\x2F\xFD", 4, is_packed},
};
enum { MARK_BYTES = 6, PEEK_BYTES = 65536 };

static enum nereus_status check_beginning(struct nereus_text_file *file, struct nereus_error *err)
{
    const char *text = file->text;
    const size_t length = file->to;
    for (size_t i = 0; i < NEREUS_COUNT_OF(others); i++)
        if (length >= others[i].count && memcmp(text, others[i].bytes, others[i].count) == 0)
            return fail_file(file, others[i].why, err);
    if (length >= 4 && (text[0] == '\0') != (text[1] == '\0') &&
        (text[0] == '\0') == (text[2] == '\0') && (text[1] == '\0') == (text[3] == '\0'))
        return fail_file(file, is_utf16, err);
    if (length >= 1 && text[0] == '\0')
        return fail_file(file, has_zeros, err);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        memmove(file->text, file->text + 3, length - 3);
        file->to -= 3;
    }
    return NEREUS_OK;
}

static enum nereus_status reserve_capacity(struct nereus_text_file *file, struct nereus_error *err)
{
    if (file->to - file->from + (size_t)file->zeros > NEREUS_FILE_BYTES_MAX)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s '%.200s' is longer than %d MiB, or never ends: a shorter text file is needed",
            file->what, file->path, NEREUS_FILE_BYTES_MAX >> 20);
    if (file->from > 0) {
        memmove(file->text, file->text + file->from, file->to - file->from);
        file->to -= file->from;
        file->searched_end -= file->from;
        file->from = 0;
    }
    if (file->capacity - file->to > 4096)
        return NEREUS_OK;
    const size_t capacity = file->capacity == 0 ? 1 << 17 : 2 * file->capacity;
    char *larger = realloc(file->text, capacity);
    if (larger == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "%s '%.200s': no memory for %zu bytes",
                           file->what, file->path, capacity);
    file->text = larger;
    file->capacity = capacity;
    return NEREUS_OK;
}

/* Is the character after the end of the text? DOS and CP/M end a text with ^Z, which is noted; only
 * further ^Z and line ends may follow it. */
static bool check_end_mark(struct nereus_text_file *file, char c)
{
    file->after_end = file->after_end || c == '\x1A';
    return file->after_end && strchr("\x1A\r\n", c) != NULL;
}

/* Bytes `to` .. `end` - 1 become text in place: all line ends LF, no zero bytes. */
static enum nereus_status append_bytes(struct nereus_text_file *file, size_t end,
                                       struct nereus_error *err)
{
    for (size_t offset = file->to; offset < end; offset++) {
        char c = file->text[offset];
        if (check_end_mark(file, c))
            continue;
        if (file->after_end)
            return fail_file(file, has_end, err);
        const bool ends_return = file->after_return && c == '\n';
        file->after_return = c == '\r';
        file->returns += c == '\r';
        if (c == '\r')
            c = '\n';
        if (c == '\0' ? !file->is_appended_to : file->after_zero && c != '\n')
            return fail_file(file, has_zeros, err);
        file->after_zero = c == '\0';
        if (c == '\0' && file->zeros++ == 0)
            file->zeros_line = file->ends + 1;
        file->ends += c == '\n' && !ends_return;
        if (c != '\0' && !ends_return)
            file->text[file->to++] = c;
    }
    return NEREUS_OK;
}

/* @param result  negative result of nereus_bytes_in_read */
static const char *get_reason(ssize_t result)
{
    switch (result) {
    case NEREUS_BYTES_IN_DAMAGED:
        return "its gzip data is damaged, or not complete";
    case NEREUS_BYTES_IN_FOLLOWED:
        return "behind its gzip data stands something else, which would be lost";
    case NEREUS_BYTES_IN_PACKED:
        return "it is packed by gzip, and this Nereus was built without zlib: gunzip it before";
    default:
        return strerror(errno);
    }
}

/* @param[out] more  false: the end, for now */
static enum nereus_status read_more(struct nereus_text_file *file, bool *more,
                                    struct nereus_error *err)
{
    NEREUS_TRY(reserve_capacity(file, err));
    size_t end = file->to;
    ssize_t got;
    do {
        got = nereus_bytes_in_read(&file->input, file->text + end, file->capacity - end - 1);
        end += got > 0 ? (size_t)got : 0;
    } while (got > 0 && !file->begun && end < MARK_BYTES);
    if (got < 0)
        return fail_read(file, get_reason(got), err);
    *more = end > file->to;
    if (!*more)
        return NEREUS_OK;
    if (!file->begun) {
        file->begun = true;
        file->to = end;
        NEREUS_TRY(check_beginning(file, err));
        end = file->to;
        file->to = 0;
    }
    return append_bytes(file, end, err);
}

enum nereus_status nereus_text_read_line(struct nereus_text_file *file, char **line,
                                         struct nereus_error *err)
{
    char *end = NULL;
    bool more = true;
    *line = NULL;
    while (end == NULL && more) {
        if (file->searched_end < file->to)
            end = memchr(file->text + file->searched_end, '\n', file->to - file->searched_end);
        file->searched_end = end != NULL ? (size_t)(end + 1 - file->text) : file->to;
        if (end == NULL)
            NEREUS_TRY(read_more(file, &more, err));
    }
    file->terminated = end != NULL;
    if (end == NULL && (file->from == file->to || file->is_followed))
        return NEREUS_OK;
    *line = file->text + file->from;
    file->text[end != NULL ? (size_t)(end - file->text) : file->to] = '\0';
    file->from = file->searched_end;
    file->line++;
    return NEREUS_OK;
}

enum nereus_status nereus_text_peek(struct nereus_text_file *file, const char **beginning,
                                    struct nereus_error *err)
{
    bool more = true;
    while (more && file->to - file->from < PEEK_BYTES) /* a pipe gives little at a time */
        NEREUS_TRY(read_more(file, &more, err));
    file->text[file->to] = '\0';
    *beginning = file->text + file->from;
    return NEREUS_OK;
}

enum nereus_status nereus_text_read_rest(struct nereus_text_file *file, char **text, size_t *length,
                                         struct nereus_error *err)
{
    for (bool more = true; more;)
        NEREUS_TRY(read_more(file, &more, err));
    if (file->from == file->to)
        return fail_file(file, "is empty", err);
    file->text[file->to] = '\0';
    *text = file->text;
    if (length != NULL)
        *length = file->to;
    file->text = NULL;
    file->capacity = file->from = file->to = file->searched_end = 0;
    return NEREUS_OK;
}
