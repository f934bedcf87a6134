"""Finds libnereus, loads it before mpi4py loads an MPI, and declares its functions."""

import ctypes
import os
import shutil
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint
from ctypes import c_void_p, sizeof
from importlib.util import find_spec

from . import _structs
from .errors import NereusError

STATUS_CANCELLED = 10
JOB = c_void_p
ABI_IS_ANOTHER = (
    "this mpi4py has no module for the MPI of Nereus (that of the package index has none for the"
    " standard's binary interface, libmpi_abi): install one with MPICC=.../mpicc_abi pip"
    " install --no-binary mpi4py mpi4py, or build Nereus for one MPI, ./setup build --mpi mpich")
# Names in messages that are not job.NAME here.
NAMES = {
    "init": "nereus.init", "comm": "job.comm", "local": "x.local", "local_sparse": "A.local",
    "is_received": "x.received", "part_of": "x.part_of", "owner_of": "x.owner_of",
    "register_array": "job.array", "register_array_in": "job.array", "register_csr": "job.csr",
    "register_custom": "job.items", "register_replicated": "job.replicated",
    "register_partition": "job.partition", "register_grid": "job.grid",
    "register_field": "job.field", "local_box": "u.local", "grid_exchange": "u.exchange",
    "grid_neighbours": "g.neighbours", "grid_comm": "g.comm", "custom": "job.items", "options": "nereus.init",
    "last_outcome": "job.outcome", "is_joined": "job.joined", "is_leaving": "job.left"}
SAME_NAMES = ("point", "finalize", "balance", "checkpoint", "swap", "request_size",
              "request_release", "request_layout", "declare_sizes", "set_iterations_left",
              "set_power", "rank", "size", "points", "reconfigurations", "restarts", "user_state")


def _candidates():
    """Where libnereus may be: as told, beside the launcher on PATH, where the loader looks."""
    if os.environ.get("NEREUS_LIBRARY"):  # nereus-mpiexec sets it
        yield os.environ["NEREUS_LIBRARY"]
        return
    launcher = shutil.which("nereus-mpiexec")
    if launcher:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(launcher)))
        for folder in ("lib", "lib64", "lib/" + os.uname().machine + "-linux-gnu"):
            yield os.path.join(prefix, folder, "libnereus.so")
    yield "libnereus.so.0"


def _open():
    """RTLD_GLOBAL: mpi4py takes the MPI that is loaded already, and the wrapper of MPI_Init."""
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL), None
        except OSError as error:
            if os.path.exists(path):
                reasons.insert(0, str(error))
            reasons.append(str(error))
    return None, NereusError(
        f"libnereus cannot be loaded ({reasons[0]}): start the program with nereus-mpiexec, put"
        " its folder on PATH, or set NEREUS_LIBRARY to the file libnereus.so", "io")


def _begin():
    """Load both libraries; MPI is initialised by nereus_init, and finalised by nereus_finalize.

    Errors are kept for `get`, as nereus.predict needs neither library; in a job of nereus-mpiexec a
    missing module of mpi4py is raised at once, as `from mpi4py import MPI` would say less."""
    library, error = _open()
    try:
        import mpi4py

        mpi4py.rc.initialize = mpi4py.rc.finalize = False
        if library is not None and find_spec("mpi4py.MPI") is None:  # `import mpi4py.MPI` would
            raise NereusError(ABI_IS_ANOTHER, "mismatch")            # say less, and comes first
    except NereusError as failure:
        if os.environ.get("NEREUS_LIBRARY"):
            raise
        error = error or failure
    except ImportError as failure:
        error = error or NereusError(f"mpi4py is needed: {failure}", "unsupported")
    return library, error


_library, _error = _begin()
_declared = False


def _loaded_mpis():
    """Files of MPI libraries in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(None, 5)[5].strip() for line in maps if line.count(" ") > 4
                 and "libmpi" in line}
    return sorted(path for path in paths
                  if os.path.basename(path).startswith(("libmpi.so", "libmpi_abi.so")))


def _check_mpi():
    """mpi4py and libnereus have to be of one MPI, with the same handles."""
    mpis = _loaded_mpis()
    if len(mpis) > 1:
        raise NereusError(
            f"libnereus and mpi4py have loaded different MPIs ({' and '.join(mpis)}): import"
            " nereus before mpi4py, or install an mpi4py of the MPI of Nereus", "mismatch")


def _declare(library, handle):
    """Signatures: name, result, arguments after the job. HANDLE: a communicator or a datatype."""
    status, text = c_int, c_char_p
    out_int, out_int64 = POINTER(c_int), POINTER(c_int64)
    table = {
        "comm": (handle,),
        "rank": (c_int,),
        "size": (c_int,),
        "points": (c_int64,),
        "reconfigurations": (c_int64,),
        "restarts": (c_int64,),
        "is_joined": (ctypes.c_bool,),
        "user_state": (c_void_p, POINTER(c_size_t)),
        "last_error": (text,),
        "last_outcome": (c_int, POINTER(text)),
        "is_received": (ctypes.c_bool, c_int),
        "register_partition": (status, text, c_int64, out_int),
        "register_array_in": (status, text, handle, c_int64, c_int, c_int, out_int),
        "register_replicated": (status, text, handle, c_int64, c_int, c_void_p, out_int),
        "register_custom": (status, text, c_int64, c_int, POINTER(_structs.Custom), c_int,
                            out_int),
        "register_csr": (status, text, handle, c_int64, c_int64, c_int, c_void_p, c_void_p,
                         c_void_p, c_int, out_int),
        "register_grid": (status, text, POINTER(_structs.Grid), out_int),
        "register_field": (status, text, handle, c_int, c_int, out_int),
        "local": (status, c_int, POINTER(c_void_p), out_int64, out_int64),
        "local_sparse": (status, c_int, POINTER(_structs.Sparse)),
        "local_box": (status, c_int, POINTER(_structs.Box)),
        "grid_neighbours": (status, c_int, out_int, out_int),
        "grid_comm": (status, c_int, POINTER(handle)),
        "grid_exchange": (status, c_int),
        "swap": (status, c_int, c_int),
        "part_of": (status, c_int, c_int, out_int64, out_int64),
        "partition_part_of": (status, c_int, c_int, out_int64, out_int64),
        "partition_of": (status, c_int, out_int),
        "owner_of": (status, c_int, c_int64, out_int),
        "set_power": (status, c_double, c_double),
        "set_weights": (status, c_int, c_void_p, c_void_p),
        "weigh_by_nonzeros": (status, c_int),
        "point": (status, out_int),
        "balance": (status, POINTER(_structs.BalanceOptions), out_int),
        "checkpoint": (status,),
        "request_size": (status, c_int64, text),
        "request_release": (status, POINTER(text), c_int64, text),
        "request_layout": (status, POINTER(text), out_int64, c_int64, text),
        "declare_sizes": (status, POINTER(_structs.Sizes)),
        "set_iterations_left": (None, c_int64),
    }
    for name, (result, *arguments) in table.items():
        function = getattr(library, "nereus_" + name)
        function.restype, function.argtypes = result, [JOB, *arguments]
    library.nereus_init.argtypes = [c_void_p, c_void_p, POINTER(_structs.Options), POINTER(JOB)]
    library.nereus_finalize.argtypes = [POINTER(JOB)]
    library.nereus_finalize_at_exit.restype, library.nereus_finalize_at_exit.argtypes = None, [JOB]
    library.nereus_status_name.restype = text
    library.nereus_block.restype = _structs.Range
    library.nereus_block.argtypes = [c_int64, c_int64, c_int64]


def _name_calls(library):
    """Let messages have the names of Python."""
    names = {**NAMES, **{name: "job." + name for name in SAME_NAMES}}
    words = [word.encode() for name, other in names.items() for word in ("nereus_" + name, other)]
    library.call_names = (c_char_p * (len(words) + 1))(*words)  # the library keeps the pointer
    library.nereus_set_call_names(library.call_names)
    script = sys.argv[0] if getattr(sys, "argv", None) else ""
    if os.path.isfile(script):  # not `python -c`
        library.script = c_char_p(os.fsencode(os.path.realpath(script)))
        library.nereus_set_script(library.script)


def named(text):
    """A sentence of the library with the names of Python."""
    changed = ctypes.create_string_buffer(text, 2 * len(text) + 1)
    _library.nereus_replace_call_names(changed, c_size_t(len(changed)))
    return changed.value.decode()


def get():
    """libnereus, with mpi4py imported; raises what has kept it from being loaded."""
    global _declared
    if _error is not None:
        raise _error
    if not _declared:
        from mpi4py import MPI

        _check_mpi()
        _library.handle_type = c_uint if MPI._sizeof(MPI.Comm) == sizeof(c_uint) else c_void_p
        _declare(_library, _library.handle_type)
        _name_calls(_library)
        _declared = True
    return _library


def check(status, job):
    """Raise the sentence of a call that has failed."""
    if status != 0:
        raise NereusError(named(_library.nereus_last_error(job)),
                          _library.nereus_status_name(status).decode())


def out(function, kind, *arguments):
    """Call a function of the job whose last parameter is an output of this ctypes type."""
    value = kind()
    check(function(*arguments, byref(value)), arguments[0])
    return value.value
