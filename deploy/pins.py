"""Writes the requirements files beside it: exact versions, and a hash for every wheel that may be installed.

Call it with ``make pins``. It asks ordinary pip, once for every kind of machine we support, which wheels
pip would install there, makes sure that all of them get the same versions, and writes the hashes that pip
reports. It writes no address of any index, so that the files work with whatever index a person's pip uses.

pip judges environment markers (``; python_version < "3.12"``) for the Python it runs on, not for the one that
it was asked about. Therefore the markers are judged here once more, for each kind of machine, and what pip
left out is asked for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

HERE = Path(__file__).resolve().parent
PYPROJECT = HERE.parent / "pyproject.toml"

PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("x86_64", "aarch64")

# Of several wheels of one version, the first of these that exists is pinned: built for the C library of
# Debian 10 or older where there is such a wheel, otherwise up to that of Debian 12. pip then takes the
# pinned wheel on a newer system too, because it leaves aside files whose hash is not listed.
GLIBC_MINORS = (*range(28, 16, -1), *range(29, 37))
OLD_NAMES = ("manylinux2014", "manylinux2010", "manylinux1")

# Settings of pip's that say how to reach an index. Everything else that a person has set for pip is left out,
# so that a folder of wheels or a constraint of one machine cannot slip into the pins.
KEPT_SETTINGS = (
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_INDEX_URL",
    "PIP_PROXY",
    "PIP_TRUSTED_HOST",
)


@dataclass(frozen=True)
class Target:
    """A kind of machine that the pins must serve."""

    python: str
    machine: str

    def __str__(self) -> str:
        return f"Python {self.python} on Linux {self.machine}"

    @property
    def platforms(self) -> list[str]:
        """The platform tags that pip may choose from, the preferred ones first."""
        new = [f"manylinux_2_{minor}" for minor in GLIBC_MINORS]
        return [f"{name}_{self.machine}" for name in (*new, *OLD_NAMES)]

    @property
    def environment(self) -> dict[str, str]:
        """What environment markers are judged by on this machine."""
        return {
            "implementation_name": "cpython",
            "implementation_version": f"{self.python}.0",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_system": "Linux",
            "platform_version": "",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
        }


TARGETS = [Target(python, machine) for python in PYTHONS for machine in MACHINES]


@dataclass
class Package:
    """One version of a distribution: what it needs, and the hashes of its wheels."""

    name: str
    version: str
    requires: list[Requirement]
    hashes: set[str] = field(default_factory=set)


def wanted(project: dict[str, object]) -> dict[str, list[Requirement]]:
    """What each requirements file starts from, as pyproject.toml says it."""
    table = project["project"]
    groups = project["dependency-groups"]
    build = project["build-system"]
    assert isinstance(table, dict)
    assert isinstance(groups, dict)
    assert isinstance(build, dict)
    starts = {
        "requirements.txt": table["dependencies"],
        "requirements-dev.txt": [*build["requires"], *groups["dev"]],
        "requirements-bench.txt": table["optional-dependencies"]["bench"],
        "requirements-pi.txt": groups["pi"],
    }
    return {name: [Requirement(line) for line in lines] for name, lines in starts.items()}


def ask_pip(target: Target, requirements: Iterable[str], versions: dict[str, str]) -> list[Package]:
    """The wheels that pip would install on ``target``, given the ``versions`` that are already settled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    kept |= {name: os.environ[name] for name in KEPT_SETTINGS if name in os.environ}
    kept["PIP_CONFIG_FILE"] = os.devnull
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder, "constraints.txt")
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in sorted(versions.items())))
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
        command += ["--disable-pip-version-check", "--only-binary", ":all:"]
        command += ["--python-version", target.python, "--target", str(Path(folder, "nowhere"))]
        command += ["--report", str(report), "--constraint", str(constraints)]
        for platform in target.platforms:
            command += ["--platform", platform]
        if subprocess.run([*command, *requirements], env=kept, check=False).returncode:
            sys.exit(
                f"pins: pip finds no set of wheels for {target} (its message stands above). "
                "The versions were settled for the machines named before it; "
                "give the package an upper limit in pyproject.toml that all of them can meet."
            )
        found = json.loads(report.read_text())["install"]
    packages = []
    for item in found:
        metadata = item["metadata"]
        package = Package(
            name=canonicalize_name(metadata["name"]),
            version=metadata["version"],
            requires=[Requirement(line) for line in metadata.get("requires_dist", [])],
        )
        package.hashes.add(item["download_info"]["archive_info"]["hashes"]["sha256"])
        packages.append(package)
    return packages


def applies(requirement: Requirement, target: Target, extras: Iterable[str]) -> bool:
    """Whether ``requirement`` counts on ``target``, for a package that was asked for with ``extras``."""
    marker = requirement.marker
    if marker is None:
        return True
    return any(marker.evaluate({**target.environment, "extra": extra}) for extra in (*extras, ""))


def closure(
    starts: Iterable[Requirement], target: Target, packages: dict[str, Package]
) -> Iterator[Requirement]:
    """All that ``starts`` need on ``target``, and they themselves, whether or not among ``packages``."""
    waiting = [requirement for requirement in starts if applies(requirement, target, ())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        yield requirement
        key = (name, frozenset(requirement.extras))
        if key in seen or name not in packages:
            continue
        seen.add(key)
        waiting += [need for need in packages[name].requires if applies(need, target, requirement.extras)]


def settle(starts: list[Requirement]) -> dict[str, Package]:
    """One version of everything that ``starts`` need, with the hashes of its wheels for all targets."""
    asked = {str(requirement) for requirement in starts}
    while True:
        packages: dict[str, Package] = {}
        for target in TARGETS:
            print(f"pins: {target}", flush=True)
            settled = {name: package.version for name, package in packages.items()}
            for package in ask_pip(target, sorted(asked), settled):
                packages.setdefault(package.name, package).hashes.update(package.hashes)
        missing = {
            f"{requirement.name}{requirement.specifier}"
            for target in TARGETS
            for requirement in closure(starts, target, packages)
            if canonicalize_name(requirement.name) not in packages
        }
        if not missing:
            return packages
        print(f"pins: once more, with what other machines need: {', '.join(sorted(missing))}", flush=True)
        asked |= missing


def write(path: Path, purpose: str, packages: Iterable[Package]) -> None:
    """Writes one requirements file."""
    lines = [
        f"# {purpose}",
        "# Written by `make pins` from pyproject.toml; do not edit by hand. For Linux on x86_64 and aarch64,",
        "# Python 3.11 to 3.13. Only wheels are taken: set-up compiles nothing and runs no package's code.",
        "--only-binary :all:",
    ]
    for package in sorted(packages, key=lambda package: package.name):
        hashes = [f"    --hash=sha256:{digest}" for digest in sorted(package.hashes)]
        lines.append(" \\\n".join([f"{package.name}=={package.version}", *hashes]))
    path.write_text("\n".join(lines) + "\n")
    print(f"pins: wrote {path.relative_to(PYPROJECT.parent)}")


PURPOSES = {
    "requirements.txt": "What Stationmaster runs with.",
    "requirements-dev.txt": "What Stationmaster is built and checked with, beside requirements.txt.",
    "requirements-bench.txt": "The peers that the benches measure against, beside requirements.txt.",
    "requirements-pi.txt": "What picamera2 needs built for our NumPy, beside requirements.txt.",
}


def main() -> None:
    """Settles the versions anew, newest first, and writes all files."""
    starts = wanted(tomllib.loads(PYPROJECT.read_text()))
    packages = settle([requirement for requirements in starts.values() for requirement in requirements])
    runtime: set[NormalizedName] = set()
    for file, requirements in starts.items():
        names = {
            canonicalize_name(requirement.name)
            for target in TARGETS
            for requirement in closure(requirements, target, packages)
        } - runtime
        if file == "requirements.txt":
            runtime = names
        write(HERE / file, PURPOSES[file], [packages[name] for name in names])


if __name__ == "__main__":
    main()
