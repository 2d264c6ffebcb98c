"""A team signs in with a real provider, in a real browser; what they may do depends on their role.

The provider runs on this machine (tests/oidc_provider.py). FAULTS 61 and 63.
"""

from __future__ import annotations

import http.client

import pytest

import curation
from curation.store import open_store
from devtools.serving import Server, find_port
from tests.browser.conftest import TIMEOUT_MS, settle
from tests.browser.watching import press, saved
from tests.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.pages.visiting import save

ANA, BEN, EVE, VIC = (f"{name}@example.org" for name in ("ana", "ben", "eve", "vic"))
COOKIE_SECRET = "the-secret-of-the-cookies-0123456789"


# A server whose clock a test can put forward, by the seconds in a file.
SHIFTED = """
import os, sys, time, types
from curation import roles
from curation.ui.server import oidc_sign_in
def now():
    try:
        return time.time() + float(open(os.environ["CLOCK_SHIFT"]).read())
    except OSError:
        return time.time()
roles.time = oidc_sign_in.time = types.SimpleNamespace(time=now)
from streamlit.web.cli import main
sys.argv = ["streamlit", *sys.argv[1:]]
main()
"""


class ShiftedServer(Server):
    launcher = ("-c", SHIFTED)


@pytest.fixture(scope="module")
def provider():
    with Provider(ANA, BEN, EVE, VIC) as started:
        yield started


@pytest.fixture(scope="module")
def team(provider, tmp_path_factory):
    """A server where ana is an admin, ben a curator, vic a viewer, and eve nobody."""
    folder = tmp_path_factory.mktemp("team")
    data = save(folder / "data")
    port, file = find_port(), folder / "access.toml"
    file.write_text(
        f'public_url = "http://localhost:{port}"\n'
        f'[oidc]\nclient_id = "{CLIENT_ID}"\nclient_secret = "{CLIENT_SECRET}"\n'
        f'server_metadata_url = "{provider.url}/.well-known/openid-configuration"\n'
        f'cookie_secret = "{COOKIE_SECRET}"\n'
        f'[roles]\nadmin = ["{ANA}"]\ncurator = ["{BEN}"]\nviewer = ["{VIC}"]\n'
        f'[folders]\nopen = ["{data}"]\nexport = ["{folder / "exports"}"]\n'
    )
    file.chmod(0o600)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "home"))
        patch.setenv("CLOCK_SHIFT", str(folder / "shift"))
        log = folder / "server.log"
        server = ShiftedServer(data, log, port=port, arguments=("--access", str(file)))
    server.data, server.folder = data, folder
    yield server
    server.stop()
    log = server.log.read_text()
    assert "Traceback" not in log
    assert CLIENT_SECRET not in log and COOKIE_SECRET not in log


@pytest.fixture
def sign_in(chromium, team):
    """Open a page as somebody who signs in on the way: `sign_in(BEN, "Review")`."""
    contexts = []

    def open_as(who, page="", **parameters):
        contexts.append(chromium.new_context(viewport={"width": 1440, "height": 900}))
        tab = contexts[-1].new_page()
        tab.set_default_timeout(TIMEOUT_MS)
        tab.goto(team.url(page, **parameters))
        tab.get_by_role("link", name="Sign in").click()
        tab.get_by_role("link", name=who).click()
        return tab

    yield open_as
    for context in contexts:
        context.close()


def open_menu(page):
    """Open what the sidebar says about the visitor."""
    page.locator(".st-key-curator button").click()


def test_decisions_bear_the_name_of_who_signed_in_whatever_a_link_or_a_cookie_says(sign_in, team):
    page = sign_in(BEN, "Review", method="confident_joint", curator=ANA)
    page.wait_for_selector(".stage[data-painted]")
    assert "/Review?" in page.url and "oauth2callback" not in page.url  # where the link led
    cookie = {"name": "curation_curator", "value": ANA, "url": team.url()}
    page.context.add_cookies([cookie])  # what another mode remembers a name with
    page.reload()
    page.wait_for_selector(".stage[data-painted]")
    page.keyboard.press("x")
    saved(page)
    with open_store(curation.load(team.data)) as store:
        assert {entry.curator for entry in store.log()} == {BEN}
    open_menu(page)
    page.get_by_text("with the role curator").wait_for()
    assert not page.get_by_label("Your name").is_visible()


def test_signing_out_ends_it_for_a_copy_of_the_cookie_too(sign_in, team):
    page = sign_in(ANA, "Noise")
    open_menu(page)
    cookies = page.context.cookies()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in to Curation").wait_for()
    page.context.add_cookies(cookies)
    page.goto(team.url("Noise"))
    page.get_by_role("heading", name="Sign in to Curation").wait_for()


def test_pages_say_which_role_something_needs(sign_in):
    page = sign_in(VIC, "Review")
    page.wait_for_selector(".stage[data-painted]")
    notice = page.locator(".alarm.calm")  # nothing is wrong
    notice.get_by_text("an admin may decide about labels; you are a viewer.").wait_for()
    notice.get_by_text("You can look here, but not decide.").wait_for()
    links = page.get_by_test_id("stSidebar")
    links.get_by_role("link", name="Export").click()
    page.get_by_text("a lead or an admin may write an export to a folder").wait_for()
    assert page.get_by_role("button", name="Download").first.is_enabled()
    links.get_by_role("link", name="Overlap").click()
    page.get_by_text("a lead or an admin may decide about classes").first.wait_for()
    assert page.get_by_role("button", name="They are distinct").is_disabled()
    links.get_by_role("link", name="Quality").click()
    page.get_by_role("button", name="Draw an audit").click()
    page.get_by_text("a lead or an admin may draw or close an audit").wait_for()


def test_who_has_no_role_sees_nothing(sign_in, team):
    page = sign_in(EVE, "Noise")
    page.get_by_role("heading", name="You cannot open this yet").wait_for()
    assert EVE in page.locator("body").inner_text()
    assert f"refused '{EVE}' at 127.0.0.1: '/': they have no role" in team.log.read_text()


def test_a_link_opens_only_what_the_access_file_allows(sign_in, team):
    page = sign_in(ANA, data="/etc", fix='{"labels":"passwd"}')
    page.get_by_text("/etc is outside the folders that may be opened here").wait_for()
    page.goto(team.url(data=team.data / ".." / "server.log"))
    page.get_by_text("is outside the folders that may be opened here").wait_for()
    page.goto(team.url("Export"))
    field = page.get_by_label("Folder on this machine")
    assert field.input_value() == str(team.folder / "exports" / "data")
    field.fill(str(team.folder / "elsewhere"))
    field.press("Tab")
    page.get_by_role("button", name="Write files").click()
    page.get_by_text("is outside the folders for exports").wait_for()
    assert not (team.folder / "elsewhere").exists()
    field.fill(str(team.folder / "exports" / "one"))
    field.press("Tab")
    page.get_by_role("button", name="Write files").click()
    page.get_by_text("files were written to").wait_for()
    assert (team.folder / "exports" / "one" / "manifest.json").exists()


def test_what_is_decided_as_a_sign_in_expires_is_saved_after_the_next(sign_in, team, provider):
    page = sign_in(ANA, "Review")
    page.wait_for_selector(".stage[data-painted]")
    settle(page)
    held = []  # messages on their way
    page.route("**/_review/**", lambda route: held.append(route))
    shown = press(page, "x")
    while not held:
        page.wait_for_timeout(10)
    (team.folder / "shift").write_text(str(provider.lifetime + 60))
    for route in held:
        route.continue_()
    page.unroute("**/_review/**")
    page.get_by_text("Your sign-in has expired.").wait_for()
    with open_store(curation.load(team.data)) as store:
        assert ANA not in {entry.curator for entry in store.log()}
    (team.folder / "shift").unlink()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name=ANA).click()
    page.wait_for_selector(".stage[data-painted]")
    saved(page)
    with open_store(curation.load(team.data)) as store:
        assert [entry.example_id for entry in store.log() if entry.curator == ANA] == [shown]


def test_a_forged_cookie_gets_no_frame(team):
    connection = http.client.HTTPConnection("localhost", team.port, timeout=10)
    connection.request(
        "GET", "/_stcore/stream",
        headers={
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin": team.url().rstrip("/"),
            "Cookie": "_streamlit_user=eyJlbWFpbCI6ImFuYSJ9.aaaaaa.bbbb",
            "X-Forwarded-Email": ANA,
        },
    )  # fmt: skip
    answer = connection.getresponse()
    assert answer.status == 403 and not answer.read()
    connection.close()
    assert "'/_stcore/stream': a forged or unreadable sign-in" in team.log.read_text()
