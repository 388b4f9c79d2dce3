// Reads archives from standard input, a base64 text a line, and tells what the page's own check finds of each.

const { checkArchive } = await import(process.argv[2]);

let text = "";
for await (const part of process.stdin) text += part;
const found = [];
for (const line of text.split("\n").slice(0, -1)) {
  const { faults, events, opened, sealed } = await checkArchive(new Uint8Array(Buffer.from(line, "base64")));
  found.push({ faults, events, opened, sealed });
}
console.log(JSON.stringify(found));
