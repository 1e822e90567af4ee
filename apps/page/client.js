// The page's side of the worker: questions as promises.
const waiting = new Map();
let worker;
let next = 0;

function send(message) {
  return new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, ...message });
  });
}

// `parts` is what a self-contained page carries; without it the files beside `base` are loaded. `first` is the module that is needed at once.
export function start(parts, base = location.href, first = "engine") {
  const code = parts ? URL.createObjectURL(new Blob([parts.worker], { type: "text/javascript" })) : new URL("worker.js", base);
  const beside = (name) => ({ url: new URL(name, base).href });
  const sources = parts
    ? { engine: { packed: parts.engine }, families: { packed: parts.families }, command: { packed: parts.command } }
    : { engine: beside("engine.wasm"), families: beside("families.wasm"), command: beside("suffice.wasm") };
  worker = new Worker(code);
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) reject(new Error(data.error));
    else resolve(data.answer);
  };
  return send({ kind: "start", sources, first });
}

// The answers to some requests, in order; the first that fails ends them, as an exception with its sentence.
export async function ask(requests, rows) {
  const { answers, milliseconds } = await send({ kind: "ask", requests, rows });
  const failed = answers.find((answer) => answer.error);
  if (failed) throw new Error(failed.error);
  ask.milliseconds = milliseconds;
  return answers;
}

// The command: run(["fit", "iris.csv", "--target", "species", "-o", "m.suf"], {"iris.csv": text}).
export function run(words, files = {}) {
  return send({ kind: "run", words, files });
}
