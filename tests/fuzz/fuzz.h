/**
 * @file fuzz.h
 * What the fuzz targets share. A target is a file fuzz_NAME.c with libFuzzer's entry: it gives the
 * bytes to one parser, uses what the parser has accepted, and checks what has to hold. It links
 * libFuzzer (preset fuzz), or replay.c, which runs the corpus alone and needs no clang.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

/* The entry, as libFuzzer has it.
 * @return 0 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A zero-terminated copy; to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The path of a file in memory with this content, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The next field of a text, up to a newline, which is overwritten; "" at the end. */
char *fuzz_field(char **text);

/* The rest of a run stops here if it does not hold. */
#define FUZZ_CHECK(holds) ((holds) ? (void)0 : fuzz_failed(#holds, __FILE__, __LINE__))
void fuzz_failed(const char *what, const char *file, int line) __attribute__((noreturn));

/* A refusal has a status and one sentence of printable characters.
 * @return was it accepted? */
bool fuzz_accepted(enum nereus_status status, const struct nereus_error *err);
