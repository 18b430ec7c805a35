// Serves the files of a folder, as any static host does: `node files.mjs FOLDER`. Prints the
// address.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const [folder] = process.argv.slice(2);
if (!folder) throw new Error("expected a folder, found none");

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://host").pathname);
  const name = path.endsWith("/") ? `${path}index.html` : path;
  try {
    const content = await readFile(join(folder, name));
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "text/plain" });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(0, "127.0.0.1", () => {
  console.log(`the page is on http://127.0.0.1:${server.address().port}`);
});
