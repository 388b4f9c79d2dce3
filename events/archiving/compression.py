"""Zstandard (RFC 8878), which Python has from 3.14 on; before, the same module comes as a package."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile, compress
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile, compress

__all__ = ["MOST_UNPACKED", "ZstdError", "ZstdFile", "compress", "decompress"]

MOST_UNPACKED = 64 << 20  # bytes: a few kilobytes of another frame could unpack to gigabytes
WINDOW = {int(DecompressionParameter.window_log_max): 24}  # 16 MiB, beyond what any level used here asks for


def decompress(kept: bytes) -> bytes:
    """What one frame holds; raises `ZstdError` for more or less than one, or for one of more than `MOST_UNPACKED`."""
    reader = ZstdDecompressor(options=WINDOW)
    found = reader.decompress(kept, MOST_UNPACKED + 1)
    if len(found) > MOST_UNPACKED:
        raise ZstdError(f"it unpacks to more than {MOST_UNPACKED} bytes")
    if not reader.eof or reader.unused_data:
        raise ZstdError("it is cut off, or something follows on it")
    return found
