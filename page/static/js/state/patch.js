// JSON Patch (RFC 6902), as far as the service sends it.

const unescape = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");

function seek(document, pointer) {
  const parts = pointer.split("/").slice(1).map(unescape);
  const last = parts.pop();
  const parent = parts.reduce((node, part) => node[part], document);
  return [parent, last];
}

function take(document, pointer) {
  const [parent, name] = seek(document, pointer);
  const value = parent[name];
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return value;
}

function put(document, pointer, value) {
  const [parent, name] = seek(document, pointer);
  if (Array.isArray(parent)) parent.splice(name === "-" ? parent.length : Number(name), 0, value);
  else parent[name] = value;
}

const OPERATIONS = {
  add: (document, { path, value }) => put(document, path, structuredClone(value)),
  remove: (document, { path }) => take(document, path),
  replace: (document, { path, value }) => {
    const [parent, name] = seek(document, path);
    parent[name] = structuredClone(value);
  },
  move: (document, { path, from }) => put(document, path, take(document, from)),
};

/** Changes the document by a patch. */
export function applyPatch(document, patch) {
  for (const operation of patch) OPERATIONS[operation.op](document, operation);
}
