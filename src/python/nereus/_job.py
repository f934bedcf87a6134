"""The job, as this process sees it."""

import atexit
import ctypes
import hashlib
import operator
import os
import pickle
import sys
import traceback
from ctypes import byref, c_char_p, c_int, c_int64, c_size_t, c_void_p

import numpy as np

from . import _array, _grid, _items, _library, _loops, _options, _replicated, _structs, _views
from .errors import NereusError

CONTINUE, RESIZED, LEAVE = range(3)
CONSTANT, VARIABLE = range(2)
BY_LENGTH = -1
TYPE_BYTES = 128
OUTCOMES = ("none", "pending", "resized", "unchanged", "failed", "too late")


def _encode(text):
    return None if text is None else text.encode()


def _shape(name, shape):
    """Whole numbers, of which numpy and ctypes say less."""
    numbers = tuple(shape) if np.iterable(shape) else (shape,)
    if not numbers or not all(isinstance(n, (int, np.integer)) and n >= 0 for n in numbers):
        raise NereusError(f"'{name}': the shape {shape!r} is not of whole numbers from 0 on",
                          "argument")
    return tuple(map(int, numbers))


def _end_process(code):
    """As sys.exit(code), but at once. The job is not over: status 0 is 1."""
    try:
        if code not in (None, 0) and not isinstance(code, int):
            print(code, file=sys.stderr)
        _flush()
    finally:
        os._exit(code & 0xff or 1 if isinstance(code, int) else 1)


def _flush():
    """What cannot be written, as to a pipe that was closed, does not keep the process alive."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed, or None
            pass


class Job:
    """Made by nereus.init. All calls but those that say so are made by every process alike."""

    def __init__(self, options, before, after):
        from mpi4py import MPI

        self.MPI, self._library = MPI, _library.get()
        self._handle, self._action = c_void_p(), c_int()
        self._action_place = byref(self._action)
        self._data, self._loops, self._kept = [], _loops.Loops(), []
        self._items, self._grids = [], []
        self._before, self._after = before, after
        self._renewed = self.left = False
        self._failed = 0  # the status with which the block `with` was left
        self.comm = MPI.Intracomm(MPI.COMM_NULL)  # one object; its handle changes with the size
        callbacks = [_structs.JOB_CALLBACK(function) for function in (self._c_before,
                                                                      self._c_after)]
        self._kept.append(callbacks)
        self._begin(_options.make(*options, callbacks))

    # ---- begin and end -----------------------------------------------------------------------

    def _begin(self, options):
        self._mpi_is_own = self.MPI.Is_initialized()  # by mpi4py, imported before nereus
        status = self._library.nereus_init(None, None, byref(options), byref(self._handle))
        if status == _library.STATUS_CANCELLED:
            sys.exit(1)  # the other processes have said why
        _library.check(status, None)
        for comm in (self.MPI.COMM_WORLD, self.MPI.COMM_SELF):
            comm.Set_errhandler(self.MPI.ERRORS_RETURN)  # errors are exceptions, as in mpi4py
        self._renew()
        self._register_replicated("nereus loops", self._loops.address, self.MPI.BYTE,
                                  self._loops.bytes)
        atexit.register(self._at_exit)

    def _at_exit(self):
        """The interpreter ends. Only C's exit knows the status: 0 ends the job in this process, as
        finalize does; another one, that of sys.exit or of an exception, ends it for all. (Where mpi4py came first, sys.exit
        outside `with` is not seen here.)"""
        if self._handle.value is None:
            return
        if self._mpi_is_own:  # mpi4py ends MPI before C's exit: a failed process would wait there
            if not self.left and (self._failed or getattr(sys, "last_value", None) is not None):
                _end_process(self._failed or 1)
            self.finalize()
        elif not self._failed:
            _flush()
            _views.expire()
            self._library.nereus_finalize_at_exit(self._handle)

    def finalize(self):
        """End the job in this process, also in one that has left; done at exit otherwise."""
        atexit.unregister(self._at_exit)
        if self._handle.value is None:
            return
        sys.stdout.flush()
        self._set_comm(None)
        _views.expire()
        status = self._library.nereus_finalize(byref(self._handle))
        self._handle.value = None
        _library.check(status, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.left or kind is None or (kind is SystemExit and value.code in (None, 0)):
            self.finalize()
        else:  # not to be finalized at exit
            self._failed = value.code if kind is SystemExit and isinstance(value.code, int) else 1

    def _open(self):
        """The library and the job's handle."""
        if self._handle.value is None:
            raise NereusError("the job has ended in this process (finalize)")
        if self.left:
            raise NereusError("this process has left the job: after a loop ask job.left, and let"
                              " the process end")
        return self._library, self._handle

    # ---- resizes ---------------------------------------------------------------------

    def _set_handle(self, comm, handle):
        """Give a communicator another handle; COMM_NULL where there is none, so that it cannot be
        used."""
        mpi = self.MPI
        place = self._library.handle_type.from_address(mpi._addressof(comm))
        place.value = mpi.COMM_NULL.handle if handle is None else handle
        if handle is not None:
            comm.Set_errhandler(mpi.ERRORS_RETURN)

    def _set_comm(self, handle):
        """The job's communicator is another one, and those of grids have ended."""
        self._set_handle(self.comm, handle)
        for grid in self._grids:
            grid._end_comm()

    def _renew(self):
        _views.expire()
        for data in self._data:
            data._renew()
        self._set_comm(self._library.nereus_comm(self._handle))
        self._renewed = True

    def _call(self, function, handle):
        """In a callback; exceptions cannot pass through C: the process ends, and so does the job,
        with the status that they have elsewhere."""
        try:
            if function is not None:
                self._handle.value = handle
                function(self)
        except SystemExit as end:
            _end_process(end.code)
        except BaseException:  # noqa: BLE001
            _end_process(traceback.format_exc())

    def _c_before(self, handle, _user):
        self._call(self._before, handle)

    def _c_after(self, handle, _user):
        self._handle.value = handle
        self._renew()
        self._call(self._after, handle)

    def _act(self, action):
        """What a point has said. @return has the size (or the ranges) changed?"""
        if action == LEAVE:
            self.left = True
            _views.expire()
            self._set_comm(None)
        elif action == RESIZED and not self._renewed:
            self._renew()
        return action == RESIZED

    def _check_items(self):
        for items in self._items:
            items._check()

    def point(self):
        """Pass a malleability point: True after a resize. `left` may be set afterwards."""
        library, handle = self._open()
        self._check_items()
        self._renewed = False
        _library.check(library.nereus_point(handle, self._action_place), handle)
        return self._act(self._action.value)

    def balance(self, compute_s=0, threshold=0, method=None):
        """point, which also balances the load (nereus_balance)."""
        library, handle = self._open()
        self._check_items()
        self._renewed = False
        options = _structs.BalanceOptions(compute_s=compute_s, threshold=threshold,
                                          method=_encode(method))
        return self._act(_library.out(library.nereus_balance, c_int, handle, byref(options)))

    def steps(self, n=None, name="step"):
        """Yield 0, 1, ... n - 1 (None: without end), with a malleability point after each step.

        A process that joins begins at the step at which the job is. Each loop needs a name of its
        own, which a step of an outer loop sets free. Ends when this process leaves."""
        if self.left:
            return
        n = None if n is None else operator.index(n)
        loops, loop = self._loops, self._loops.begin(name)
        while loop.goes_on(n):
            loops.depth += 1
            try:
                yield loop.step
            except GeneratorExit:  # break
                if not self.left:
                    loop.end()
                raise
            finally:
                loops.depth -= 1
            if not self.left:  # by a point of the user, or of a loop in this one
                loop.next()
                place = loop.place()
                self._end_step()
            if self.left:
                return
            loop.check_place(place)
        loop.end()

    def _end_step(self):
        """A point, and the checkpoint that was asked for in the step."""
        resized, table = self.point(), self._loops.table
        if not table.checkpoint_due or resized or self.left:
            return  # processes that join are told by the table
        table.checkpoint_due = 0  # the table is in the checkpoint: a restart shall not repeat it
        try:
            self._write_checkpoint()
        except NereusError as error:
            if "is under way" in str(error):
                table.checkpoint_due = 1
            elif self.rank == 0:
                print(f"nereus: no checkpoint is written at point {self.points}: {error}",
                      file=sys.stderr, flush=True)

    # ---- registered data ---------------------------------------------------------------------

    def _add(self, data, length, partition):
        """length: that by which it shares its ranges, unless it is in a partition of its own."""
        data._length = length if partition == BY_LENGTH else None
        self._data.append(data)
        return data

    def _register_replicated(self, name, address, kind, count):
        """The caller keeps the memory until the job ends."""
        library, handle = self._open()
        return _library.out(library.nereus_register_replicated, c_int, handle, name.encode(),
                            kind.handle, count, VARIABLE, address)

    def _type(self, bytes_):
        """The MPI type of an element of so many bytes; it lives as long as the job."""
        kind = self.MPI.BYTE.Create_contiguous(bytes_).Commit()
        self._kept.append(kind)
        return kind.handle

    def partition(self, name, n):
        """An index space of its own, for data that shall not share ranges by its length."""
        library, handle = self._open()
        return _library.out(library.nereus_register_partition, c_int, handle, name.encode(), n)

    def array(self, name, shape, dtype=float, *, constant=False, partition=BY_LENGTH):
        """A distributed numpy array: the first dimension is distributed. Zero at first.

        constant: never written from the first point on, so that it may move while the program
        computes."""
        library, handle = self._open()
        shape = _shape(name, shape)
        dtype = np.dtype(dtype)
        if dtype.hasobject:
            raise NereusError(f"'{name}' is of Python objects: use job.items", "argument")
        if 0 in shape[1:]:
            raise NereusError(f"'{name}': of the shape {shape} only the first number may be 0",
                              "argument")
        bytes_ = dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
        data_id = _library.out(library.nereus_register_array_in, c_int, handle, name.encode(),
                               self._type(bytes_), shape[0], partition,
                               CONSTANT if constant else VARIABLE)
        self._announced(name, dtype, shape[1:])
        return self._add(_array.Array(self, name, data_id, dtype, shape), shape[0], partition)

    def grid(self, name, shape, *, halo=0, periodic=False, block=0, fixed=0):
        """A grid of 1 to 4 dimensions, cut into one box per process, for fields. One value for all
        dimensions, or one each:

        halo      its width on both sides
        periodic  are the first and the last element neighbours?
        block     block-cyclic, in blocks of so many elements; without halo
        fixed     number of processes at every size; 0: chosen at each size"""
        grid = _grid.Grid(self, name, _shape(name, shape), {
            "halo": halo, "periodic": periodic, "block": block, "fixed": fixed})
        self._grids.append(grid)
        return grid

    def field(self, name, grid, dtype=float, *, constant=False):
        """A value for each element of a grid. Zero at first, and so are halos after each resize,
        until `exchange` fills them."""
        library, handle = self._open()
        dtype = np.dtype(dtype)
        if dtype.hasobject:
            raise NereusError(f"'{name}' is of Python objects, which have no field", "argument")
        data_id = _library.out(library.nereus_register_field, c_int, handle, name.encode(),
                               self._type(dtype.itemsize), grid._id,
                               CONSTANT if constant else VARIABLE)
        self._announced(name, dtype)
        return self._add(_grid.Field(grid, name, data_id, dtype), None, BY_LENGTH)

    def _range(self, n, partition):
        """First and count of this process for data that is to be registered."""
        library, handle = self._open()
        for data in self._data:
            if partition == BY_LENGTH and data._length == n:
                return data.first, data.count
        if partition == BY_LENGTH:
            block = library.nereus_block(n, self.size, self.rank)
            return block.first, block.count
        first, count = c_int64(), c_int64()
        _library.check(library.nereus_partition_part_of(handle, partition, self.rank, byref(first),
                                                        byref(count)), handle)
        return first.value, count.value

    def csr(self, name, shape, build, dtype=float, *, constant=True, partition=BY_LENGTH):
        """A distributed sparse matrix. build(first, count) gives the own rows, in any format of
        scipy.sparse; it is called only where the matrix has not been received."""
        library, handle = self._open()
        rows, columns = _shape(name, shape)
        dtype = np.dtype(dtype)
        pointers = [None] * 3
        if not self._announced(name, dtype):
            first, count = self._range(rows, partition)
            given = _array.given_rows(name, build(first, count), count, columns, dtype)
            pointers = [array.ctypes.data for array in given]
        data_id = _library.out(library.nereus_register_csr, c_int, handle, name.encode(),
                               self._type(dtype.itemsize), rows, columns, partition, *pointers,
                               CONSTANT if constant else VARIABLE)
        return self._add(_array.Csr(self, name, data_id, dtype, (rows, columns)), rows, partition)

    def _announced(self, name, dtype, inner=()):
        """Has this process received data of that name? Asked before it is registered: by its type,
        which is registered with it, and which has to be the same in all processes."""
        own = f"{dtype.descr if dtype.names else dtype.str}{list(inner) or ''}".encode()
        if len(own) >= TYPE_BYTES:
            own = own[:TYPE_BYTES // 2] + b"... " + hashlib.md5(own).hexdigest().encode()
        kept = ctypes.create_string_buffer(own[:TYPE_BYTES - 1], TYPE_BYTES)
        self._kept.append(kept)
        marker = self._register_replicated("type of " + name, ctypes.addressof(kept), self.MPI.BYTE,
                                           TYPE_BYTES)
        if kept.value != own[:TYPE_BYTES - 1]:
            raise NereusError(f"'{name}' is of type {kept.value.decode()} in the job, but of"
                              f" {own.decode()} in this process, which has joined", "mismatch")
        return self._library.nereus_is_received(self._handle, marker)

    def items(self, name, n, *, constant=False, partition=BY_LENGTH):
        """n Python objects, each of which is pickled when it moves."""
        library, handle = self._open()
        items = _items.Items(self, name)
        items._registered(_library.out(
            library.nereus_register_custom, c_int, handle, name.encode(), n, partition,
            byref(items._custom), CONSTANT if constant else VARIABLE))
        self._items.append(items)
        return self._add(items, n, partition)

    def replicated(self, values, name="values"):
        """Small values that are the same in every process, from a dictionary; a process that joins
        gets the present ones. `received` says whether it has."""
        replicated = _replicated.Replicated(values)
        memory = replicated._memory
        self._kept.append(memory)
        self._announced(name, memory.dtype)
        data_id = self._register_replicated(name, memory.ctypes.data, self.MPI.BYTE, memory.nbytes)
        object.__setattr__(replicated, "received",
                           self._library.nereus_is_received(self._handle, data_id))
        return replicated

    def swap(self, a, b):
        """Let two arrays of the same shape change their memory (double buffers). Views that were
        taken before stay with the memory."""
        library, handle = self._open()
        forms = [(data.dtype, data.global_shape) for data in (a, b)
                 if isinstance(data, _array.Local)]
        if len(forms) < 2 or forms[0] != forms[1]:
            raise NereusError(f"{a!r} and {b!r} cannot be swapped: both have to be arrays, or"
                              " fields, of one type and shape", "mismatch")
        _library.check(library.nereus_swap(handle, a._id, b._id), handle)
        a._renew()
        b._renew()

    # ---- requests, checkpoints, work ---------------------------------------------------------

    def checkpoint(self):
        """Write a checkpoint (option checkpoint, or nereus-mpiexec --checkpoint): in a loop of
        `steps` at the end of the step, when its counter fits the data; else now."""
        if self._loops.depth > 0:
            self._open()
            self._loops.table.checkpoint_due = 1
        else:
            self._write_checkpoint()

    def _write_checkpoint(self):
        library, handle = self._open()
        self._check_items()
        _library.check(library.nereus_checkpoint(handle), handle)

    def request_size(self, size, method=None):
        """Request another number of processes. On rank 0 only."""
        library, handle = self._open()
        if not isinstance(size, (int, np.integer)):
            raise NereusError(f"a number of processes is a whole number, not {size!r}", "argument")
        _library.check(library.nereus_request_size(handle, int(size), _encode(method)), handle)

    def request_release(self, nodes, method=None):
        """Request to release nodes, by their names. On rank 0 only."""
        library, handle = self._open()
        names = (c_char_p * len(nodes))(*map(_encode, nodes))
        _library.check(library.nereus_request_release(handle, names, len(nodes), _encode(method)),
                       handle)

    def request_layout(self, processes, method=None):
        """Request a number of processes on each node: {node: number}. On rank 0 only."""
        library, handle = self._open()
        names = (c_char_p * len(processes))(*map(_encode, processes))
        numbers = (c_int64 * len(processes))(*processes.values())
        _library.check(library.nereus_request_layout(handle, names, numbers, len(processes),
                                                     _encode(method)), handle)

    def declare_sizes(self, minimum=0, maximum=0, multiple_of=0, powers_of_two=False):
        """The sizes that requests from outside may ask for."""
        library, handle = self._open()
        sizes = _structs.Sizes(minimum, maximum, multiple_of, powers_of_two)
        _library.check(library.nereus_declare_sizes(handle, byref(sizes)), handle)

    def set_iterations_left(self, left):
        """Over how many iterations the choice of a method counts its cost; below 0: unknown."""
        library, handle = self._open()
        library.nereus_set_iterations_left(handle, left)

    def set_power(self, work, cpu_s):
        """Computing power of this process: units of work, and the CPU seconds that they took."""
        library, handle = self._open()
        _library.check(library.nereus_set_power(handle, work, cpu_s), handle)

    @property
    def outcome(self):
        """Of the latest request: its name ("resized", "failed", ...) and a sentence."""
        library, handle = self._open()
        sentence = c_char_p()
        code = library.nereus_last_outcome(handle, byref(sentence))
        return OUTCOMES[code], _library.named(sentence.value or b"")

    # ---- this process ------------------------------------------------------------------------

    @property
    def rank(self):
        library, handle = self._open()
        return library.nereus_rank(handle)

    @property
    def size(self):
        library, handle = self._open()
        return library.nereus_size(handle)

    @property
    def points(self):
        """Malleability points that the job has passed."""
        return self._library.nereus_points(self._open()[1])

    @property
    def reconfigurations(self):
        """Changes of size that the job has carried out."""
        return self._library.nereus_reconfigurations(self._open()[1])

    @property
    def restarts(self):
        """Times that the job was started anew from a checkpoint."""
        return self._library.nereus_restarts(self._open()[1])

    @property
    def joined(self):
        """Has a resize, or a restart, brought this process into the job?"""
        return self._library.nereus_is_joined(self._open()[1])

    @property
    def user_state(self):
        """The argument of init; in a process that joined, its copy."""
        size = c_size_t()
        address = self._library.nereus_user_state(self._open()[1], byref(size))
        return pickle.loads(ctypes.string_at(address, size.value)) if address else None


def init(*, schedule=None, before=None, after=None, user_state=None, environment=(), **options):
    """Begin a malleable job, or join the running one (nereus_init).

    schedule     resizes: (point, size) or (point, size, method), or "4@10,2@20:merge/p2p"
    before       before(job) is called in each source when the data has moved
    after        after(job) is called in each target when communicator and data are the new ones
    user_state   anything that pickle takes; processes that join get it
    environment  names of variables that new processes get from rank 0
    options      the others of struct nereus_options: method, checkpoint, checkpoint_every_s, ...
    """
    _library.get()
    return Job((options, schedule, environment, user_state), before, after)
