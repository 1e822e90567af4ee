// The thread that runs the C++: the engine from the start, the command once it is first asked for.
import { WASI, Directory, File, OpenFile, Fd, PreopenDirectory, wasi as defs } from "@bjorn3/browser_wasi_shim";

const text = new TextDecoder();
const bytes = new TextEncoder();
const modules = {};

// wasi-libc's access() asks for rights, of which the shim grants none.
class Folder extends PreopenDirectory {
  fd_fdstat_get() {
    const answer = super.fd_fdstat_get();
    answer.fdstat.fs_rights_base = answer.fdstat.fs_rights_inherited = (1n << 64n) - 1n;
    return answer;
  }
}

// A file that only takes bytes: not a terminal, so that the command shows no progress and no colours.
// `all` gets the parts of several in the order in which they were written.
class Sink extends Fd {
  parts = [];
  constructor(all = []) {
    super();
    this.all = all;
  }
  fd_fdstat_get() {
    const fdstat = new defs.Fdstat(defs.FILETYPE_REGULAR_FILE, 0);
    fdstat.fs_rights_base = BigInt(defs.RIGHTS_FD_WRITE);
    return { ret: 0, fdstat };
  }
  fd_filestat_get() {
    return { ret: 0, filestat: new defs.Filestat(0n, defs.FILETYPE_REGULAR_FILE, 0n) };
  }
  fd_write(data) {
    const part = data.slice();
    this.parts.push(part);
    this.all.push(part);
    return { ret: 0, nwritten: data.byteLength };
  }
  text() {
    return decoded(this.parts);
  }
}

function decoded(parts) {
  return parts.map((part) => text.decode(part, { stream: true })).join("") + text.decode();
}

// Where a module comes from: a file beside the page, or packed bytes that the page carries in itself.
async function bytesOf(source) {
  if (!source.packed) return (await fetch(source.url)).arrayBuffer();
  const packed = Uint8Array.from(atob(source.packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function moduleOf(name, sources) {
  modules[name] ??= bytesOf(sources[name]).then((found) => WebAssembly.compile(found));
  return modules[name];
}

// Two modules with one door each: models, and families, which are loaded once they are asked for.
const FAMILY_CALLS = new Set(["family", "draw_values", "families"]);
const engines = {};
function engineOf(name) {
  engines[name] ??= startEngine(name);
  return engines[name];
}

async function startEngine(name) {
  const wasi = new WASI([], [], [new OpenFile(new File([])), new Sink(), new Sink()], { debug: false });
  const instance = await WebAssembly.instantiate(await moduleOf(name, sources), { wasi_snapshot_preview1: wasi.wasiImport });
  wasi.initialize(instance);
  return instance.exports;
}

// Rows that came with a request go straight into the engine's memory.
function setRows(engine, rows) {
  const count = rows.codes.length;
  const values = engine.room_for_rows(count, rows.columns);
  const codes = engine.room_for_codes(count);  // pointers first: memory is replaced when it grows
  new Float64Array(engine.memory.buffer, values, rows.values.length).set(rows.values);
  new Int32Array(engine.memory.buffer, codes, count).set(rows.codes);
}

function ask(engine, request) {
  const said = bytes.encode(JSON.stringify(request));
  const room = engine.room_for_text(said.length);
  new Uint8Array(engine.memory.buffer, room, said.length).set(said);
  const at = engine.call();
  return JSON.parse(text.decode(new Uint8Array(engine.memory.buffer, at, engine.text_size()).slice()));
}

// Several requests go in one message, so that a drag costs one round trip.
async function askAll({ rows, requests }) {
  const engine = await engineOf("engine");
  const families = requests.some((request) => FAMILY_CALLS.has(request.do)) ? await engineOf("families") : null;
  if (rows) setRows(engine, rows);
  const started = performance.now();
  const answers = [];
  const planes = [];
  for (const request of requests) {
    const answer = ask(FAMILY_CALLS.has(request.do) ? families : engine, request);
    if (request.do === "grid" && !answer.error) {
      answer.plane = new Float32Array(new Float64Array(engine.memory.buffer, engine.plane(), engine.plane_size()));
      planes.push(answer.plane.buffer);
    }
    answers.push(answer);
    if (answer.error) break;
  }
  return [{ answers, milliseconds: performance.now() - started }, planes];
}

// Files by their paths as folders within folders, and back; `dev` and `tmp` are the module's own.
function foldersOf(files) {
  const root = new Map([["dev", new Directory(new Map())], ["tmp", new Directory(new Map())]]);
  for (const [path, content] of Object.entries(files)) {
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    const last = names.pop();
    let folder = root;
    for (const name of names) {
      if (!(folder.get(name) instanceof Directory)) folder.set(name, new Directory(new Map()));
      folder = folder.get(name).contents;
    }
    folder.set(last, new File(typeof content === "string" ? bytes.encode(content) : new Uint8Array(content)));
  }
  return root;
}

function* filesOf(folder, path = "") {
  for (const [name, entry] of folder) {
    if (entry instanceof Directory) {
      if (path !== "" || (name !== "dev" && name !== "tmp")) yield* filesOf(entry.contents, `${path}${name}/`);
    } else {
      yield [path + name, entry.data];
    }
  }
}

// The command itself: files in, files and what it said out. A new instance each time, as a process would be.
async function run(words, files, sources) {
  const module = await moduleOf("command", sources);
  const folder = foldersOf(files);
  const before = new Map(filesOf(folder));
  const both = [];
  const [out, err] = [new Sink(both), new Sink(both)];
  const wasi = new WASI(["suffice", ...words.map(String)], ["PWD=/"], [new OpenFile(new File([])), out, err, new Folder("/", folder)], { debug: false });
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance);
  const made = {};
  for (const [name, data] of filesOf(folder))
    if (before.get(name) !== data || words.includes(name)) made[name] = data.slice();
  return { code, stdout: out.text(), stderr: err.text(), both: decoded(both), files: made };
}

let sources;
onmessage = async ({ data }) => {
  const { id, kind } = data;
  try {
    if (kind === "start") {
      sources = data.sources;
      await (data.first === "engine" ? engineOf("engine") : moduleOf(data.first, sources));
      postMessage({ id, answer: true });
    } else if (kind === "ask") {
      const [answer, planes] = await askAll(data);
      postMessage({ id, answer }, planes);
    } else {
      postMessage({ id, answer: await run(data.words, data.files, sources) });
    }
  } catch (problem) {
    postMessage({ id, error: String(problem?.message ?? problem) });
  }
};
