// Run buttons of the documentation: the commands of a page's console blocks, in this browser, by the same worker as the living page.
import { run, start } from "./client.js";
import { make } from "./dom.js";
import { known, runLine } from "./shell.js";

const base = document.currentScript.src;
const DATA = ["iris.csv", "penguins.csv"];

// The commands of a block stand behind "$ "; a backslash carries a line on.
export function commandsOf(shown) {
  return [...shown.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map((found) => found[1]);
}

const written = (line) => [...line.matchAll(/(?:>|\s-o|--save)\s*([\w./-]+)/g)].map((found) => found[1]);

// Which blocks can be run here: all their lines are known, and no file comes from a line that is not.
export function runnable(blocks) {
  const absent = new Set();
  let lost = false;
  return blocks.map((commands) => {
    const fits = commands.map((line) => known(line) && ![...absent].some((name) => line.split(/[\s"'=,]+/).includes(name)));
    commands.forEach((line, k) => {
      if (fits[k]) return;
      if (/\$|\bfor\b/.test(line)) lost = true;
      written(line).forEach((name) => absent.add(name));
    });
    return commands.length > 0 && !lost && fits.every(Boolean);
  });
}

let files = null;
let started = null;
const done = new Set();

async function first() {
  started ??= start(undefined, base, "command");
  await started;
  if (files) return;
  files = {};
  for (const name of DATA) files[name] = new Uint8Array(await (await fetch(new URL(`data/${name}`, base))).arrayBuffer());
}

async function perform(commands) {
  const shown = [];
  for (const line of commands) shown.push(`$ ${line}\n${(await runLine(line, files, run)).shown}`);
  return shown.join("");
}

// A block runs after those before it, whose files it may need.
async function runBlock(blocks, which, at) {
  await first();
  for (let k = 0; k < at; ++k) {
    if (!which[k] || done.has(k)) continue;
    await perform(blocks[k]);
    done.add(k);
  }
  done.add(at);
  return perform(blocks[at]);
}

function offer() {
  const places = [...document.querySelectorAll("pre > code.language-console")];
  const blocks = places.map((each) => commandsOf(each.textContent));
  const which = runnable(blocks);
  places.forEach((code, k) => {
    if (!which[k]) return;
    const said = make("pre", { class: "ran", role: "status", tabindex: 0, "aria-label": "What it printed here", hidden: true });
    const press = make("button", { type: "button", class: "md-button", style: "font-size:.7rem;padding:.2em 1em;margin:.2em 0 1em", onclick: async () => {
      press.disabled = true;
      said.hidden = false;
      said.textContent = "Running.";
      try {
        said.textContent = (await runBlock(blocks, which, k)) || "It printed nothing.";
      } catch (problem) {
        said.textContent = problem.message;
      }
      press.disabled = false;
    } }, "Run it in this page");
    code.parentElement.after(press, said);
  });
}

// A page from a disk may not start a worker.
if (location.protocol.startsWith("http")) offer();
