"""job.py CASE [METHOD]: what the module nereus promises, in a job that goes 2 -> 3 -> 1 -> 3.

Each case prints "as expected" on rank 0 of the last size; a process that finds a mistake raises."""

import os
import signal
import sys

import numpy as np

import nereus
from mpi4py import MPI
from nereus import _library
from nereus._array import given_rows

N = 17
CHANGES = [(3, 3), (6, 1), (9, 3)]
STEPS = 12


def check(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def begin(**options):
    return nereus.init(schedule=CHANGES, method=sys.argv[2] if len(sys.argv) > 2 else None,
                       **options)


def finish(job):
    if not job.left and job.comm.rank == 0:
        print(f"as expected, processes {job.size}, changes of size {job.reconfigurations}")


def arrays():
    """Types, dimensions, an empty part, views that are renewed, the communicator held outside."""
    pair = np.dtype([("a", "i4"), ("b", "f8")])
    with begin() as job:
        comm = job.comm
        x = job.array("x", N)
        z = job.array("z", (N, 3, 2), complex)
        s = job.array("s", N, pair)
        one = job.array("one", 1, "i8")
        if not x.received:
            x[:] = np.arange(x.first, x.first + x.count)
            z[:] = x.local[:, None, None] * 1j
            s["a"], s["b"] = x, -x.local
        for step in job.steps(STEPS):
            check(step == job.points, f"step {step} at point {job.points}")
            mine = np.arange(x.first, x.first + x.count)
            check((x == mine + step).all(), f"x is {x.local} at step {step}")
            check((z == 1j * mine[:, None, None]).all() and z.shape[1:] == (3, 2), "z differs")
            check((s["a"] == mine).all() and (s["b"] == -mine).all(), "s differs")
            check(comm.allreduce(len(x)) == N and comm.size == job.size, "the communicator differs")
            check(comm.allreduce(len(one)) == 1, "an array of one element")
            x += 1
        finish(job)


def stale():
    """A view from before a change raises, and so does what was made from it; copies do not."""
    with begin() as job:
        x = job.array("x", N)
        grid = job.grid("grid", (N, 5), halo=1)
        u = job.field("u", grid)
        rows = job.csr("rows", (N, N), lambda first, count: np.eye(N)[first:first + count])
        for _ in job.steps(STEPS):
            matrix = rows.local
            check((matrix @ np.ones(N) == 1).all(), "the matrix differs")
            comm = grid.comm
            held = [x.local, x.local[1:], x.local.reshape(-1, 1), u.local, u.with_halo,
                    u.with_halo[1:]]
            copy, computed, picked = x.local.copy(), x.local * 2, x.local[x.local >= 0]
            before = job.reconfigurations
            job.point()  # a second one in each step
            if job.left or job.reconfigurations > before:
                refused(comm.Barrier, MPI.Exception)
            if job.left:
                break
            if job.reconfigurations > before:
                refused(lambda: matrix @ np.ones(N))
                for view in held:
                    refused(lambda: view + 1)
                    refused(lambda: view[0])
                    for buffer in view, [view, MPI.DOUBLE], [view, 1, MPI.DOUBLE], [view, MPI.BYTE]:
                        refused(lambda: job.comm.Bcast(buffer))
                        refused(lambda: job.comm.Isend(buffer, job.rank))
                        refused(lambda: job.comm.Allreduce(MPI.IN_PLACE, buffer))
                    refused(lambda: MPI.Win.Create(view, comm=MPI.COMM_SELF))
                    refused(lambda: memoryview(view), (ValueError, nereus.StaleView))
                    refused(lambda: np.asarray(view) + 1, TypeError)
            check(len(copy) == len(computed) == len(picked + 1), "copies stay")
        finish(job)


def refused(function, kind=nereus.StaleView):
    try:
        function()
    except kind:
        return
    raise AssertionError("an old view can be used")


def expected_box(u, whole):
    """A field with its halo, of a whole that is known; beyond ends that are not periodic 0."""
    grid = u.grid
    for d, halo in enumerate(grid.halo):
        width = [(halo, halo) if i == d else (0, 0) for i in range(len(grid.shape))]
        whole = np.pad(whole, width, "wrap" if grid.periodic[d] else "constant")
    return whole[tuple(slice(first, first + count + 2 * halo)
                       for first, count, halo in zip(u.first, u.count, grid.halo))]


def check_topology(job, grid):
    """Neighbours, coordinates and the Cartesian communicator say the same."""
    comm, size = grid.comm, np.array(grid.processes)
    check(comm is grid.comm and comm.size == job.size == size.prod(), "the communicator of a grid")
    check(tuple(comm.dims) == grid.processes and tuple(comm.coords) == grid.coords, "coordinates")
    ranks = comm.allgather(job.rank)  # of places
    for d, pair in enumerate(grid.neighbours()):
        found = tuple(place if place == MPI.PROC_NULL else ranks[place] for place in comm.Shift(d, 1))
        check(found == tuple(pair), f"neighbours {pair}, of the communicator {found}")


def grids():
    """Boxes and halos, in C's order; two fields that are swapped; blocks in turns; an empty box."""
    with begin() as job:
        space = job.grid("space", (13, 10, 4), halo=(1, 2, 0), periodic=(False, True, False))
        deal = job.grid("deal", (11, 10), block=(2, 3), fixed=(0, 1))
        few = job.grid("few", 2, halo=1)
        u, v = job.field("u", space), job.field("v", space)
        cards = job.field("cards", deal, "i2", constant=True)
        small = job.field("small", few, complex)
        whole = np.arange(13 * 10 * 4.0).reshape(13, 10, 4)
        dealt = np.arange(110, dtype="i2").reshape(11, 10)
        if not u.received:
            u[:] = whole[u.indices]
            cards[:] = dealt[cards.indices]
        for step in job.steps(STEPS):
            check((u.local == whole[u.indices] + step).all(), f"u differs at step {step}")
            check(u.count == u.shape == u.local.shape and u.local.base is not None, "a box")
            u.exchange()
            check((u.with_halo == expected_box(u, whole + step)).all(), f"the halo at step {step}")
            check((cards.local == dealt[cards.indices]).all(), "blocks in turns differ")
            check((cards.whole() == dealt).all() and (u.whole() == whole + step).all(), "the whole")
            check(small.with_halo.shape[0] == len(small) + 2, "a box that may be empty")
            check(job.comm.allreduce(len(small)) == 2, "all elements have a process")
            check(deal.processes[1] == 1, "fixed processes")
            check_topology(job, space)
            v[:] = u + 1
            u.with_halo[:] = -1
            job.swap(u, v)
            u.with_halo[:1] = 0  # beyond an end
            u.with_halo[-1:] = 0
        finish(job)


def items():
    """Objects of all sizes; None where nothing was assigned."""
    with begin() as job:
        data = job.items("data", N)
        if not data.received:
            data.local[:] = [thing(i, 0) for i in range(data.first, data.first + data.count)]
        for step in job.steps(STEPS):
            check(data.local == [thing(i, step) for i in range(data.first, data.first + data.count)],
                  f"items are {data.local} at step {step}")
            data.local[:] = [thing(i, step + 1)
                             for i in range(data.first, data.first + data.count)]
        finish(job)


def thing(i, step):
    return None if i == 3 else {"i": i, "steps": list(range(step)), "text": "é" * i}


def values():
    """Replicated values, which processes that join get as they are."""
    with begin(user_state={"deep": [1, (2, 3)]}) as job:
        values = job.replicated({"n": 0, "x": 0.5, "z": 1j, "ok": False, "text": "", "a": np.zeros(3),
                                 "b": b"abc", "l": np.array(["ab", "cd"])})
        for step in job.steps(STEPS):
            check(values.n == step and values["text"] == "s" * step, f"{values} at step {step}")
            check(values.a.tolist() == [0, step, 0] and values.ok == bool(step % 2), repr(values))
            check(job.user_state == {"deep": [1, (2, 3)]}, "user_state differs")
            values.update(n=step + 1, x=step / 2, ok=(step + 1) % 2 == 1, text="s" * (step + 1))
            values.a[1] += 1
        refused(lambda: values.update(n=1.5), TypeError)
        for key, value in ("text", "x" * 65), ("b", b"abcd"), ("l", ["abc", "d"]):
            refused(lambda: values.update({key: value}), ValueError)
        refused(lambda: values.update(m=1), KeyError)
        finish(job)


def callbacks():
    """before sees the old communicator and data, after the new ones."""
    seen = []
    state = {}

    def before(job):
        seen.append(("before", job.comm.size, float(state["x"].local.sum())))

    def after(job):
        seen.append(("after", job.comm.allreduce(1), job.size))

    with begin(before=before, after=after) as job:
        x = state["x"] = job.array("x", N)
        if not x.received:
            x[:] = 1
        for _ in job.steps(STEPS):
            pass
        if not job.left:
            check(seen and seen[-1] == ("after", 3, 3), f"after: {seen}")
        if any(word == "before" for word, *_ in seen):
            check(all(entry[1] in (1, 2, 3) for entry in seen), f"before: {seen}")
        finish(job)


def loops():
    """A loop, and then loops in a loop: a process that joins goes to where the others are."""
    with begin() as job:
        total = job.replicated({"sum": 0})
        for _ in job.steps(4, "first"):
            total.sum += 1
        for _ in job.steps(2, "outer"):
            for step in job.steps(3, "inner"):
                total.sum += 10 + step
            if job.left:
                break
        if not job.left:
            check(total.sum == 4 + 2 * (30 + 3), f"the sum is {total.sum}")
        finish(job)


def nested():
    """Processes join at points of the outer loop: the inner one begins anew; break ends a loop."""
    with begin() as job:
        total = job.replicated({"sum": 0})
        for outer in job.steps(4, "outer"):
            for step in job.steps(2, "inner"):
                total.sum += 10 * outer + step
            if job.left:
                break
        if not job.left:
            for step in job.steps(name="broken"):
                if step == 1:
                    break
            for _ in job.steps(1, "last"):
                total.sum += 1000
        if not job.left:
            check(total.sum == 1000 + 2 * 60 + 4, f"the sum is {total.sum}")
        finish(job)


def broken():
    """A process that joins passes over a loop that break has ended."""
    with begin() as job:
        total = job.replicated({"sum": 0})
        for step in job.steps(name="broken"):
            total.sum += 1
            if step == 2:
                break
        for _ in job.steps(8, "last"):
            total.sum += 10
        if not job.left:
            check(total.sum == 83, f"the sum is {total.sum}")
        finish(job)


def overlapped():
    """A loop begins while a reconfiguration is under way."""
    with nereus.init(schedule="3@2", method=sys.argv[2]) as job:
        total = job.replicated({"sum": 0})
        for _ in job.steps(3, "first"):
            total.sum += 1
        for step in job.steps(name="second"):
            if job.reconfigurations == 1:
                break
            total.sum += 1
        check(total.sum == 3 + step, f"the sum is {total.sum} at step {step}")
        finish(job)


def slept():
    """A process that has slept beyond a step of the outer loop says so."""
    with nereus.init(schedule="1@2,2@5", method="merge/coll") as job:
        for _ in job.steps(2, "outer"):
            for _ in job.steps(3, "inner"):
                pass


def mistyped():
    """A process that joins with another type of the same size."""
    with begin() as job:
        job.array("x", N, int if job.joined else float)
        for _ in job.steps(STEPS):
            pass


def world():
    """Collectives on MPI.COMM_WORLD, which lacks the process that joins."""
    with nereus.init(schedule="3@2", method="merge/coll") as job:
        ones = np.ones(3)
        for _ in job.steps(4):
            MPI.COMM_WORLD.Barrier()
            MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, ones.copy())
            MPI.COMM_WORLD.gather(job.rank)
            MPI.COMM_WORLD.bcast(job.size)
            MPI.COMM_WORLD.Dup().Free()
        finish(job)


def left():
    """An exception in a process that has left is its own."""
    with nereus.init(schedule="1@3", method="merge/coll") as job:
        for _ in job.steps(6):
            pass
        if job.left:
            raise ValueError("told to fail")
        finish(job)


def shortened():
    """A list of items that has become shorter says so, and not the pickle of its move."""
    with begin() as job:
        data = job.items("data", N)
        data.local.pop()
        job.point()


def errors():
    """Errors are exceptions with the sentence."""
    with begin() as job:
        x, data, grid = job.array("x", N), job.items("data", N), job.grid("grid", N)
        mistakes = [(lambda: job.array("x", N), "argument"),
                    (lambda: job.array("o", N, object), "argument"),
                    (lambda: job.array("f", 1e3), "argument"),
                    (lambda: job.array("f", (N, -1)), "argument"),
                    (lambda: job.array("f", (N, 0)), "argument"),
                    (lambda: job.request_size(1.5), "argument"),
                    (lambda: x.owner_of(N), "argument"),
                    (lambda: job.grid("g", (2,) * 5), "argument"),
                    (lambda: job.grid("g", (4, 4), halo=(1, 1, 1)), "argument"),
                    (lambda: job.grid("g", (4, 4), halo=0.5), "argument"),
                    (lambda: job.grid("g", (4, 4), halo=1, block=2), "argument"),
                    (lambda: job.field("g", grid, object), "argument"),
                    (lambda: grid.processes, "state"),
                    (lambda: given_rows("c", np.eye(N) * 1j, N, N, np.dtype(float)), "argument"),
                    (lambda: job.request_size(0), "argument" if job.rank == 0 else "state")]
        for call, status in mistakes:
            try:
                call()
            except nereus.NereusError as error:
                check(error.status == status and len(str(error)) > 20, f"{error} {error.status}")
                check("no element" not in str(error) or f"0 to {N - 1}" in str(error), str(error))
            else:
                raise AssertionError("no error")
        v = job.replicated({"whole": 3, "two": [1, 2]})
        refused(lambda: setattr(v, "whole", "a text"), TypeError)
        refused(lambda: setattr(v, "two", [1, 2, 3]), ValueError)
        refused(lambda: job.swap(x, job.array("whole", N, int)), nereus.NereusError)
        refused(lambda: nereus.init(), nereus.NereusError)
        refused(lambda: next(job.steps(2.5, "half")), TypeError)
        refused(lambda: nereus.init(shedule=[]), TypeError)
        refused(lambda: nereus.init(schedule="4@"), ValueError)
        refused(lambda: nereus.init(schedule=[3, 10]), ValueError)
        if not job.joined:  # collective
            refused(job.checkpoint, nereus.NereusError)
        refused(lambda: setattr(data, "local", []), AttributeError)
        for step in job.steps(STEPS):
            if step == 1:  # in all processes
                job.checkpoint()  # without a folder: a message
                refused(lambda: next(job.steps(3)), nereus.NereusError)
        if job.left:
            refused(lambda: job.rank, nereus.NereusError)
            refused(lambda: job.comm.Barrier(), MPI.Exception)
        finish(job)


def restart():
    """A checkpoint, a loss, and on from there (nereus-mpiexec --on-failure restart)."""
    with nereus.init() as job:
        x = job.array("x", N)
        data = job.items("data", N)
        begun = job.replicated({"step": 0})
        if not x.received:
            x[:] = 0
            data.local[:] = [[i] for i in range(data.first, data.first + data.count)]
        for step in job.steps(8):
            begun.step = step
            check((x.local == step).all(), f"x is {x.local} at step {step}")
            check(all(len(item) == step + 1 for item in data.local), f"{data.local} at step {step}")
            if step == 6 and job.restarts == 0 and job.rank == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            job.comm.Barrier()
            x += 1
            if step == 4:
                job.checkpoint()  # at the end of the step
            for item in data.local:
                item.append(step)
        check(job.restarts == 1 and job.joined, "there was no restart")
        finish(job)


def exception():
    """A process that raises ends the job with its status; the others do not wait."""
    with begin() as job:
        for step in job.steps(STEPS):
            if step == 4 and job.rank == 1:
                raise ValueError("told to fail")
            job.comm.Barrier()


def ended():
    """sys.exit in one process, in a step and without `with`, ends the job with its status."""
    job = begin()
    for step in job.steps(STEPS):
        if step == 4 and job.rank == 1:
            sys.exit(3)
        job.comm.Barrier()


def ended_in_callback():
    """The same in a callback."""
    with nereus.init(schedule=CHANGES, after=lambda job: sys.exit(3)) as job:
        for _ in job.steps(STEPS):
            pass


def ended_by_all():
    """sys.exit() in all processes is the end of the program, in a step as well."""
    job = begin()
    for step in job.steps():
        if step == STEPS:
            finish(job)
            sys.exit()


def named():
    """Messages of the library name the calls of Python."""
    with nereus.init() as job:
        if job.rank == 0:
            raise nereus.NereusError(_library.named(
                b"nereus_point, nereus_points (nereus_local): nereus_pointer"))
        job.comm.Barrier()


def forgotten():
    """Without `with` or finalize the job ends at exit."""
    job = begin()
    x = job.array("x", N)
    for _ in job.steps(STEPS):
        x += 1
    finish(job)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
