// The comparison in a browser without a window: node browser.mjs BROWSER MODULE NATIVE_OUTPUT
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A browser that has not answered after so many seconds has failed.
const SECONDS = 120;

const [browser, module, output] = process.argv.slice(2);
const script = (name) => ["text/javascript", readFileSync(new URL(name, import.meta.url))];
const files = {
  "/": ["text/html", '<!doctype html><script src="page.mjs" type="module"></script>'],
  "/page.mjs": ["text/javascript", 'new Worker("worker.mjs", { type: "module" });'],
  "/worker.mjs": script("worker.mjs"),
  "/compare.mjs": script("compare.mjs"),
  "/module": ["application/wasm", readFileSync(module)],
  "/output": ["text/plain", readFileSync(output)],
};

// The lines of the comparison, and how many searches have failed.
function result() {
  return new Promise((resolve, reject) => {
    const profile = mkdtempSync(join(tmpdir(), "browser-"));
    let child;
    const end = (settle, value) => {
      clearTimeout(limit);
      server.close();
      child?.once("exit", () => {
        // Its helpers may still write for a moment.
        rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
        settle(value);
      });
      child?.kill();
    };
    const limit = setTimeout(
      () => end(reject, new Error(`expected an answer after ${SECONDS} s, found none`)),
      SECONDS * 1000,
    );
    const server = createServer(async (request, response) => {
      if (request.method === "POST") {
        let body = "";
        for await (const part of request) body += part;
        response.end();
        end(resolve, JSON.parse(body));
        return;
      }
      const [type, content] = files[request.url] ?? [];
      response.writeHead(type ? 200 : 404, { "Content-Type": type ?? "text/plain" });
      response.end(content);
    });
    server.listen(0, "127.0.0.1", () => {
      const address = `http://127.0.0.1:${server.address().port}/`;
      // Its sandbox needs rights that a container lacks; only our own page is opened.
      const flags = ["--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu"];
      child = spawn(browser, [...flags, `--user-data-dir=${profile}`, address], { stdio: "ignore" });
      child.once("error", (error) => {
        child = undefined;
        reject(error);
      });
    });
  });
}

const { failed, lines } = await result();
lines.forEach((line) => console.log(line));
process.exit(failed === 0 ? 0 : 1);
