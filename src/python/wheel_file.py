"""Writes a wheel: the same bytes from the same files, with nothing but Python itself."""

import base64
import hashlib
import zipfile
from pathlib import Path


def write(folder, distribution, tag, metadata, files):
    """distribution: NAME-VERSION; metadata: lines; files: {name in the wheel: bytes}.

    Programs are in a folder `scripts`. Returns the file."""
    name, version = distribution.rsplit("-", 1)
    pure = "true" if tag.endswith("-any") else "false"
    information = f"{distribution}.dist-info"
    files = dict(files)
    files[f"{information}/METADATA"] = "\n".join(
        ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *metadata, ""]).encode()
    files[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: nereus\nRoot-Is-Purelib: {pure}\nTag: {tag}\n").encode()
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    wheel = Path(folder) / f"{distribution}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
