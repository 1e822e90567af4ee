"""Flattens a folder of classes of Latin-1 documents into OUT.txt (UTF-8) and OUT.idx (label and size of each).

usage: prepare.py FOLDER OUT
"""
import pathlib
import struct
import sys

root, out = pathlib.Path(sys.argv[1]), sys.argv[2]
with open(out + ".txt", "wb") as text, open(out + ".idx", "wb") as index:
    for label, folder in enumerate(sorted(path for path in root.iterdir() if path.is_dir())):
        for path in sorted(folder.iterdir()):
            document = path.read_bytes().decode("latin-1").encode()
            text.write(document)
            index.write(struct.pack("ii", label, len(document)))
