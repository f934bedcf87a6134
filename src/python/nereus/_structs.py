"""The structs of nereus.h. Each but the nested ones begins with its size, so that a library with
a longer struct takes its defaults for what is missing here."""

from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int64
from ctypes import c_size_t, c_void_p, sizeof

JOB_CALLBACK = CFUNCTYPE(None, c_void_p, c_void_p)
BYTES = CFUNCTYPE(c_int64, c_void_p, c_int64, c_int64)
PACK = CFUNCTYPE(None, c_void_p, c_int64, c_int64, c_void_p, c_int64)
RESIZE = CFUNCTYPE(None, c_void_p, c_int64, c_int64)
UNPACK = CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_void_p, c_int64)
WEIGH = CFUNCTYPE(c_int64, c_void_p, c_int64, c_int64, POINTER(c_int64))


class Sized(Structure):
    """A struct whose first member is its size."""

    def __init__(self, **values):
        super().__init__(size=sizeof(self), **values)


class Resize(Structure):
    _fields_ = [("point", c_int64), ("nt", c_int64), ("method", c_char_p)]


class Options(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("schedule", POINTER(Resize)),
        ("schedule_count", c_int64),
        ("program", c_char_p),
        ("environment", POINTER(c_char_p)),
        ("hostfile", c_char_p),
        ("slots", c_int64),
        ("trace", c_char_p),
        ("state", c_char_p),
        ("user_state", c_char_p),
        ("user_state_bytes", c_size_t),
        ("before", JOB_CALLBACK),
        ("after", JOB_CALLBACK),
        ("user", c_void_p),
        ("spawn_timeout_s", c_double),
        ("bind", c_char_p),
        ("connect", c_char_p),
        ("batch", c_int64),
        ("test_every", c_int64),
        ("answer_timeout_s", c_double),
        ("imbalance", c_double),
        ("mover", c_void_p),
        ("cores_per_process", c_int64),
        ("goal", c_char_p),
        ("iterations", c_int64),
        ("scaling", c_char_p),
        ("profile", c_char_p),
        ("policy", c_char_p),
        ("decide", c_void_p),
        ("checkpoint", c_char_p),
        ("checkpoint_every_s", c_double),
        ("node_power_w", c_double),
        ("idle_power_w", c_double),
        ("resize_power_w", c_double),
    ]


class Custom(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("bytes", BYTES),
        ("pack", PACK),
        ("resize", RESIZE),
        ("unpack", UNPACK),
        ("user", c_void_p),
    ]


class BalanceOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("threshold", c_double),
        ("compute_s", c_double),
        ("method", c_char_p),
    ]


class Sparse(Structure):
    _fields_ = [
        ("first", c_int64),
        ("count", c_int64),
        ("first_nonzero", c_int64),
        ("nonzeros", c_int64),
        ("pointers", c_void_p),
        ("indices", c_void_p),
        ("values", c_void_p),
    ]


class Range(Structure):
    _fields_ = [("first", c_int64), ("count", c_int64)]


class Sizes(Structure):
    _fields_ = [
        ("minimum", c_int64),
        ("maximum", c_int64),
        ("multiple_of", c_int64),
        ("powers_of_two", c_bool),
    ]


DIMENSIONS = 4  # NEREUS_GRID_DIMENSIONS


class Grid(Structure):
    _fields_ = [("dimensions", c_int64)] + [
        (name, c_int64 * DIMENSIONS)
        for name in ("n", "halo", "periodic", "block", "fixed", "processes")]


class Box(Structure):
    _fields_ = [
        ("dimensions", c_int),
        ("first", c_int64 * DIMENSIONS),
        ("count", c_int64 * DIMENSIONS),
        ("stride", c_int64 * DIMENSIONS),
        ("values", c_void_p),
        ("grid", Grid),
        ("coordinates", c_int64 * DIMENSIONS),
    ]
