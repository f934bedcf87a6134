"""Nereus for Python: changes the number of MPI processes of a program while it runs.

Import it before mpi4py. The page docs/languages.md says how a program uses it."""

from . import _library  # noqa: F401  loads libnereus before mpi4py loads an MPI
from ._job import Job, init
from ._predict import predict
from .errors import NereusError, StaleView

__all__ = ["Job", "NereusError", "StaleView", "init", "predict"]
