// Hashes by the browser's own cryptography.

const encoder = new TextEncoder();

/** Whether there is any: browsers give it to pages from https, and from this machine, alone. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes that so many lower-case hexadecimal digits write; throws otherwise. */
export function fromHex(text, size) {
  if (typeof text !== "string" || text.length !== 2 * size || !/^[0-9a-f]*$/.test(text))
    throw new TypeError("no such digits");
  return Uint8Array.from({ length: size }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

/** SHA-256 of bytes and text put together. */
export async function sha256(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of bytes) {
    whole.set(each, at);
    at += each.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** A version as the chain has it: 8 bytes, big endian. */
export function eightBytes(version) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(version));
  return bytes;
}
