"""Zstandard compression (RFC 8878): from Python's library since 3.14, from the same module as a package before."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile, compress
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile, compress

__all__ = ["MOST_UNPACKED", "ZstdError", "ZstdFile", "compress", "decompress"]

MOST_UNPACKED = 64 << 20  # bytes: a few kilobytes of another frame could unpack to gigabytes
WINDOW = {int(DecompressionParameter.window_log_max): 24}  # 16 MiB, more than any level used here needs


def decompress(compressed: bytes) -> bytes:
    """Returns the content of exactly one frame; raises `ZstdError` if it is larger than `MOST_UNPACKED`."""
    reader = ZstdDecompressor(options=WINDOW)
    content = reader.decompress(compressed, MOST_UNPACKED + 1)
    if len(content) > MOST_UNPACKED:
        raise ZstdError(f"the content is larger than {MOST_UNPACKED} bytes")
    if not reader.eof or reader.unused_data:
        raise ZstdError("the frame is truncated, or more data follows it")
    return content
