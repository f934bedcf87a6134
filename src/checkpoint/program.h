/** @file program.h  Program, library and MPI that a checkpoint's manifest names. */
#pragma once

#include "model/util/base.h"
#include "nereus/checkpoint.h"

/** Set the script that an interpreter executes: checkpoints name it as the program. The caller
 * keeps the path. */
void nereus_set_script(const char *path);
/** Program, library and MPI of this process, for a manifest. */
void nereus_checkpoint_program(struct nereus_checkpoint *checkpoint);
