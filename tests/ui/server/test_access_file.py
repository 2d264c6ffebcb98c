"""The access file: what it may say, and that anything else stops the start with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.errors import InputError
from curation.roles import Role
from curation.ui.server.access_file import Oidc, Proxy, read_access

SECRET = "abcdefghijklmnopqrstuvwxyz0123456789"
OIDC = f"""
[oidc]
client_id = "curation"
client_secret = "{SECRET}1"
server_metadata_url = "https://id.example.org/.well-known/openid-configuration"
cookie_secret = "{SECRET}2"
"""
PROXY = '[proxy]\naddresses = ["10.0.0.7", "fd00::/8"]\nuser_header = "X-User"\n'
URL = 'public_url = "https://curation.example.org/tools/"\n'
ROLES = '[roles]\nadmin = ["ana@example.org"]\n'


@pytest.fixture
def write(tmp_path):
    def make(text: str, mode: int = 0o600) -> Path:
        path = tmp_path / "access.toml"
        path.write_text(text)
        path.chmod(mode)
        return path

    return make


def test_a_provider_is_read_with_roles_and_folders(write, tmp_path):
    folders = f'[folders]\nopen = ["{tmp_path}"]\nexport = ["/srv/out"]\nupload = "/srv/up"\n'
    lead = 'lead = ["Ben@Example.org", "group:Leads"]\ndefault = "viewer"\n'
    access = read_access(write(f"{URL}session_hours = 2\n{OIDC}{ROLES}{lead}{folders}"))
    assert isinstance(access.sign_in, Oidc) and access.sign_in.name_claim == "email"
    assert (access.origin, access.base_path) == ("https://curation.example.org", "tools")
    assert access.session_seconds == 7200
    assert access.folders.open == (tmp_path,) and access.folders.upload == Path("/srv/up")
    assert access.find_role("ANA@example.org", []) is Role.ADMIN
    assert access.find_role("ben@example.org", []) is Role.LEAD
    assert access.find_role("cy@example.org", ["Leads"]) is Role.LEAD
    assert access.find_role("cy@example.org", ["leads"]) is Role.VIEWER


def test_a_proxy_is_read_and_nobody_has_a_role_unless_it_is_given(write):
    access = read_access(write(URL + PROXY + ROLES))
    assert isinstance(access.sign_in, Proxy) and len(access.sign_in.addresses) == 2
    assert access.find_role("eve@example.org", ["admin", "group:admin"]) is None
    assert not access.folders.open and access.folders.upload is None


def test_the_highest_of_several_roles_counts(write):
    roles = '[roles]\nadmin = ["group:a"]\nviewer = ["ana@example.org"]\n'
    access = read_access(write(URL + PROXY + roles))
    assert access.find_role("ana@example.org", ["a"]) is Role.ADMIN
    assert access.find_role("ana@example.org", []) is Role.VIEWER


LOCAL = '[proxy]\naddresses = ["127.0.0.1"]\nuser_header = "X-User"\n'


@pytest.mark.parametrize(
    "text, told",
    [
        (URL + ROLES, "it must have either [oidc] or [proxy]"),
        (URL + OIDC + PROXY + ROLES, "it must have either [oidc] or [proxy]"),
        (OIDC + ROLES, "public_url is missing"),
        ('public_url = "curation"\n' + OIDC + ROLES, "is not an address"),
        ('public_url = "http://curation.example.org"\n' + OIDC + ROLES, "begins with http"),
        (URL + OIDC.replace("client_id", "client") + ROLES, "has 'client', which is not a setting"),
        (URL + OIDC.replace('"curation"', "3") + ROLES, "oidc.client_id is missing, or not a text"),
        (URL + OIDC.replace(f"{SECRET}2", "short") + ROLES, "oidc.cookie_secret is shorter"),
        (URL + OIDC, "[roles] names nobody"),
        (URL + OIDC + '[roles]\nboss = ["ana"]\n', "[roles] has 'boss'"),
        (URL + OIDC + '[roles]\nlead = "ana"\n', "roles.lead is not a list of texts"),
        (URL + OIDC + '[roles]\ndefault = "boss"\n', "roles.default is 'boss'"),
        (URL + PROXY.replace("10.0.0.7", "proxy") + ROLES, "proxy.addresses has 'proxy'"),
        (URL + LOCAL + ROLES, "proxy.secret is missing"),
        (URL + LOCAL + 'secret = "short"\n' + ROLES, "proxy.secret is shorter"),
        (URL + OIDC + ROLES + '[folders]\nopen = ["data"]\n', "write the whole path"),
        (URL + OIDC + ROLES + '[folders]\nopen = ["http://x/y"]\n', "addresses are not read"),
        (URL + OIDC + ROLES + '[folders]\nexport = ["s3://b/x"]\n', "write the whole path"),
        (URL + "session_hours = 0\n" + OIDC + ROLES, "session_hours is 0"),
        (URL + 'name = "x"\n' + OIDC + ROLES, "the file has 'name'"),
        ("public_url = ", "is not valid TOML"),
        ("oidc = 3\n" + URL + ROLES, "oidc is not a table"),
    ],
)
def test_what_is_wrong_is_said_without_a_secret(write, text, told):
    with pytest.raises(InputError) as caught:
        read_access(write(text))
    assert told in str(caught.value) and SECRET not in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_file_with_secrets_that_others_can_read_is_refused(write, mode):
    with pytest.raises(InputError, match="chmod 600"):
        read_access(write(URL + OIDC + ROLES, mode))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere.toml cannot be read: No such file"):
        read_access(tmp_path / "nowhere.toml")


def test_folders_to_open_may_be_in_object_storage(write):
    folders = '[folders]\nopen = ["/srv", "s3://bucket/team/"]\n'
    found = read_access(write(URL + OIDC + ROLES + folders)).folders
    assert [str(each) for each in found.storage] == ["s3://bucket/team"]
    assert [str(each) for each in found.open] == ["/srv"]
