/**
 * @file noise_floor.h
 * Noise of a table without repeats: how far its rows are from a product of two factors, one of NS
 * and one of NT, that are fitted to each method and direction alone.
 */
#pragma once

#include "by_method.h"
#include "nereus/samples.h"

/** Add the relative distance of each row, scaled to the degrees of freedom that are left. */
void noise_floor_add(const struct nereus_samples *rows, struct scores *floor,
                     struct by_method *methods);
