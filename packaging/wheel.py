"""wheel.py NEREUS SHARE LICENSE FOLDER: a wheel with the static command NEREUS and the manual pages and completion of SHARE; prints its path."""
import base64
import hashlib
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

program, share, licence, folder = map(Path, sys.argv[1:])
version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
name = f"nereus-{version}"
tag = f"py3-none-linux_{platform.machine()}"
files = {
    f"{name}.data/scripts/nereus": program.read_bytes(),
    f"{name}.dist-info/LICENSE": licence.read_bytes(),
    f"{name}.dist-info/METADATA": (
        f"Metadata-Version: 2.1\nName: nereus\nVersion: {version}\nLicense: GPL-3.0-or-later\n"
        "Summary: Predicts what a change of size costs a malleable MPI program\n"
    ).encode(),
    f"{name}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: nereus\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
}
for part in ("man/man1", "bash-completion/completions", "zsh/site-functions", "fish/vendor_completions.d"):
    for path in sorted((share / part).glob("*nereus*")):
        files[f"{name}.data/data/share/{part}/{path.name}"] = path.read_bytes()
record = "".join(
    f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
    for path, data in files.items()
)
files[f"{name}.dist-info/RECORD"] = (record + f"{name}.dist-info/RECORD,,\n").encode()
wheel = folder / f"{name}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for path, data in files.items():
        entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same bytes from the same files
        entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
print(wheel)
