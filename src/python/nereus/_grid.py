"""Grids of 1 to 4 dimensions, cut into one box per process, and fields on them, with halos."""

from ctypes import byref, c_int

import numpy as np

from . import _library, _structs, _views
from ._array import Local
from ._distributed import Registered
from .errors import NereusError


def _per_dimension(name, what, given, dimensions):
    """A whole number for each dimension: one for all of them, or one each."""
    values = tuple(given) if np.iterable(given) else (given,) * dimensions
    whole = all(isinstance(value, (int, np.integer, np.bool_)) for value in values)
    if not whole or len(values) != dimensions:
        raise NereusError(f"'{name}': {what}={given!r} is neither a whole number for all dimensions"
                          f" nor {dimensions} of them", "argument")
    return tuple(map(int, values))


def _describe(name, shape, properties):
    """struct nereus_grid."""
    grid = _structs.Grid(dimensions=len(shape))
    for what, given in {"n": shape, **properties}.items():
        values = _per_dimension(name, what, given, len(shape))
        getattr(grid, what)[:len(shape)] = values[:_structs.DIMENSIONS]
    return grid


class Grid:
    """A grid. The process grid is another one at each size of the job."""

    def __init__(self, job, name, shape, properties):
        library, handle = job._open()
        if len(shape) > _structs.DIMENSIONS:
            raise NereusError(f"'{name}': a grid has 1 to {_structs.DIMENSIONS} dimensions, not"
                              f" {len(shape)}", "argument")
        grid = _describe(name, shape, properties)
        self._job, self.name, self.shape = job, name, shape
        self.halo = tuple(grid.halo[:len(shape)])
        self.periodic = tuple(map(bool, grid.periodic[:len(shape)]))
        self._id = _library.out(library.nereus_register_grid, c_int, handle, name.encode(),
                                byref(grid))
        self._cartesian = job.MPI.Cartcomm(job.MPI.COMM_NULL)  # one object, as job.comm
        self._field = None

    @property
    def _box(self):
        if self._field is None:
            raise NereusError(f"the grid '{self.name}' has no field yet: make one by job.field",
                              "state")
        return self._field._box

    @property
    def processes(self):
        """Numbers of processes along the dimensions."""
        return tuple(self._box.grid.processes[:len(self.shape)])

    @property
    def coords(self):
        """Coordinates of this process among them."""
        return tuple(self._box.coordinates[:len(self.shape)])

    @property
    def comm(self):
        """A Cartesian communicator (mpi4py), until the next resize. Its ranks may be others than
        those of job.comm. Collective when it is taken for the first time after a resize."""
        library, handle = self._job._open()
        if self._cartesian == self._job.MPI.COMM_NULL:
            self._job._set_handle(self._cartesian, _library.out(
                library.nereus_grid_comm, library.handle_type, handle, self._id))
        return self._cartesian

    def neighbours(self):
        """Ranks in job.comm of the processes below and above, a pair for each dimension;
        MPI.PROC_NULL where the grid ends."""
        library, handle = self._job._open()
        lower, upper = ((c_int * _structs.DIMENSIONS)() for _ in range(2))
        _library.check(library.nereus_grid_neighbours(handle, self._id, lower, upper), handle)
        return list(zip(lower, upper))[:len(self.shape)]

    def _end_comm(self):
        """The library frees the communicator."""
        self._job._set_handle(self._cartesian, None)

    def __repr__(self):
        return f"<nereus Grid {self.name!r} of {self.shape}>"


def _range_of(box, d):
    """Indices in the whole of a dimension of a box."""
    local, size = np.arange(box.count[d]), box.grid.block[d]
    if size == 0:
        return box.first[d] + local
    block = local // size * box.grid.processes[d] + box.coordinates[d]
    return block * size + local % size


class Field(Local, Registered):
    """A value for each element of a grid. It stands for its local box in expressions."""

    def __init__(self, grid, name, data_id, dtype):
        super().__init__(grid._job, name, data_id)
        self.grid, self.dtype, self.global_shape = grid, dtype, grid.shape
        grid._field = grid._field or self
        self._with_halo = self._view = None

    @property
    def _box(self):
        library, handle = self._job._open()
        box = _structs.Box()
        _library.check(library.nereus_local_box(handle, self._id, byref(box)), handle)
        return box

    @property
    def first(self):
        """Index in the whole of the first own element, one for each dimension."""
        return tuple(self._box.first[:len(self.global_shape)])

    @property
    def count(self):
        """Own elements in each dimension."""
        return tuple(self._box.count[:len(self.global_shape)])

    @property
    def indices(self):
        """Indices in the whole of the own elements: an array for each dimension, which broadcast
        as those of numpy.ogrid do."""
        box = self._box
        return np.ix_(*(_range_of(box, d) for d in range(box.dimensions)))

    @property
    def with_halo(self):
        """The own box with its halo, a view of the memory that Nereus moves; valid until the next
        change."""
        self._take()
        return self._with_halo

    @property
    def local(self):
        """The own box, a part of with_halo."""
        self._take()
        return self._view

    def _take(self):
        self._job._open()
        if self._view is not None:
            return
        box = self._box
        d = range(box.dimensions)
        halo, count = box.grid.halo, box.count
        whole = tuple(count[i] + 2 * halo[i] for i in d)
        if box.values is None:  # no elements: the halo is of no use, but slices have their shapes
            self._with_halo = np.zeros(whole, self.dtype).view(_views.View)
        else:
            before = sum(halo[i] * box.stride[i] for i in d) * self.dtype.itemsize
            self._with_halo = _views.make(box.values - before, self.dtype, whole)
        self._view = self._with_halo[tuple(slice(halo[i], halo[i] + count[i]) for i in d)]

    def exchange(self):
        """Fill the halo from the neighbours, with edges and corners. Every process calls it."""
        library, handle = self._job._open()
        _library.check(library.nereus_grid_exchange(handle, self._id), handle)

    def whole(self):
        """The whole field without halos, as a copy in each process. Collective."""
        result = np.empty(self.global_shape, self.dtype)
        for indices, box in self._job.comm.allgather((self.indices, np.array(self.local))):
            result[indices] = box
        return result

    def _renew(self):
        self._with_halo = self._view = None
