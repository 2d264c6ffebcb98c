"""An entrance for tests of what stands behind the gate."""

from __future__ import annotations


class Door:
    """An entrance that lets one person in."""

    secrets: list[str] = []

    def __init__(self, actor):
        self.actor = actor

    def identify(self, request):
        return self.actor

    def answer(self, request):
        return None

    def is_open(self, request):
        return False
