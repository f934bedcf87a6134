"""Small values that are the same in every process: numbers, texts and small numpy arrays."""

from collections.abc import MutableMapping

import numpy as np

from .errors import NereusError

TEXT_LENGTH = 64


def _field(name, value):
    """Type and shape of a value. They are fixed, as Nereus keeps the memory."""
    if isinstance(value, str):
        return f"U{max(TEXT_LENGTH, len(value))}", ()
    array = np.asarray(value)
    if array.dtype.hasobject or array.dtype.kind not in "biufcSU":
        raise NereusError(f"'{name}' is of type {type(value).__name__}: replicated values are"
                          " numbers, texts or arrays of them", "argument")
    return array.dtype, array.shape


class Replicated(MutableMapping):
    """A dictionary with fixed keys, and with attributes of the same names: values["n"], values.n.

    Each process changes it alike."""

    def __init__(self, values):
        fields = [(name, *_field(name, value)) for name, value in values.items()]
        object.__setattr__(self, "_memory", np.zeros((), np.dtype(fields)))
        for name, value in values.items():
            self[name] = value

    def __getitem__(self, name):
        if name not in self._memory.dtype.fields:
            raise KeyError(name)
        value = self._memory[name]
        return value if value.shape else value.item()

    def __setitem__(self, name, value):
        if name not in self._memory.dtype.fields:
            raise KeyError(f"{name}: the names of replicated values are fixed"
                           f" ({', '.join(self)})")
        field = self._memory[name]
        if field.dtype.kind in "SU" and np.asarray(value).dtype.itemsize > field.dtype.itemsize:
            size = field.dtype.itemsize // np.dtype(field.dtype.kind + "1").itemsize
            raise ValueError(f"'{name}' has room for {size} characters")
        try:
            np.copyto(field, value, casting="same_kind")
        except (TypeError, ValueError) as error:
            raise type(error)(f"'{name}' keeps the type {field.dtype} and the shape {field.shape}"
                              f" of its first value: {error}") from None

    def __delitem__(self, name):
        raise TypeError("the names of replicated values are fixed")

    def __iter__(self):
        return iter(self._memory.dtype.names)

    def __len__(self):
        return len(self._memory.dtype.names)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __repr__(self):
        return f"Replicated({dict(self)})"
