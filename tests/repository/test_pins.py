"""The requirements files are complete, hashed, and free of addresses."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.pins import PURPOSES, TARGETS, Package, Target, applies, closure, wanted

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned(file: str) -> dict[str, tuple[str, list[str]]]:
    """Name to version and hashes, as the requirements file says them."""
    text = (DEPLOY / file).read_text().replace("\\\n", " ")
    found: dict[str, tuple[str, list[str]]] = {}
    for line in text.splitlines():
        if not line or line.startswith(("#", "--")):
            continue
        match = re.fullmatch(r"([a-z0-9.-]+)==(\S+)((?: +--hash=sha256:[0-9a-f]{64})*)", line.rstrip())
        assert match, f"{file}: not NAME==VERSION --hash=...: {line}"
        name = canonicalize_name(match[1])
        assert name not in found, f"{file} names {name} twice"
        found[name] = (match[2], re.findall(r"sha256:([0-9a-f]{64})", match[3]))
    return found


@pytest.mark.parametrize("file", PURPOSES)
def test_every_requirement_has_a_hash_and_no_hash_stands_twice(file: str) -> None:
    packages = pinned(file)
    assert packages
    assert [name for name, (_, hashes) in packages.items() if not hashes] == []
    every = [digest for _, hashes in packages.values() for digest in hashes]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("file", PURPOSES)
def test_no_address_and_no_option_but_wheels_only(file: str) -> None:
    text = (DEPLOY / file).read_text()
    assert "://" not in text
    assert "@" not in text
    assert [line for line in text.splitlines() if line.startswith("-")] == ["--only-binary :all:"]


@pytest.mark.parametrize(("file", "requirements"), wanted(PROJECT).items())
def test_what_pyproject_asks_for_is_pinned_in_a_version_that_it_allows(
    file: str, requirements: list[Requirement]
) -> None:
    packages = pinned("requirements.txt") | pinned(file)
    for requirement in requirements:
        name = canonicalize_name(requirement.name)
        assert name in packages, f"{name} is in pyproject.toml and not in {file}; call `make pins`"
        assert requirement.specifier.contains(packages[name][0]), f"{file} has {name}=={packages[name][0]}"


def test_no_file_contradicts_another() -> None:
    versions: dict[str, set[str]] = {}
    for file in PURPOSES:
        for name, (pin, _) in pinned(file).items():
            versions.setdefault(name, set()).add(pin)
    assert {name: pins for name, pins in versions.items() if len(pins) > 1} == {}


def test_the_packages_installed_here_are_the_pinned_ones_and_need_nothing_else() -> None:
    packages = pinned("requirements.txt") | pinned("requirements-dev.txt")
    here: dict[str, Package] = {}
    for name, (pin, _) in packages.items():
        assert version(name) == pin, f"{name}: call `make setup`"
        needs = [Requirement(line) for line in distribution(name).requires or ()]
        here[name] = Package(name, pin, needs)
    starts = [Requirement(name) for name in packages]
    for target in TARGETS:
        missing = {
            need.name for need in closure(starts, target, here) if canonicalize_name(need.name) not in here
        }
        assert missing == set(), f"not pinned, but needed for {target}"


def test_the_project_says_what_it_needs_as_pyproject_does() -> None:
    try:
        needs = distribution("stationmaster").requires or []
    except PackageNotFoundError:
        pytest.fail("stationmaster is not installed; call `make setup`")
    said = {Requirement(line).name for line in needs if "extra ==" not in line}
    assert said == {Requirement(line).name for line in PROJECT["project"]["dependencies"]}


ARM_312 = Target("3.12", "aarch64")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a", True),
        ("a; python_version < '3.13'", True),
        ("a; python_version < '3.12'", False),
        ("a; platform_machine == 'x86_64'", False),
        ("a; sys_platform == 'win32'", False),
        ("a; extra == 'more'", False),
    ],
)
def test_markers_are_judged_for_the_machine_asked_about(line: str, expected: bool) -> None:
    assert applies(Requirement(line), ARM_312, ()) is expected


def test_an_extra_brings_what_it_names() -> None:
    needs = [Requirement("b; extra == 'more'"), Requirement("c; python_version >= '3.13'")]
    packages = {"a": Package("a", "1", needs)}
    plain = {need.name for need in closure([Requirement("a")], ARM_312, packages)}
    more = {need.name for need in closure([Requirement("a[more]")], ARM_312, packages)}
    assert (plain, more) == ({"a"}, {"a", "b"})


def test_the_preferred_wheel_is_the_one_that_old_systems_can_load() -> None:
    platforms = ARM_312.platforms
    assert platforms[0] == "manylinux_2_28_aarch64"
    assert platforms.index("manylinux2014_aarch64") > platforms.index("manylinux_2_17_aarch64")
    assert {platform.rsplit("_", 1)[-1] for platform in platforms} == {"aarch64"}
