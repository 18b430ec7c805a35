// Runs the searches of crates/wasm-check in WebAssembly and compares what they find with what they
// have found here: node wasm.mjs MODULE NATIVE_OUTPUT
import { readFileSync } from "node:fs";

const [module, expected] = process.argv.slice(2);
const native = readFileSync(expected, "utf8").trim().split("\n").map((line) => line.split("\t"));

let memory;
let found;
const host = {
  now: () => performance.now(),
  show: (at, bytes) => {
    found = new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes));
  },
};
const code = new WebAssembly.Module(readFileSync(module));
let failed = 0;
for (const [number, [name, took, text]] of native.entries()) {
  // Memory is never given back, so each search has its own.
  const { exports } = new WebAssembly.Instance(code, { host });
  memory = exports.memory;
  if (!exports.begin()) throw new Error("the clock was set before");
  const begun = performance.now();
  exports.run(number);
  const milliseconds = performance.now() - begun;
  const same = found === text;
  const megabytes = memory.buffer.byteLength / 1e6;
  console.log(
    `${same ? "same" : "DIFFERENT"}  ${name.padEnd(36)} ${megabytes.toFixed(1).padStart(6)} MB` +
      `  ${(took / milliseconds).toFixed(2).padStart(5)} of the native speed`,
  );
  if (!same) {
    console.log(`  expected ${text}\n  found    ${found}`);
    failed += 1;
  }
  if (number === 0 && megabytes > 4) {
    console.log(`  expected at most 4 MB for 10 000 simulations, found ${megabytes.toFixed(1)}`);
    failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
