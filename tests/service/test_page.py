"""The page's files: how they are served, and what may not be in them."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from games import GAMES
from games.big_manitou import components as big_manitou
from games.manitou import components as manitou
from games.plenty_coups import components as plenty_coups
from games.tomahawk import components as tomahawk
from service.page import ASSETS, BUNDLE, DIGEST, FOLDER, SHELL, TYPES, assets, warn_of_old_bundle
from wintercount.processes.services import create_app

MODULES = {
    name: asset.content.decode()
    for name, asset in ASSETS.items()
    if name.endswith(".js") and not name.startswith(BUNDLE)
}


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    """A client of an app without a store: the page needs none."""
    with create_app().test_client() as found:
        yield found


def test_the_page_is_served_at_the_root(client: FlaskClient) -> None:
    """With a policy that runs nothing but its own modules."""
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.content_type == TYPES["html"]
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", sorted(ASSETS))
def test_every_file_has_its_type_and_is_kept_by_browsers(client: FlaskClient, name: str) -> None:
    """Asked again with its ETag it is not sent again."""
    answer = client.get(f"/page/{name}")
    assert answer.content_type == TYPES[name.rpartition(".")[2]]
    again = client.get(f"/page/{name}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_files_are_compressed_for_those_who_can_read_that(client: FlaskClient) -> None:
    """The same bytes in fewer, under their own tag; without Accept-Encoding they come uncompressed."""
    plain = client.get("/page/js/state/composer.js")
    squeezed = client.get("/page/js/state/composer.js", headers={"Accept-Encoding": "gzip, br"})
    refused = client.get("/page/js/state/composer.js", headers={"Accept-Encoding": "gzip;q=0"})
    assert [one.headers.get("Content-Encoding") for one in (plain, squeezed, refused)] == [None, "gzip", None]
    assert gzip.decompress(squeezed.data) == plain.data == refused.data
    assert len(squeezed.data) < len(plain.data) / 2
    assert squeezed.headers["ETag"] != plain.headers["ETag"]
    assert {answer.headers["Vary"] for answer in (plain, squeezed)} == {"Accept-Encoding"}
    known = {"Accept-Encoding": "gzip", "If-None-Match": squeezed.headers["ETag"]}
    assert client.get("/page/js/state/composer.js", headers=known).status_code == 304


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page without a bundle."""
    (tmp_path / "static").symlink_to(FOLDER / "static")
    return tmp_path


def write_bundle(folder: Path, of: str) -> None:
    """A bundle of sources with that digest."""
    made = folder / "bundled"
    (made / "bundle").mkdir(parents=True)
    (made / "bundle" / "main-A1.js").write_text("start();\n", encoding="utf-8")
    (made / "bundle" / "main-A1.js.br").write_bytes(b"shorter")
    (made / "words" / "i18n").mkdir(parents=True)
    (made / "words" / "i18n" / "en.json.br").write_bytes(b"fewer")
    (made / SHELL).write_text("the bundled page", encoding="utf-8")
    (made / DIGEST).write_text(f"{of}\n", encoding="ascii")


def test_a_bundle_of_other_sources_is_not_served(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A module was changed after the bundle was made: the page is served module by module, and the log says so."""
    write_bundle(folder, "0" * 64)
    found = assets(folder)
    assert found[SHELL].content != b"the bundled page"
    warn_of_old_bundle(folder, found)
    assert "make bundle" in caplog.text


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("/rules/manitou", "/#/rules/manitou"),
        ("/rulings/tomahawk", "/#/rulings/tomahawk"),
        ("/rules/%2F%2Fevil.example", None),
        ("/rules/a%3Fb%23c", "/#/rules/a%3Fb%23c"),
    ],
)
def test_rules_have_an_address_that_one_can_tell(client: FlaskClient, address: str, leads: str | None) -> None:
    """It leads to the page's own, and never anywhere else."""
    answer = client.get(address)
    assert (answer.status_code, answer.headers.get("Location")) == ((302, leads) if leads else (404, None))


@pytest.mark.parametrize("name", ["nothing.js", "../__init__.py", "js/../../__init__.py"])
def test_nothing_else_is_served(client: FlaskClient, name: str) -> None:
    """Files are looked up by name, never on the disk."""
    assert client.get(f"/page/{name}").status_code == 404


FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
CHROMIUM = FIREFOX.replace("*/*", "image/avif,image/webp,image/apng,*/*") + ",application/signed-exchange;v=b3;q=0.7"


@pytest.mark.parametrize("accept", [FIREFOX, CHROMIUM])
@pytest.mark.parametrize("path", ["/nothing", "/99999", "/page/nothing.html"])
@pytest.mark.parametrize(("language", "title"), [("en", "There is nothing here"), ("fr-FR", "Il n&#39;y a rien ici")])
def test_a_browser_that_finds_nothing_gets_a_page(
    client: FlaskClient, path: str, language: str, title: str, accept: str
) -> None:
    """With the page's policy and a link to the games; programs and API requests get a problem document."""
    browser = {"Accept": accept, "Accept-Language": language}
    answer = client.get(path, headers=browser)
    assert (answer.status_code, answer.content_type) == (404, TYPES["html"])
    assert f"<h1>{title}</h1>" in answer.text
    assert 'href="/"' in answer.text
    assert answer.headers["Content-Security-Policy"] == client.get("/").headers["Content-Security-Policy"]
    for other in (client.get(path), client.get("/v1/nothing", headers=browser)):
        assert (other.status_code, other.mimetype) == (404, "application/problem+json")


def test_all_is_shown_as_text() -> None:
    """No module of ours parses markup, evaluates text, or asks another address, nor has Preact do so."""
    parses = r"innerHTML|InnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    for name, source in MODULES.items():
        if "/vendor/" in name:
            continue
        assert not re.search(parses, source), name
        assert "https://" not in source, name
        assert re.findall(r"http://[^\"]*", source) in ([], ["http://www.w3.org/2000/svg"]), name


def test_both_languages_have_the_same_words() -> None:
    """Key by key, with the same values to fill in."""
    english, french = words("en"), words("fr")
    assert english.keys() == french.keys()
    for key, text in english.items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", french[key])), key


def words(language: str) -> dict[str, str]:
    """The words of the page, and of the views that few people ask for."""
    first, later = (json.loads(ASSETS[f"i18n/{name}{language}.json"].content) for name in ("", "later/"))
    assert not first.keys() & later.keys()
    return dict(first | later)


def test_every_word_that_is_asked_for_is_there() -> None:
    """`t("key")` names a key of the words, or the stem of singular and plural."""
    known = words("en")
    asked = {key for source in MODULES.values() for key in re.findall(r'\bt\("([^"]+)"', source)}
    assert {key for key in asked if key not in known and f"{key}.other" not in known} == set()


def test_every_kind_of_move_has_its_words() -> None:
    """A name; where something is to be chosen, a sentence that asks for it, why, a question for each of its parts."""
    known = words("en")
    asked = set()
    for game in GAMES.values():
        for move in game.moves:
            name, fields = move.__struct_config__.tag, move.__struct_encode_fields__
            asked |= {f"{stem}.{name}" for stem in (("move", "prompt", "why") if fields else ("move",))}
            asked |= {f"next.{field}" for field in fields if len(fields) > 1}
    assert {key for key in asked if key not in known and f"{key}.other" not in known} == set()


def test_every_card_has_a_drawing() -> None:
    """Those of all games, by kind and value; copies of a card have the same one."""
    kinds = {re.sub(r"(?<=\D)-\d$", "", card) for card in (*big_manitou.HEROES, *manitou.HERO_CARDS)}
    valued = {re.sub(r"(\d)-\d$", r"\1", card) for card in (*big_manitou.HUNTERS, *manitou.STRENGTH, *manitou.VALUE)}
    tiles = {f"tile-{kind.kind}-{kind.value}" if kind.value else f"tile-{kind.kind}" for kind in big_manitou.TILE_KINDS}
    army = tomahawk.BALANCED_1
    warriors = {f"warrior-{face.value}" for face in army.warriors} | {special.name for special in army.specials}
    locks = {face.hair for face in army.warriors} | {special.hair for special in army.specials}
    hair = {f"hair-{count}" for count in locks if count}
    raiders = {re.sub(r"warrior-\w+-", "raider-warrior-", card) for card in plenty_coups.COPIES}
    drawn = set(re.findall(r'id="art-([\w-]+)"', ASSETS["art.svg"].content.decode()))
    assert drawn == kinds | valued | tiles | warriors | hair | raiders | {"back", "hide-thief", "tipi"}
