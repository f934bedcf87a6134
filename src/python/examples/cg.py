"""Conjugate gradient with scipy.sparse.

Matrix, vectors and the scalars of the method go through each change of size; the solution is
known, so that the error at the end can be printed."""

import numpy as np
import scipy.sparse

import nereus
from mpi4py import MPI

SIDE = 24  # of a grid of SIDE x SIDE points
N = SIDE * SIDE


def rows_of_matrix(first, count):
    """Rows first .. first + count - 1 of Laplace's operator on the grid."""
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(SIDE, SIDE))
    grid = scipy.sparse.kronsum(line, line, format="csr")
    return grid[first:first + count]


def dot(comm, a, b):
    return comm.allreduce(float(np.dot(a, b)), op=MPI.SUM)


def iterate(comm, matrix, vectors, scalars):
    x, r, p = vectors
    q = matrix.local @ p.whole()
    alpha = scalars.rr / dot(comm, p, q)
    x += alpha * p
    r -= alpha * q
    rr = dot(comm, r, r)
    p[:] = r + rr / scalars.rr * p
    scalars.rr = rr


def main():
    solution = np.sin(np.arange(N))
    with nereus.init() as job:
        matrix = job.csr("A", (N, N), rows_of_matrix)
        x, r, p = (job.array(name, N) for name in ("x", "r", "p"))
        scalars = job.replicated({"rr": 0.0})
        if not scalars.received:
            r[:] = p[:] = matrix.local @ solution
            scalars.rr = dot(job.comm, r, r)
        for step in job.steps():
            if scalars.rr < 1e-20:
                break
            iterate(job.comm, matrix, (x, r, p), scalars)
        if not job.left:
            error = np.abs(x.whole() - solution).max()
            if job.rank == 0:
                print(f"{step} iterations, error below 1e-9: {error < 1e-9}, processes {job.size},"
                      f" changes of size {job.reconfigurations}")


if __name__ == "__main__":
    main()
