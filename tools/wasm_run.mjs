// node tools/wasm_run.mjs FILE.wasm WORD... : a WebAssembly program under Node, with the current folder and what lies beside it, and /tmp.
import fs from "node:fs";
import path from "node:path";
import { WASI } from "node:wasi";

const [file, ...words] = process.argv.slice(2);
const here = process.cwd();
const wasi = new WASI({ version: "preview1", args: [file, ...words], env: { PWD: here, TMPDIR: "/tmp" }, preopens: { [path.dirname(here)]: path.dirname(here), "/tmp": "/tmp" }, returnOnExit: true });
const module = await WebAssembly.compile(fs.readFileSync(file));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
