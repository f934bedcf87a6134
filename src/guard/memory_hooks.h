/**
 * @file memory_hooks.h
 * Turns off MPI's hooks on mmap, munmap and similar functions in a new process if no device needs
 * them. UCX patches seven functions of the C library before main, and waits 5 ms at each for
 * threads that may be inside: 40 ms of every start (UCX 1.20, src/ucm/bistro/bistro.c). The hooks
 * are needed for memory that is registered with a device: network cards with RDMA, and GPUs.
 */
#pragma once

#include "model/util/base.h"

/* Does this host have devices that need registered memory? true also if that cannot be read.
 * @param root  prefix of the file system; "": this host's own */
bool memory_hooks_are_needed(const char *root);
/* Turn the hooks off in the environment of the program started next, unless the user has set them
 * or a device needs them.
 * @param root  as above */
void memory_hooks_choose(const char *root);
