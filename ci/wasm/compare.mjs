// Runs the searches of crates/wasm-check in WebAssembly and compares what they find with what they
// have found here. Works in node and in a page.

// The most megabytes for the first search, of 10 000 simulations.
const MEGABYTES = 4;

// The searches of a native run: name, milliseconds of each of its runs, what was found; a line each,
// between tabs.
export function searches(output) {
  const lines = output.trim().split("\n").map((line) => line.split("\t"));
  return lines.map(([name, times, found]) => [name, times.split(" ").map(Number), found]);
}

// The middle one of the times of the later half of the runs.
function later(times) {
  const sorted = times.slice(times.length / 2).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

// Runs all searches of a compiled module, each as often as in the native run; hands each line of the
// comparison to `show`, and returns how many searches differ or take too much memory. The host
// compiles the module during the first runs of a search, so the speed of the first stands beside that
// of the later half of them.
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
  show(`${" ".repeat(59)}of the native speed: first, later`);
  for (const [number, [name, took, expected]] of native.entries()) {
    const times = [];
    const different = new Set();
    // Memory is never given back, so each search has its own; its runs share it, as here.
    const { exports } = await WebAssembly.instantiate(code, { host });
    memory = exports.memory;
    if (!exports.begin()) throw new Error("the clock was set before");
    let megabytes;
    for (const _ of took) {
      const begun = performance.now();
      exports.run(number);
      times.push(performance.now() - begun);
      megabytes ??= memory.buffer.byteLength / 1e6;
      if (found !== expected) different.add(found);
    }
    const speeds = [took[0] / times[0], later(took) / later(times)];
    show(
      `${different.size === 0 ? "same" : "DIFFERENT"}  ${name.padEnd(36)} ` +
        `${megabytes.toFixed(1).padStart(6)} MB  ` +
        speeds.map((speed) => speed.toFixed(2).padStart(15)).join(""),
    );
    for (const text of different) {
      show(`  expected ${expected}\n  found    ${text}`);
      failed += 1;
    }
    if (number === 0 && megabytes > MEGABYTES) {
      show(`  expected at most ${MEGABYTES} MB, found ${megabytes.toFixed(1)}`);
      failed += 1;
    }
  }
  return failed;
}
