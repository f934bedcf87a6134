/** @file picture.c  Checks the options of pictures, and writes a picture to its file. */
#include "picture.h"

#include "model/util/file.h"
#include "surface.h"

enum { SIDE_MIN = 200, SIDE_MAX = 10000 };

const struct nereus_option nereus_picture_options[] = {
    {"output", 'o', NEREUS_OPTION_TEXT, "FILE.svg",
     "draw the answer into this file too (.svg, .pdf, .png or .html); of map, plan and study "
     "compare the text is then a summary",
     offsetof(struct nereus_picture_settings, path), NULL},
    {"size", 0, NEREUS_OPTION_TEXT, "WxH",
     "width and height of the picture in points, such as 800x600; a png has two pixels a point (as "
     "large as the content needs)",
     offsetof(struct nereus_picture_settings, size), NULL},
};
const size_t nereus_picture_option_count = NEREUS_COUNT_OF(nereus_picture_options);

static const struct nereus_surface *const surfaces[] = {&nereus_surface_svg, &nereus_surface_pdf,
                                                        &nereus_surface_png, &nereus_surface_html};

/* Find the format that the ending of the path names; NULL: none. */
static const struct nereus_surface *find_surface(const char *path)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(surfaces); i++)
        if (nereus_text_has_ending(path, surfaces[i]->ending))
            return surfaces[i];
    return NULL;
}

static bool read_size(const char *text, int *width, int *height)
{
    char end;
    return text[strspn(text, "0123456789x")] == '\0' && strlen(text) < 16 &&
           sscanf(text, "%dx%d%c", width, height, &end) == 2 && *width >= SIDE_MIN &&
           *width <= SIDE_MAX && *height >= SIDE_MIN && *height <= SIDE_MAX;
}

enum nereus_status nereus_picture_check(const struct nereus_picture_settings *settings,
                                        struct nereus_error *err)
{
    int width, height;
    if (settings->size != NULL && settings->path == NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--size is that of a picture: name its file with --output");
    }
    if (settings->path != NULL && find_surface(settings->path) == NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--output %.200s: a picture's name ends with .svg, .pdf, .png or .html",
                           settings->path);
    }
    if (settings->path != NULL && find_surface(settings->path)->write == NULL) {
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "--output %.200s: this Nereus was built without cairo, so that a "
                           "picture's name ends with .svg or .html",
                           settings->path);
    }
    if (settings->size != NULL && !read_size(settings->size, &width, &height)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--size %.160s: must be WIDTHxHEIGHT, each from %d to %d points, such as 800x600",
            settings->size, SIDE_MIN, SIDE_MAX);
    }
    return NEREUS_OK;
}

void nereus_picture_size(const struct nereus_picture_settings *settings, double *width,
                         double *height)
{
    int w = 0, h = 0;
    if (settings->size != NULL)
        read_size(settings->size, &w, &h);
    *width = w;
    *height = h;
}

enum nereus_status nereus_picture_check_path(const struct nereus_picture_settings *settings,
                                             const char *const *read, size_t count,
                                             struct nereus_error *err)
{
    for (size_t i = 0; i < count && settings->path != NULL; i++) {
        if (read[i] != NULL && nereus_file_is_same(read[i], settings->path)) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "--output %.200s is %.200s, which is read: name another file for the picture",
                settings->path, read[i]);
        }
    }
    if (settings->path != NULL) {
        struct nereus_file_replace replace;
        NEREUS_TRY(nereus_file_replace_begin(settings->path, &replace, err));
        nereus_file_replace_abort(&replace);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_picture_write(const struct nereus_picture_settings *settings,
                                        const struct nereus_drawing *drawing, const char *title,
                                        struct nereus_error *err)
{
    struct nereus_file_replace replace;
    NEREUS_TRY_MEMORY(!drawing->no_memory, err, "for a picture");
    NEREUS_TRY(nereus_file_replace_begin(settings->path, &replace, err));
    const char *why = find_surface(settings->path)->write(drawing, title, replace.stream);
    if (why == NULL || ferror(replace.stream)) /* the commit reports why the stream failed */
        return nereus_file_replace_commit(&replace, err);
    nereus_file_replace_abort(&replace);
    return nereus_fail(err, NEREUS_ERR_IO, "%.200s could not be drawn: %s", settings->path, why);
}
