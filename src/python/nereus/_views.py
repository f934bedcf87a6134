"""Views of local parts that raise StaleView once a resize has replaced the parts.

numpy cannot take memory away from an array. So all views that are made from a local part, by slices
as well, are remembered; when the library frees the part, each of them loses its memory and becomes
a Stale array. Not seen: memory taken by np.asarray, memoryview or a compiled extension."""

import ctypes
import warnings
import weakref

import numpy as np

from .errors import StaleView

_live = {}  # by id; entries of views that are gone are removed when there are many
_sweep_at = 256


def _remember(view):
    global _sweep_at
    _live[id(view)] = weakref.ref(view)
    if len(_live) > _sweep_at:
        for key in [key for key, reference in _live.items() if reference() is None]:
            del _live[key]
        _sweep_at = max(256, 2 * len(_live))


class View(np.ndarray):
    """A local part, or a view of it. What is computed from it is a plain array."""

    def __array_finalize__(self, source):
        if isinstance(source, View) and np.may_share_memory(self, source):  # else it is a copy
            _remember(self)

    def __array_wrap__(self, array, context=None, return_scalar=False):
        if array is self:
            return self
        return array[()] if return_scalar else array.view(np.ndarray)


def _refuse(self, *_arguments, **_keywords):
    raise StaleView("this view is older than the latest resize, which has replaced the part"
                    " that it showed: take local (of a field also with_halo) anew after each"
                    " point", "state")


class Stale(View):
    """What a view becomes: each use of it raises StaleView."""

    def __getattribute__(self, name):
        return object.__getattribute__(self, name) if name.startswith("__") else _refuse(self)

    __getitem__ = __setitem__ = __len__ = __iter__ = __repr__ = __str__ = _refuse
    __array_ufunc__ = __array_function__ = __array_finalize__ = _refuse
    # The ways in which mpi4py asks for memory: __buffer__ is known from Python 3.12 on.
    __buffer__ = __dlpack__ = __dlpack_device__ = _refuse


def make(address, dtype, shape):
    """A view of memory of the library."""
    bytes_ = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if bytes_ == 0:
        return np.empty(shape, dtype).view(View)
    memory = (ctypes.c_char * bytes_).from_address(address)
    view = np.frombuffer(memory, dtype).reshape(shape).view(View)
    _remember(view)
    return view


def _empty(view):
    """Give a view other memory: of a type that computes nothing, and not contiguous, as such memory
    is given to nobody who asks for a buffer (MPI, memoryview)."""
    view.__setstate__((1, (2,), np.dtype([("stale", "M8[s]")]), False, bytes(16)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        view.strides = (0,)
    view.__class__ = Stale


def expire():
    """The parts are gone."""
    views = [reference() for reference in list(_live.values())]
    _live.clear()
    for view in views:
        if view is not None:
            _empty(view)
