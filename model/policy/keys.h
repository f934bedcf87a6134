/**
 * @file keys.h
 * Declares the keys of policy files and of files of applications, for help.
 */
#pragma once

#include "model/util/ini_keys.h"

extern const struct nereus_ini_table nereus_policy_file_keys, nereus_application_keys;
