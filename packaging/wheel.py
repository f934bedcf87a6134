"""wheel.py NEREUS SHARE LICENSE FOLDER: a wheel with the static command NEREUS and the manual pages and completion of SHARE; prints its path."""
import platform
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src/python"))
import wheel_file

program, share, licence, folder = map(Path, sys.argv[1:])
version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
name = f"nereus-{version}"
files = {f"{name}.data/scripts/nereus": program.read_bytes(), f"{name}.dist-info/LICENSE": licence.read_bytes()}
for part in ("man/man1", "bash-completion/completions", "zsh/site-functions", "fish/vendor_completions.d"):
    for path in sorted((share / part).glob("*nereus*")):
        files[f"{name}.data/data/share/{part}/{path.name}"] = path.read_bytes()
metadata = ["License: GPL-3.0-or-later", "Summary: Predicts what a resize costs a malleable MPI program"]
print(wheel_file.write(folder, name, f"py3-none-linux_{platform.machine()}", metadata, files))
