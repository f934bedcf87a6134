# Not tried: there is no Spack where Nereus' tests run. Written by the documentation of Spack 0.23
# (CMakePackage).
#     spack repo add packaging/spack && spack install nereus
import os

from spack.package import *


class Nereus(CMakePackage):
    """Makes MPI programs malleable, and predicts what a change of the number of processes costs."""

    homepage = "file:///path/to/nereus"
    git = "file:///path/to/nereus"

    # what links gsl or glpk is GPL-3.0-or-later as a whole: LICENSE
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="Build the runtime; without it the command and the model only")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl")
    depends_on("jansson")
    depends_on("glpk")
    depends_on("cairo+svg+pdf")
    depends_on("zlib-api")
    depends_on("hwloc", when="+mpi")
    depends_on("mpich@4.1:", when="+mpi")  # an MPI that can spawn; src/mpi/find-mpi tries it

    generator("ninja")

    def setup_build_environment(self, env):
        # find-mpi takes this one if it can spawn. An MPI that cannot would make it try PyPI, which
        # a build must not do.
        if self.spec.satisfies("+mpi"):
            env.set("MPI_HOME", self.spec["mpi"].prefix)
            env.set("PIP_NO_INDEX", "1")

    def cmake_args(self):
        return [
            self.define_from_variant("NEREUS_MPI", "mpi"),
            self.define("NEREUS_TESTS", False),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
            # where find-mpi keeps its answer
            self.define("NEREUS_MPI_FOLDER", os.path.join(self.build_directory, "mpi")),
        ]
