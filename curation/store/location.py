"""Where the decisions of a dataset are kept: next to it, or in the user's data folder."""

from __future__ import annotations

from pathlib import Path

from curation.paths import PACKAGE, personal_folder, user_folder, writable

NETWORK_FILE_SYSTEMS = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "fuse.sshfs", "fuse.glusterfs"),
    *("lustre", "ceph", "beegfs", "gpfs", "fuse.s3fs", "fuse.rclone", "davfs"),
}


def default_path(root: Path) -> Path:
    """Return the file for the decisions of the dataset at root.

    An existing store is found again, even if the folder has become read-only or writable since. A
    new one goes next to the dataset if that folder is writable, but never into the installed
    package, where the demo data is: an upgrade would delete it.
    """
    root = root if root.is_dir() else root.parent
    local = root / ".curation" / "decisions.db"
    if root.resolve().is_relative_to(PACKAGE):
        return user_folder() / f"demo-{root.name}" / "decisions.db"
    personal = personal_folder(root) / "decisions.db"
    for path in (local, personal):
        if path.exists() or path.with_name("decisions.db-wal").exists():
            return path
    folder = local.parent if local.parent.exists() else root
    return local if writable(folder) and not folder.is_symlink() else personal


def network_file_system(path: Path) -> str | None:
    """Return the kind of network file system that holds path; None if local or not known."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    return network_mount(mounts, path.resolve())


def network_mount(mounts: str, path: Path) -> str | None:
    """Return the network file system of the mount point that holds path, from a table of mounts.

    >>> table = "/dev/sda / ext4 rw 0 0\\nhost:/x /data nfs4 rw 0 0"
    >>> network_mount(table, Path("/data/a")), network_mount(table, Path("/home/a"))
    ('nfs4', None)
    """
    best, kind = "", ""
    for line in mounts.splitlines():
        point, system = (line.split() + ["", "", ""])[1:3]
        point = point.replace("\\040", " ")
        if path.is_relative_to(point or "?") and len(point) >= len(best):
            best, kind = point, system
    return kind if kind in NETWORK_FILE_SYSTEMS else None
