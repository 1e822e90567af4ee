// The page: which lesson is shown, its state in the address, the command and what reproduces what one sees.
import { ask, run, start } from "./client.js";
import { button, download, make, replace } from "./dom.js";
import { LESSONS } from "./lessons/all.js";
import { openTerminal } from "./terminal.js";

const place = (id) => document.getElementById(id);
const pack = (state) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(state)))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const unpack = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0))));

const current = { lesson: null, state: null, view: null, files: {} };
let drawing = null;
let again = false;
let saved = 0;

function say(text, wrong = false) {
  const status = place("status");
  status.textContent = text;
  status.classList.toggle("error", wrong);
}

export function addressOf() {
  return `#lesson=${current.lesson.name}&state=${pack(current.state)}`;
}

// One drawing at a time; whatever changes meanwhile is drawn by the next.
async function draw() {
  if (drawing) {
    again = true;
    return drawing;
  }
  drawing = (async () => {
    do {
      again = false;
      const view = current.view;
      try {
        await view.draw();
        if (view === current.view) say("");
      } catch (problem) {
        if (view === current.view) say(problem.message, true);
      }
      if (view === current.view) await tell();
    } while (again);
  })();
  await drawing;
  drawing = null;
}

function changed() {
  clearTimeout(saved);
  const lesson = current.lesson;
  saved = setTimeout(() => { if (lesson === current.lesson) history.replaceState(null, "", addressOf()); }, 150);
  return draw();
}

const quoted = (word) => (/^[\w.,=:\/-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

// What reproduces this outside: files, command, Python.
async function tell() {
  const { files = {}, commands = [], python = "", linked = "everything" } = (await current.view.reproduce?.()) ?? {};
  current.files = files;
  current.commands = commands;
  current.python = python;
  const line = commands.map((words) => ["suffice", ...words].map(quoted).join(" ")).join("\n");
  if (place("reproduce").dataset.told === line + python + Object.keys(files)) return;
  place("reproduce").dataset.told = line + python + Object.keys(files);
  replace(place("reproduce"),
    Object.keys(files).length > 0
      ? make("p", { class: "row" }, ...Object.keys(files).map((name) => button(`Download ${name}`, () => download(name, current.files[name]))))
      : null,
    make("h3", {}, "By the command"), make("pre", { tabindex: 0, "aria-label": "Command" }, line),
    button("Run it here", async () => {
      place("terminal-title").scrollIntoView();
      for (const words of current.commands) if ((await terminal.run(["suffice", ...words].map(quoted).join(" "))) !== 0) break;
    }),
    make("h3", {}, "In Python"), make("pre", { tabindex: 0, "aria-label": "Python" }, python),
    make("p", {}, make("a", { href: location.hash, id: "link", onclick: (event) => { event.target.href = addressOf(); } }, "Link to what you see"),
      ` (its address holds ${linked}: bookmark or share it).`));
}

// The lessons before and after this one, at its end.
function turnTo(at) {
  const link = (k, words) => LESSONS[k] && make("a", { href: `#lesson=${LESSONS[k].name}`, rel: words, onclick: () => { scrollTo(0, 0); place("main").focus({ preventScroll: true }); } },
    words === "prev" ? `← ${LESSONS[k].title}` : `${LESSONS[k].title} →`);
  replace(place("turn"), link(at - 1, "prev") ?? make("span"), link(at + 1, "next") ?? make("span"));
}

function show() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const name = wanted.get("lesson");
  const lesson = LESSONS.find((each, k) => each.name === name || String(k + 1) === name) ?? LESSONS[0];
  let state = lesson.first();
  if (wanted.get("state")) {
    try {
      state = { ...state, ...unpack(wanted.get("state")) };
    } catch {
      say("The state in this address cannot be read; the lesson starts afresh.", true);
    }
  }
  Object.assign(current, { lesson, state, files: {} });
  document.title = `${lesson.title}: Suffice`;
  place("title").textContent = lesson.title;
  place("text").innerHTML = `<div>${lesson.text}</div><div class="try"><h2>Try this</h2>${lesson.try}</div>`;
  turnTo(LESSONS.indexOf(lesson));
  for (const link of document.querySelectorAll("#lessons a")) {
    if (link.dataset.name === lesson.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const root = place("lesson");
  root.replaceChildren();
  current.view = lesson.mount(root, { get state() { return current.state; }, ask, run, changed, say });
  return draw();
}

LESSONS.forEach((lesson) => place("lessons").append(make("li", {}, make("a", { href: `#lesson=${lesson.name}`, "data-name": lesson.name }, lesson.title))));
addEventListener("hashchange", () => { if (location.hash.startsWith("#lesson=")) show(); });

const terminal = openTerminal(place, run, () => current.files);
const ready = start(window.suffice_parts).then(show);
window.suffice = { run, ask, ready, current, addressOf, idle: async () => { await ready; while (drawing) await drawing; } };
