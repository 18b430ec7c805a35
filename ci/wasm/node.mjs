// The comparison in node: node node.mjs MODULE NATIVE_OUTPUT
import { readFileSync } from "node:fs";
import { compare, searches } from "./compare.mjs";

const [module, output] = process.argv.slice(2);
const code = new WebAssembly.Module(readFileSync(module));
const failed = await compare(code, searches(readFileSync(output, "utf8")), console.log);
process.exit(failed === 0 ? 0 : 1);
