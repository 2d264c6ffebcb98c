"""Small Excel workbooks, made and changed for the occasion."""

from __future__ import annotations

import io
import zipfile

import openpyxl

LABELS = [("id", "label"), ("a", "cat"), ("b", "dog"), ("c", "eel")]


def to_bytes(book):
    book.save(buffer := io.BytesIO())
    return buffer.getvalue()


def make_book(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    return book


def make_xlsx(rows):
    return to_bytes(make_book(Sheet1=rows))


def replace_entry(raw, name, old, new):
    """Return an archive with one of its files changed."""
    with zipfile.ZipFile(io.BytesIO(raw)) as whole, zipfile.ZipFile(b := io.BytesIO(), "w") as copy:
        for entry in whole.namelist():
            content = whole.read(entry)
            if entry == name:
                assert old in content
                content = content.replace(old, new)
            copy.writestr(entry, content)
    return b.getvalue()
