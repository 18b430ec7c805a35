// Runs the searches of crates/wasm-check in WebAssembly and compares what they find with what they
// have found here. Works in node and in a page.

// The most megabytes for the first search, of 10 000 simulations.
const MEGABYTES = 4;

// The searches of a native run: name, milliseconds, what was found; a line each, between tabs.
export function searches(output) {
  return output.trim().split("\n").map((line) => line.split("\t"));
}

// Runs all searches of a compiled module; hands each line of the comparison to `show`, and returns
// how many searches differ or take too much memory.
export async function compare(code, native, show) {
  let memory;
  let found;
  const host = {
    now: () => performance.now(),
    show: (at, bytes) => {
      found = new TextDecoder().decode(new Uint8Array(memory.buffer, at, bytes));
    },
  };
  let failed = 0;
  for (const [number, [name, took, text]] of native.entries()) {
    // Memory is never given back, so each search has its own.
    const { exports } = await WebAssembly.instantiate(code, { host });
    memory = exports.memory;
    if (!exports.begin()) throw new Error("the clock was set before");
    const begun = performance.now();
    exports.run(number);
    const milliseconds = performance.now() - begun;
    const same = found === text;
    const megabytes = memory.buffer.byteLength / 1e6;
    show(
      `${same ? "same" : "DIFFERENT"}  ${name.padEnd(36)} ${megabytes.toFixed(1).padStart(6)} MB` +
        `  ${(took / milliseconds).toFixed(2).padStart(5)} of the native speed`,
    );
    if (!same) {
      show(`  expected ${text}\n  found    ${found}`);
      failed += 1;
    }
    if (number === 0 && megabytes > MEGABYTES) {
      show(`  expected at most ${MEGABYTES} MB, found ${megabytes.toFixed(1)}`);
      failed += 1;
    }
  }
  return failed;
}
