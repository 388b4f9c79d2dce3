"""Zstandard (RFC 8878), which Python has from 3.14 on; before, the same module comes as a package."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, compress, decompress
else:
    from backports.zstd import ZstdError, compress, decompress

__all__ = ["ZstdError", "compress", "decompress"]
