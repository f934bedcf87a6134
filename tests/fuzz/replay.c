/**
 * @file replay.c
 * Runs a target on the files of folders, in the place of libFuzzer where there is no clang.
 *     fuzz-NAME [-OPTION...] FOLDER...      options are libFuzzer's, and are ignored
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static void run_file(const char *folder, const char *name)
{
    char path[4096];
    uint8_t *bytes = malloc(1 << 20);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || bytes == NULL) {
        fprintf(stderr, "replay: '%s' cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    const size_t size = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    /* Of exactly the size: a read behind it is seen. */
    uint8_t *shrunk = realloc(bytes, size > 0 ? size : 1);
    bytes = shrunk != NULL ? shrunk : bytes;
    fprintf(stderr, "%s\n", name); /* the last line of a run that ends badly */
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
}

static int run_folder(const char *folder)
{
    struct dirent **entries;
    int files = 0;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            run_file(folder, entries[i]->d_name);
            files++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return files;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++)
        files += argv[i][0] != '-' ? run_folder(argv[i]) : 0;
    printf("%d inputs\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
