"""Errors of the job, as exceptions."""


class NereusError(RuntimeError):
    """A call of libnereus has failed; the text is its sentence, `status` its short name."""

    def __init__(self, sentence, status="state"):
        super().__init__(sentence)
        self.status = status


class StaleView(NereusError):
    """A view of a local part was used after a resize had replaced that part."""
