// The command line at the foot of the page: the lesson's files are there, and what it writes stays until the page is left.
import { button, download, replace } from "./dom.js";
import { runLine } from "./shell.js";

const KEPT = 200000;  // letters of what was said

export function openTerminal(place, run, given) {
  const line = place("line");
  const said = place("said");
  const made = {};
  const before = [];
  let at = 0;

  async function perform(words) {
    const lesson = given();
    const files = { ...lesson, ...made };
    said.textContent = `${said.textContent}$ ${words}\n`.slice(-KEPT);
    const answer = await runLine(words, files, run);
    for (const [name, content] of Object.entries(files)) if (content !== lesson[name]) made[name] = content;
    said.textContent += answer.shown + (answer.code ? `(exit code ${answer.code})\n` : "");
    said.scrollTop = said.scrollHeight;
    replace(place("made"), ...Object.keys(made).map((name) => button(`Download ${name}`, () => download(name, made[name]))));
    return answer.code;
  }

  place("terminal").addEventListener("submit", (event) => {
    event.preventDefault();
    before.push(line.value);
    at = before.length;
    perform(line.value);
  });
  // Earlier lines by the arrows, as in any terminal.
  line.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || before[at + by] === undefined) return;
    event.preventDefault();
    at += by;
    line.value = before[at];
  });
  return { run: perform };
}
