"""Distributed Python objects: each element is pickled when it moves to another process."""

import pickle
import struct
import sys
import traceback
from ctypes import memmove, string_at

from . import _structs
from ._distributed import Distributed
from .errors import NereusError

LENGTH = struct.Struct("<q")
OK, BROKEN = 0, 2  # NEREUS_OK, NEREUS_ERR_PARSE
FAILED = -1


def _reported(otherwise):
    """A decorator: exceptions cannot pass through C, so they are printed, and answered."""
    def decorate(function):
        def call(*arguments):
            try:
                return function(*arguments)
            except NereusError as error:
                sys.stderr.write(f"nereus: {error}\n")  # one write: lines do not mix
                return otherwise
            except Exception:  # noqa: BLE001
                print(traceback.format_exc(), file=sys.stderr, flush=True)
                return otherwise
        return call
    return decorate


class Items(Distributed):
    """n Python objects, of which `local` lists those of this process: assign to its elements.

    The callbacks are those of struct nereus_custom. With data that moves while the program computes
    `bytes` and `pack` run in another thread."""

    def __init__(self, job, name):
        super().__init__(job, name, None)
        self._local = []
        self._first = self._count = 0
        self._packed = {}
        self._custom = _structs.Custom(
            bytes=_structs.BYTES(self._bytes), pack=_structs.PACK(self._pack),
            resize=_structs.RESIZE(self._resize), unpack=_structs.UNPACK(self._unpack))

    def _registered(self, data_id):
        self._id = data_id
        if not self.received:
            self._resize(None, *self.part_of(self._job.rank))

    @property
    def local(self):
        """The list; its elements can be assigned, its length is `count`."""
        return self._local

    def _check(self):
        if len(self._local) != self._count:
            raise NereusError(f"the list '{self.name}'.local has {len(self._local)} elements"
                              f" instead of {self._count}: assign to its elements, but do not"
                              " append or remove any", "argument")

    def _pickle(self, element):
        try:
            return pickle.dumps(self._local[element - self._first], pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001
            raise NereusError(f"element {element} of '{self.name}' cannot be pickled: {error}",
                              "argument") from error

    def _pickled(self, first, count):
        self._check()
        blobs = map(self._pickle, range(first, first + count))
        return b"".join(LENGTH.pack(len(blob)) + blob for blob in blobs)

    @_reported(FAILED)
    def _bytes(self, _user, first, count):
        packed = self._packed[first, count] = self._pickled(first, count)
        return len(packed)

    @_reported(None)
    def _pack(self, _user, first, count, buffer, size):
        packed = self._packed.pop((first, count), None) or self._pickled(first, count)
        if len(packed) != size:  # what `bytes` has announced
            raise NereusError(f"elements of '{self.name}' were changed while they moved")
        memmove(buffer, packed, size)

    @_reported(None)
    def _resize(self, _user, first, count):
        self._first, self._count = first, count
        self._packed.clear()
        self._local[:] = [None] * count

    @_reported(BROKEN)
    def _unpack(self, _user, first, count, buffer, size):
        packed, at = string_at(buffer, size), 0
        for i in range(first - self._first, first - self._first + count):
            length, = LENGTH.unpack_from(packed, at)
            at += LENGTH.size
            self._local[i] = pickle.loads(packed[at:at + length])
            at += length
        return OK

    def __len__(self):
        return len(self._local)

    def __getitem__(self, index):
        return self._local[index]

    def __setitem__(self, index, item):
        self._local[index] = item
