/** The engine in a worker, for a page without a server: takes messages and searches in between. */

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** Messages that came before the engine was there. @type {string[]} */
const early = [];
/** @type {Record<string, any> | null} */
let engine = null;
/** Where this worker tells itself to go on, behind the messages that have come. */
const turn = new MessageChannel();
let isGoing = false;

/** @param {string} text */
function take(text) {
  if (!engine) {
    early.push(text);
    return;
  }
  const bytes = encoder.encode(text);
  const at = engine.buffer(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  if (!engine.take()) throw new Error(`expected a message, found ${text}`);
  go();
}

function go() {
  if (isGoing) return;
  isGoing = true;
  turn.port2.postMessage(null);
}

turn.port1.onmessage = () => {
  isGoing = false;
  if (engine?.step()) go();
};

addEventListener("message", (event) => take(JSON.stringify(event.data)));

const host = {
  now: () => performance.now(),
  /** @param {number} at @param {number} bytes */
  say(at, bytes) {
    const text = decoder.decode(new Uint8Array(engine?.memory.buffer, at, bytes));
    postMessage(JSON.parse(text));
  },
};

const { instance } = await WebAssembly.instantiateStreaming(
  fetch(new URL("engine.wasm", import.meta.url)),
  { host },
).catch(async () => {
  // A server that does not know the type of the file.
  const file = await fetch(new URL("engine.wasm", import.meta.url));
  return WebAssembly.instantiate(await file.arrayBuffer(), { host });
});
engine = instance.exports;
engine.begin();
for (const text of early) take(text);
