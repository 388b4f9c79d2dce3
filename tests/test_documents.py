"""What the documents say is so: settings, links, commands, and the form of decision records."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import SETTINGS, Settings
from wintercount.cli.main import PLACES
from wintercount.installation_check import PACKAGES

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/decisions/*.md")])
FOLDERS = "benchmarks events games projections rulings service tests tools wintercount worker"
DECISIONS = ROOT / "docs" / "decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))

by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
by_guide = pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent != DECISIONS], ids=lambda page: page.name
)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def python_packages() -> Iterator[Path]:
    """The `__init__.py` of every package of the tree, as paths within it."""
    for folder in FOLDERS.split():
        yield from (path.relative_to(ROOT) for path in (ROOT / folder).rglob("__init__.py"))


def default_of(field: str) -> str:
    """A default as the page has it: – for none, `cores` in what depends on the machine."""
    value = getattr(Settings(), field)
    return (
        {"workers": "cores", "web_processes": "cores, at most 4"}[field]
        if field in ("workers", "web_processes")
        else "–"
        if value in (None, "") or value is False
        else str(value).removesuffix(".0")
    )


def test_the_page_of_settings_is_that_of_the_code() -> None:
    """Every variable in order, with its default and its meaning."""
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", text_of(ROOT / "docs" / "settings.md"), re.M)
    assert rows == [(one.variable, default_of(one.field), one.meaning) for one in SETTINGS]


def told_of_pages(path: Path) -> Iterator[str]:
    """The texts in a module that name a page of `docs`: all but what its own first lines say."""
    tree = ast.parse(text_of(path))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    first = ast.get_docstring(tree, clean=False)
    yield from (text for text in texts if text != first and re.search(r"\bdocs/[\w-]+\.md", text))


def test_nobody_is_told_to_read_what_is_not_installed() -> None:
    """Messages, help and descriptions of the API say it themselves: a package comes without `docs`."""
    modules = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    assert {str(path.relative_to(ROOT)): told for path in modules if (told := list(told_of_pages(path)))} == {}
    for name in ("openapi.yaml", "openapi-operations.yaml", "asyncapi.yaml"):
        assert re.findall(r"\bdocs/[\w-]+\.md", text_of(ROOT / name)) == [], name


@by_page
def test_a_link_leads_somewhere(page: Path) -> None:
    """To a file of the tree, and to a heading that it has; `/docs/reference` is an address of the service."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not target.startswith(("https://", "http://", "/docs/")):
            path, _, anchor = target.partition("#")
            found = (page.parent / path).resolve() if path else page
            assert found.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in anchors(found), f"{page.name}: {target}"


@by_guide
def test_a_command_exists(page: Path) -> None:
    """Every `make …` and `wintercount …` in code; a decision record may name one that was removed since."""
    code = " \n".join(
        re.findall(r"`([^`\n]+)`", text_of(page)) + re.findall(r"^```\w*\n(.*?)^```", text_of(page), re.M | re.S)
    )
    targets = set(re.findall(r"^([a-z][a-z-]*):", text_of(ROOT / "Makefile"), re.M))
    assert set(re.findall(r"(?:^|\n)make ([a-z][a-z-]*)", code)) <= targets
    assert set(re.findall(r"(?:^|\n)wintercount ([a-z][a-z-]*)", code)) <= PLACES.keys()


def test_decision_records_are_listed() -> None:
    numbers = [record.name[:4] for record in RECORDS]
    assert len(set(numbers)) == len(numbers)
    assert re.findall(r"^- \[\d{4}\]\((.+?)\)", text_of(DECISIONS / "README.md"), re.M) == [r.name for r in RECORDS]


def test_controls_of_the_threat_model_name_their_tests() -> None:
    named = re.findall(r"`(tests/[^`]+)`", text_of(ROOT / "docs" / "threat-model.md"))
    assert named
    assert not [place for place in named if not (ROOT / place).exists()]


def test_the_files_that_the_architecture_names_exist() -> None:
    named = re.findall(r"`([a-z_]+/[a-z_/]*(?:\.\w+)?)`", text_of(ROOT / "ARCHITECTURE.md"))
    assert named
    assert not [place for place in named if not (ROOT / place).exists()]


@pytest.mark.parametrize("package", sorted(path.parent for path in python_packages()), ids=str)
def test_a_package_says_what_belongs_in_it(package: Path) -> None:
    assert ast.get_docstring(ast.parse(text_of(ROOT / package / "__init__.py")))
