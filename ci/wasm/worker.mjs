// The comparison in a worker of a page, where a search would not hold the page up.
import { compare, searches } from "./compare.mjs";

const lines = [];
let failed = 1;
try {
  const [module, output] = await Promise.all([fetch("module"), fetch("output")]);
  const code = await WebAssembly.compileStreaming(module);
  failed = await compare(code, searches(await output.text()), (line) => lines.push(line));
} catch (error) {
  lines.push(String(error));
}
await fetch("result", { method: "POST", body: JSON.stringify({ failed, lines }) });
