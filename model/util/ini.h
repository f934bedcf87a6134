/**
 * @file ini.h
 * Reads INI files: sections and keys, every error with file and line.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** Callbacks for sections and keys. The reader puts FILE:LINE before the first error and stops. */
struct nereus_ini_handler {
    const char *sections; /**< for sentences: "[general] or [stage0]" */
    enum nereus_status (*section)(void *user, const char *name, int line, struct nereus_error *err);
    /** a key of the last section, without blanks and comment */
    enum nereus_status (*value)(void *user, const char *key, const char *value, int line,
                                struct nereus_error *err);
};

/** Read an INI text. Comments begin with # or ; at the start of a line or after a blank.
 * @param file  name for messages.
 * @return NEREUS_ERR_PARSE with "FILE:LINE: ...", or what the handler returned */
enum nereus_status nereus_ini_read(const char *file, const char *text,
                                   const struct nereus_ini_handler *handler, void *user,
                                   struct nereus_error *err);
