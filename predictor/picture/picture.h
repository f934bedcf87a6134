/**
 * @file picture.h
 * Writes pictures as files, by the options --output and --size, which all commands that draw share.
 */
#pragma once

#include "drawing.h"
#include "predictor/cli/options.h"

/** The options of a picture, as given on the command line. */
struct nereus_picture_settings {
    const char *path; /**< NULL: no picture */
    const char *size; /**< NULL: as large as the content needs */
};

/** Table of these options; its storage is a struct nereus_picture_settings. */
extern const struct nereus_option nereus_picture_options[];
extern const size_t nereus_picture_option_count;

/**
 * Check name and size, before any file is read.
 * @return NEREUS_ERR_ARGUMENT for an unknown ending (the message has the known ones), an invalid
 *     size, or a size without a picture
 */
enum nereus_status nereus_picture_check(const struct nereus_picture_settings *settings,
                                        struct nereus_error *err);

/** Get width and height in points; 0 and 0 without --size. The settings must have been checked. */
void nereus_picture_size(const struct nereus_picture_settings *settings, double *width,
                         double *height);

/** Check before anything is computed that the picture replaces no file that the command reads, and
 * that its folder is writable.
 * @param[in] read  paths; NULL entries are passed over
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_IO */
enum nereus_status nereus_picture_check_path(const struct nereus_picture_settings *settings,
                                             const char *const *read, size_t count,
                                             struct nereus_error *err);

/**
 * Write a drawing in the format that the ending of the path says. PNG has two pixels per point. The
 * file is replaced as a whole or not at all.
 * @param[in] title  title of the picture, for screen readers and windows
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_picture_write(const struct nereus_picture_settings *settings,
                                        const struct nereus_drawing *drawing, const char *title,
                                        struct nereus_error *err);
