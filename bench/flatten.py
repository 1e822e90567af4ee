"""Flattens a folder of classes of Latin-1 documents into OUT.txt (UTF-8) and OUT.idx (label and size of each)."""
import pathlib
import struct


def flatten(root: pathlib.Path, out: pathlib.Path) -> None:
    with open(f"{out}.txt", "wb") as text, open(f"{out}.idx", "wb") as index:
        for label, folder in enumerate(sorted(path for path in root.iterdir() if path.is_dir())):
            for path in sorted(folder.iterdir()):
                document = path.read_bytes().decode("latin-1").encode()
                text.write(document)
                index.write(struct.pack("ii", label, len(document)))
