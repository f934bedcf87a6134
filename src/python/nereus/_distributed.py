"""What registered data have: a name; and, but for fields, one contiguous range of elements in each
process."""

from ctypes import byref, c_int64

from . import _library
from .errors import NereusError


class Registered:
    """Registered data of which each process has a part."""

    def __init__(self, job, name, data_id):
        self._job, self.name, self._id = job, name, data_id

    @property
    def received(self):
        """Has this process got the values from others (or a checkpoint)? If not: fill them in."""
        library, handle = self._job._open()
        return library.nereus_is_received(handle, self._id)

    def _renew(self):
        """After a resize: forget what was of the old part."""

    def __repr__(self):
        return f"<nereus {type(self).__name__} {self.name!r}>"


class Distributed(Registered):
    """Registered data of which this process has the elements first .. first + count - 1."""

    def part_of(self, rank):
        """First element and number of elements of any process."""
        library, handle = self._job._open()
        first, count = c_int64(), c_int64()
        _library.check(library.nereus_part_of(handle, self._id, rank, byref(first), byref(count)),
                       handle)
        return first.value, count.value

    def owner_of(self, element):
        """The rank that has an element."""
        library, handle = self._job._open()
        rank = _library.c_int()
        if library.nereus_owner_of(handle, self._id, element, byref(rank)) != 0:
            last = sum(self.part_of(self._job.size - 1)) - 1
            raise NereusError(f"'{self.name}' has no element {element}, but 0 to {last}",
                              "argument")
        return rank.value

    @property
    def first(self):
        return self.part_of(self._job.rank)[0]

    @property
    def count(self):
        return self.part_of(self._job.rank)[1]
