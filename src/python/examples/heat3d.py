"""Heat in a block that is a ring in its last dimension, explicit in time, on a grid with halos."""

import hashlib

import numpy as np

import nereus

SHAPE, STEPS = (31, 24, 20), 40
INNER = (slice(1, -1),) * 3


def initial(u):
    """Cold, with a hot ball."""
    x, y, z = u.indices
    return np.where((x - 9)**2 + (y - 12)**2 + (z - 2)**2 < 36, 10.0, 0.0)


def beside(d, side):
    """The inner elements, moved by one in a dimension: -1 down, 1 up."""
    return tuple(slice(1 + side, side - 1 or None) if i == d else slice(1, -1) for i in range(3))


def step(u, following):
    """Beyond the ends of the block the halo stays 0."""
    u.exchange()
    padded = u.with_halo
    change = -6 * padded[INNER]
    for d in range(3):
        change += padded[beside(d, -1)] + padded[beside(d, 1)]
    following[:] = u + 0.1 * change


def report(u, job):
    """One hash of all elements."""
    digest = hashlib.sha256(u.whole().tobytes()).hexdigest()[:16]
    if job.rank == 0:
        print(f"answer {digest}, processes {job.size}, changes of size {job.reconfigurations}")


def main():
    with nereus.init() as job:
        grid = job.grid("block", SHAPE, halo=1, periodic=(False, False, True))
        u, following = job.field("u", grid), job.field("following", grid)
        if not u.received:
            u[:] = initial(u)
        for _ in job.steps(STEPS):
            step(u, following)
            job.swap(u, following)
        if not job.left:
            report(u, job)


if __name__ == "__main__":
    main()
