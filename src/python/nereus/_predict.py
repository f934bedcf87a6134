"""The predictor, by the command `nereus predict`.

The command and not libnereus-model: it finds the profile of this machine and knows the defaults,
and its JSON is a documented format, while the structs of the library have no size member by which
a module of another version could be told."""

import json
import os
import shutil
import subprocess

from .errors import NereusError


def _command():
    """Beside libnereus where it is known, else on PATH."""
    library = os.environ.get("NEREUS_LIBRARY", "")
    beside = os.path.join(os.path.dirname(library), "..", "bin", "nereus")
    command = beside if library and os.access(beside, os.X_OK) else shutil.which("nereus")
    if command is None:
        raise NereusError("the command nereus was not found: put the folder bin of Nereus on PATH",
                          "io")
    return command


def _option(name, value):
    """--name=value, as the command has it: True alone, lists with commas."""
    word = "--" + name.replace("_", "-")
    if value is True:
        return [word]
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    return [] if value is None or value is False else [f"{word}={value}"]


def predict(ns, nt, **options):
    """What a change from ns to nt processes costs: the answer of `nereus predict` as a dictionary.

    options: those of the command, with _ for -, as methods=["merge", "baseline"], t_iter="0.2s",
    bytes_variable="1GB", profile="FILE.json". The key "predictions" has a dictionary for each
    method, best first; "best" names the best one. Needs no MPI."""
    if options.get("output") or options.get("format"):
        raise TypeError("nereus.predict takes no output and no format")
    words = [word for name, value in {"ns": ns, "nt": nt, **options}.items()
             for word in _option(name, value)]
    answer = subprocess.run([_command(), "predict", "--format=json", *words], text=True,
                            stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if answer.returncode != 0:
        sentence = answer.stderr.strip().splitlines() or [f"status {answer.returncode}"]
        raise NereusError(sentence[0], "argument" if answer.returncode == 2 else "failed")
    return json.loads(answer.stdout)
