"""Step counters of loops: one table, the same in every process, which processes that join receive.

Registered with the job's begin, so that a loop can begin while a reconfiguration is under way. The
entries are a stack: what follows a loop's entry is nested in its present step, or comes after it.
So a step of a loop removes the entries that follow its own."""

from ctypes import Structure, addressof, c_char, c_int64, sizeof, string_at

from .errors import NereusError

LOOPS, NAME_BYTES = 64, 64
OVER = -1  # all steps done, or left by break


class _Entry(Structure):
    _fields_ = [("name", c_char * NAME_BYTES), ("step", c_int64)]


class _Table(Structure):
    _fields_ = [("checkpoint_due", c_int64), ("count", c_int64), ("entries", _Entry * LOOPS)]


class Loops:
    """The table, and which of its loops this process has begun (`_begun`): in a process that
    joined, fewer than the table has."""

    def __init__(self):
        self.table = _Table()
        self.address, self.bytes = addressof(self.table), sizeof(self.table)
        self.first_entry = self.address + _Table.entries.offset
        self.depth = 0  # loops of which this process is in a step
        self._begun = []

    def _names(self):
        return [entry.name.decode() for entry in self.table.entries[:self.table.count]]

    def begin(self, name):
        """The loop of this name, at the step at which the job is."""
        names = self._names()
        if name in names[:len(self._begun)]:
            raise NereusError(f"the loop '{name}' has begun before: each call of job.steps needs a"
                              " name of its own, as job.steps(10, \"inner\"); only in the next"
                              " step of an outer loop may the name be used again", "argument")
        if name in names:  # this process has joined; it may skip loops that are over
            slot = names.index(name)
        else:
            slot = self._append(name, names)
        loop = Loop(self, slot, name)
        self._begun += [None] * (slot - len(self._begun)) + [loop]
        return loop

    def _append(self, name, names):
        if len(self._begun) < len(names):
            raise NereusError(f"the loop '{name}' begins in this process, which has joined, but the"
                              f" job is in the loop '{names[-1]}': all processes begin the same"
                              " loops in the same order", "mismatch")
        if len(names) == LOOPS:
            raise NereusError(f"'{name}': a job has at most {LOOPS} loops with names of their own",
                              "argument")
        if not 0 < len(name.encode()) < NAME_BYTES:
            raise NereusError(f"'{name}': a loop's name has 1 to {NAME_BYTES - 1} bytes",
                              "argument")
        self.table.entries[len(names)] = _Entry(name.encode(), 0)
        self.table.count += 1
        return len(names)


class Loop:
    """A loop that this process has begun."""

    def __init__(self, loops, slot, name):
        self._loops, self._slot, self._name = loops, slot, name
        self._entry = loops.table.entries[slot]

    def goes_on(self, n):
        step = self._entry.step
        return step != OVER and (n is None or step < n)

    @property
    def step(self):
        return self._entry.step

    def _is_present(self):
        begun = self._loops._begun
        return self._slot < len(begun) and begun[self._slot] is self

    def place(self):
        """The entries before this one: which loops were over, and in which steps of the outer ones
        this process is. They are the same after a point, unless the process has slept there."""
        return string_at(self._loops.first_entry, self._slot * sizeof(_Entry))

    def check_place(self, place):
        if place != self.place():
            raise NereusError(f"this process has slept in the loop '{self._name}', and has missed"
                              " the end of the step of the outer loop: where the job shrinks and"
                              " grows again, nested loops need a method with baseline", "state")

    def next(self):
        """A step is over, and so are the loops in it."""
        if not self._is_present():
            raise NereusError(f"the loop '{self._name}' goes on after the step of another loop in"
                              " which it began: end it in that step", "state")
        self._entry.step += 1
        self._loops.table.count = self._slot + 1
        del self._loops._begun[self._slot + 1:]

    def end(self):
        if self._is_present():
            self._entry.step = OVER
