/** @file remove_tree.c  Removes a folder with all that is in it, without following links. */
#include <ftw.h>

#include "file.h"

static int remove_entry(const char *path, const struct stat *file_status, int kind,
                        struct FTW *place)
{
    (void)file_status;
    (void)kind;
    (void)place;
    return remove(path);
}

void nereus_file_remove_tree(const char *folder)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
