"""archive.py ROOT OUT KIND…: packs the files below ROOT into OUT/KIND, as Python packs them: zip, and tar of three forms."""

import os
import sys
import tarfile
import zipfile

FORMS = {"ustar": tarfile.USTAR_FORMAT, "pax": tarfile.PAX_FORMAT, "gnu": tarfile.GNU_FORMAT}


def pack(root, out, kind):
    if kind.startswith("zip"):
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if kind == "zip" else zipfile.ZIP_STORED) as archive:
            archive.comment = b"a comment"
            for at, folders, files in os.walk(root):
                for name in folders + files:
                    path = os.path.join(at, name)
                    archive.write(path, os.path.relpath(path, root))
        return
    form, *gzip = kind.split("+")
    with tarfile.open(out, "w:gz" if gzip else "w", format=FORMS[form]) as archive:
        archive.add(root, ".")


for kind in sys.argv[3:]:
    pack(sys.argv[1], os.path.join(sys.argv[2], kind), kind)
