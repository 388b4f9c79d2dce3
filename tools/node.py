"""Where Node.js is: on the path, or where `make node` installs it, beside this Python."""

import shutil
import sys
from pathlib import Path

NODE = shutil.which("node") or str(Path(sys.executable).with_name("node"))
