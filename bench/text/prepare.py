"""Flattens a folder of classes of Latin-1 documents into OUT.txt (UTF-8) and OUT.idx (label and size of each).

usage: prepare.py FOLDER OUT
"""
import sys, pathlib, struct
root=pathlib.Path(sys.argv[1]); out=sys.argv[2]
t=open(out+'.txt','wb'); i=open(out+'.idx','wb')
classes=sorted(p.name for p in root.iterdir() if p.is_dir())
for k,c in enumerate(classes):
    for f in sorted((root/c).iterdir()):
        d=f.read_bytes().decode('latin-1').encode()
        t.write(d); i.write(struct.pack('ii',k,len(d)))
