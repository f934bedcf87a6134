"""Distributed arrays, and sparse matrices by rows."""

from ctypes import byref, c_int64, c_void_p

import numpy as np

from . import _library, _structs, _views
from ._distributed import Distributed
from .errors import NereusError


class Local(np.lib.mixins.NDArrayOperatorsMixin):
    """What stands for its local part, `local`, in expressions, indices and functions of numpy,
    whatever resizes there have been: index 0 is the element `first` of the whole."""

    @property
    def shape(self):
        return self.local.shape

    def __array__(self, dtype=None, copy=None):
        if copy or dtype not in (None, self.dtype):
            return np.array(self.local, dtype or self.dtype)
        return self.local

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        plain = [value.local if isinstance(value, Local) else value for value in inputs]
        outputs = keywords.get("out", ())
        if outputs:
            keywords["out"] = tuple(value.local if isinstance(value, Local) else value
                                    for value in outputs)
        result = getattr(ufunc, method)(*plain, **keywords)
        return outputs[0] if len(outputs) == 1 else result

    def __len__(self):
        return len(self.local)

    def __getitem__(self, index):
        return self.local[index]

    def __setitem__(self, index, value):
        self.local[index] = value


class Array(Local, Distributed):
    """A distributed array."""

    def __init__(self, job, name, data_id, dtype, shape):
        super().__init__(job, name, data_id)
        self.dtype, self.global_shape = dtype, shape
        self._view = None

    @property
    def local(self):
        """The local part, a view of the memory that Nereus moves; valid until the next change."""
        library, handle = self._job._open()
        if self._view is None:
            part, count = c_void_p(), c_int64()
            status = library.nereus_local(handle, self._id, byref(part), None, byref(count))
            _library.check(status, handle)
            self._view = _views.make(part.value, self.dtype,
                                     (count.value, *self.global_shape[1:]))
        return self._view

    def whole(self):
        """The whole array, as a copy in each process. Collective (an Allgatherv)."""
        job, result = self._job, np.empty(self.global_shape, self.dtype)
        row = self.dtype.itemsize * int(np.prod(self.global_shape[1:], dtype=np.int64))
        parts = np.array([self.part_of(rank) for rank in range(job.size)], np.int64) * row
        job.comm.Allgatherv([self.local, job.MPI.BYTE],
                            [result, (parts[:, 1], parts[:, 0]), job.MPI.BYTE])
        return result

    def _renew(self):
        self._view = None


def given_rows(name, matrix, count, columns, dtype):
    """Pointers, indices and values of the own rows, as nereus_register_csr takes them."""
    from scipy.sparse import csr_array

    rows = csr_array(matrix)
    if rows.shape != (count, columns):
        raise NereusError(f"'{name}': the rows of this process are {count} x {columns}, and those"
                          f" given are {rows.shape[0]} x {rows.shape[1]}", "argument")
    if not np.can_cast(rows.dtype, dtype, "same_kind"):
        raise NereusError(f"'{name}': the rows given are of {rows.dtype}, which is no {dtype}: give"
                          f" job.csr dtype=\"{rows.dtype}\"", "argument")
    return (np.ascontiguousarray(rows.indptr, np.int64),
            np.ascontiguousarray(rows.indices, np.int64),
            np.ascontiguousarray(rows.data, dtype))


class Csr(Distributed):
    """A distributed sparse matrix; each process has whole rows."""

    def __init__(self, job, name, data_id, dtype, shape):
        super().__init__(job, name, data_id)
        self.dtype, self.shape = dtype, shape
        self._local = None

    @property
    def local(self):
        """The own rows as a scipy.sparse.csr_array of count x columns; its values are those that
        Nereus moves, its pattern is a copy. Valid until the next change."""
        library, handle = self._job._open()
        if self._local is None:
            self._local = self._take(library, handle)
        return self._local

    def _take(self, library, handle):
        from scipy.sparse import csr_array

        part = _structs.Sparse()
        _library.check(library.nereus_local_sparse(handle, self._id, byref(part)), handle)
        index, nonzeros = np.dtype(np.int64), (part.nonzeros,)
        pointers = _views.make(part.pointers, index, (part.count + 1,))
        columns = _views.make(part.indices, index, nonzeros)
        values = _views.make(part.values, self.dtype, nonzeros)
        matrix = csr_array((values, columns.copy(), pointers.copy()),
                           shape=(part.count, self.shape[1]))
        matrix.data = values  # scipy takes the memory out of the view, which would not expire
        return matrix

    def _renew(self):
        self._local = None
