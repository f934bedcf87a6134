"""Distributed Python objects: each element is pickled when it moves to another process."""

import pickle
import struct
import sys
import traceback
from ctypes import memmove, string_at

from . import _structs
from ._distributed import Distributed

LENGTH = struct.Struct("<q")
OK, BROKEN = 0, 2  # NEREUS_OK, NEREUS_ERR_PARSE
FAILED = -1


def _reported(otherwise):
    """A decorator: exceptions cannot pass through C, so they are printed, and answered."""
    def decorate(function):
        def call(*arguments):
            try:
                return function(*arguments)
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
        self.local = []
        self._packed = {}
        self._custom = _structs.Custom(
            bytes=_structs.BYTES(self._bytes), pack=_structs.PACK(self._pack),
            resize=_structs.RESIZE(self._resize), unpack=_structs.UNPACK(self._unpack))

    def _registered(self, data_id):
        self._id = data_id
        if not self.received:
            self._resize(None, *self.part_of(self._job.rank))

    def _pickled(self, first, count):
        blobs = [pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
                 for item in self.local[first - self._first:first - self._first + count]]
        return b"".join(LENGTH.pack(len(blob)) + blob for blob in blobs)

    @_reported(FAILED)
    def _bytes(self, _user, first, count):
        packed = self._packed[first, count] = self._pickled(first, count)
        return len(packed)

    @_reported(None)
    def _pack(self, _user, first, count, buffer, size):
        packed = self._packed.pop((first, count), None) or self._pickled(first, count)
        memmove(buffer, packed, size)

    @_reported(None)
    def _resize(self, _user, first, count):
        self._first = first
        self._packed.clear()
        self.local[:] = [None] * count

    @_reported(BROKEN)
    def _unpack(self, _user, first, count, buffer, size):
        packed, at = string_at(buffer, size), 0
        for i in range(first - self._first, first - self._first + count):
            length, = LENGTH.unpack_from(packed, at)
            at += LENGTH.size
            self.local[i] = pickle.loads(packed[at:at + length])
            at += length
        return OK

    def __len__(self):
        return len(self.local)

    def __getitem__(self, index):
        return self.local[index]

    def __setitem__(self, index, item):
        self.local[index] = item
