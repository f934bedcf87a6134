"""The arguments of nereus.init as struct nereus_options."""

import difflib
import os
import pickle
from ctypes import c_char_p

from . import _structs

# What init takes itself, and what only C can give.
_OWN = {"size", "schedule", "schedule_count", "environment", "user_state", "user_state_bytes",
        "before", "after", "user", "mover", "decide"}
NAMES = [name for name, _ in _structs.Options._fields_ if name not in _OWN]


def _resize(point, size, method=None):
    return _structs.Resize(point, size, method.encode() if method else None)


def read_schedule(schedule):
    """Pairs (point, size) or triples (point, size, method), or a text as "4@10,2@20:merge/p2p"."""
    if isinstance(schedule, str):
        changes = []
        for word in filter(None, schedule.split(",")):
            change, _, method = word.partition(":")
            size, _, point = change.partition("@")
            if not (size.isdigit() and point.isdigit()):
                raise ValueError(f"'{word}' is no resize: SIZE@POINT or SIZE@POINT:METHOD,"
                                 " separated by commas, is expected")
            changes.append((int(point), int(size), method or None))
        schedule = changes
    schedule = [] if schedule is None else list(schedule)
    if not all(isinstance(change, (tuple, list)) and len(change) in (2, 3) for change in schedule):
        raise ValueError(f"the schedule {schedule!r} is no list of changes: (point, size) or"
                         " (point, size, method) is expected for each")
    return [_resize(*change) for change in schedule]


def make(given, schedule, environment, user_state, callbacks):
    """The struct; it keeps what it points to. callbacks: before and after, for ctypes."""
    for name in given:
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 1)
            raise TypeError(f"nereus.init has no option '{name}'"
                            + (f"; do you mean '{near[0]}'?" if near else ""))
    texts = {name for name, kind in _structs.Options._fields_ if kind is c_char_p}
    values = {name: os.fsencode(value) if name in texts else value
              for name, value in given.items() if value is not None}
    changes = read_schedule(schedule)
    state = pickle.dumps(user_state)
    names = [name.encode() for name in environment]
    return _structs.Options(
        schedule=(_structs.Resize * len(changes))(*changes), schedule_count=len(changes),
        environment=(c_char_p * (len(names) + 1))(*names), user_state=state,
        user_state_bytes=len(state), before=callbacks[0], after=callbacks[1], **values)
