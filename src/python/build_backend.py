"""How pip makes the wheel of the module nereus (PEP 517), without a network and a compiler."""

import re
from pathlib import Path

import wheel_file

HERE = Path(__file__).resolve().parent


def _version():
    """Of the project; where Nereus is installed, of the file VERSION beside this one."""
    installed = HERE / "VERSION"
    if installed.exists():
        return installed.read_text().strip()
    project = (HERE.parent.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(nereus VERSION ([0-9.]+)", project).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"nereus/{path.name}": path.read_bytes()
             for path in sorted((HERE / "nereus").glob("*.py"))}
    metadata = ["License: BSD-3-Clause", "Requires-Python: >=3.9", "Requires-Dist: mpi4py>=4",
                "Requires-Dist: numpy",
                "Summary: Changes the number of MPI processes of a Python program while it runs"]
    return wheel_file.write(wheel_directory, f"nereus_python-{_version()}", "py3-none-any",
                            metadata, files).name


def get_requires_for_build_wheel(config_settings=None):
    return []
