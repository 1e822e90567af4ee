// The page at /: a form made from a model's schema, its prediction and explanation while one types, drift and metrics.
// Names and values go in as text, never as markup; nothing is asked but the server that the page came from.
"use strict";

const at = id => document.getElementById(id);
const svg = "http://www.w3.org/2000/svg";
let models = [], turn = 0, token = "";

function part(kind, text, className) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function ask(path, body) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, body === undefined ? {headers} : {method: "POST", headers, body: JSON.stringify(body)});
  const told = (answer.headers.get("Content-Type") || "").includes("json") ? await answer.json() : await answer.text();
  if (answer.status === 401) at("entrance").hidden = false;
  if (!answer.ok) throw new Error(told.detail || `the server says ${answer.status}`);
  return told;
}

const modelPath = (verb = "") => `v1/models/${encodeURIComponent(at("model").value)}${verb}`;

// A bar from the left, or from the middle where values may be below zero.
function bar(name, value, most, signed, text) {
  const line = part("div", undefined, "bar"), picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", "0 0 100 10");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("aria-hidden", "true");
  const box = document.createElementNS(svg, "rect"), share = most > 0 ? Math.min(1, Math.abs(value) / most) : 0;
  const width = share * (signed ? 50 : 100);
  box.setAttribute("x", signed ? (value < 0 ? 50 - width : 50) : 0);
  box.setAttribute("y", 1);
  box.setAttribute("width", width);
  box.setAttribute("height", 8);
  box.setAttribute("class", value < 0 ? "against" : "for");
  picture.append(box);
  if (signed) {
    const middle = document.createElementNS(svg, "line");
    for (const [key, place] of [["x1", 50], ["x2", 50], ["y1", 0], ["y2", 10]]) middle.setAttribute(key, place);
    picture.append(middle);
  }
  line.append(part("span", name), picture, part("span", text, "number"));
  return line;
}

function fieldOf(column, number) {
  const line = part("div", undefined, "field"), label = part("label", column.name);
  const field = part(column.levels ? "select" : column.kind === "text" ? "textarea" : "input");
  field.id = `field-${number}`;
  label.htmlFor = field.id;
  field.dataset.name = column.name;
  if (column.levels) {
    field.append(part("option", ""));
    for (const level of column.levels) field.append(part("option", level));
  } else if (column.kind !== "text") {
    field.type = "number";
    field.step = "any";
    if (column.range) {
      field.placeholder = `usually ${column.range[0]} to ${column.range[1]}`;
      field.title = field.placeholder;
    }
  }
  line.append(label, field);
  return line;
}

function build() {
  const model = models.find(each => each.name === at("model").value);
  if (!model) return;
  const learns = model.learns ? ", learns" : "";
  at("facts").textContent = `${model.model}, ${model.rows} rows, target ${model.target || "unnamed"}, ${model.classes.length} classes${learns}`;
  at("form").replaceChildren(...model.columns.map(fieldOf));
  predict();
  watch();
}

function typedRow() {
  const row = {};
  for (const field of at("form").querySelectorAll("input,select,textarea"))
    row[field.dataset.name] = field.value === "" ? null : field.type === "number" ? Number(field.value) : field.value;
  return row;
}

function showAnswer(one) {
  const shares = Object.entries(one.probabilities).sort((a, b) => b[1] - a[1]).slice(0, 20);
  at("answer").replaceChildren(part("p", one.label === null ? "no decision" : `${one.label}`, "label"),
    ...shares.map(([name, p]) => bar(name, p, 1, false, p.toFixed(4))));
}

// What each column adds to the log odds of the class that was found against the one behind it.
function showWhy(one, why) {
  const [first, second] = Object.entries(one.probabilities).sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const pulls = Object.entries(why.contributions[first] || {}).map(([name, value]) => [name, value - ((why.contributions[second] || {})[name] || 0)]);
  pulls.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  at("against").textContent = second === undefined ? "" : `for ${first} against ${second}`;
  const most = Math.max(0, ...pulls.map(([, value]) => Math.abs(value)));
  at("why").replaceChildren(...pulls.slice(0, 30).map(([name, value]) => bar(name, value, most, true, value.toFixed(3))));
}

async function predict() {
  const mine = ++turn, rows = [typedRow()];
  try {
    const found = await ask(modelPath(":predict"), {rows, outputs: ["probabilities"]});
    if (mine !== turn) return;
    showAnswer(found.predictions[0]);
    at("problem").textContent = "";
    const why = await ask(modelPath(":explain"), {rows});
    if (mine === turn) showWhy(found.predictions[0], why.explanations[0]);
  } catch (problem) {
    if (mine === turn) at("problem").textContent = problem.message;
  }
}

function fill(table, titles, rows) {
  const head = part("tr");
  head.append(...titles.map((title, k) => part("th", title, k > 0 ? "number" : "")));
  table.replaceChildren(head, ...rows.map(({cells, className}) => {
    const line = part("tr", undefined, className);
    line.append(...cells.map((cell, k) => part("td", cell, k > 0 ? "number" : "")));
    return line;
  }));
}

function showDrift(asked) {
  const share = value => `${(100 * value).toFixed(1)} %`;
  at("asked").textContent = asked.rows === 0 ? "Nothing was asked yet." : `${asked.rows} rows asked` +
    (asked.novel_share === undefined || asked.novel_share === null ? "" : `, ${share(asked.novel_share)} of them novel`) + ".";
  if (!asked.drift) return fill(at("drift"), [], []);
  const told = (value, digits) => value === null || value === undefined ? "" : value.toPrecision(digits);
  const line = (name, each) => ({cells: [name, told(each.divergence, 3), told(each.adjusted_p_value ?? each.p_value, 2)],
    className: (each.adjusted_p_value ?? each.p_value ?? 1) < 0.01 ? "drifted" : ""});
  fill(at("drift"), ["column", "divergence", "p value"],
    [line("(classes)", asked.drift.classes), ...asked.drift.columns.map(each => line(each.column, each))]);
}

// Prometheus' text to [name, labels, value].
function samples(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const parts = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!parts || line.startsWith("#")) continue;
    const labels = {};
    for (const [, key, value] of (parts[2] || "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value.replace(/\\(.)/g, (_, c) => c === "n" ? "\n" : c);
    found.push([parts[1], labels, Number(parts[3])]);
  }
  return found;
}

function showMetrics(text) {
  const all = samples(text), routes = new Map();
  const routeOf = labels => {
    const key = `${labels.model} ${labels.route}`;
    if (!routes.has(key)) routes.set(key, {model: labels.model, route: labels.route, count: 0, failed: 0, rows: 0, buckets: []});
    return routes.get(key);
  };
  for (const [name, labels, value] of all) {
    if (name === "suffice_requests_total") {
      routeOf(labels).count += value;
      if (Number(labels.status) >= 400) routeOf(labels).failed += value;
    }
    if (name === "suffice_rows_total") routeOf(labels).rows = value;
    if (name === "suffice_request_seconds_bucket") routeOf(labels).buckets.push([labels.le, value]);
  }
  const below = (buckets, share) => {
    const most = buckets.length ? buckets[buckets.length - 1][1] : 0;
    const found = buckets.find(([, count]) => count >= share * most);
    return !found || most === 0 ? "" : found[0] === "+Inf" ? "over 5 s" : `${Number((1000 * Number(found[0])).toPrecision(3))} ms`;
  };
  fill(at("metrics"), ["route", "requests", "refused", "rows", "half within", "99 % within"],
    [...routes.values()].map(each => ({cells: [each.model ? `${each.model}:${each.route}` : each.route, each.count, each.failed, each.rows,
      below(each.buckets, 0.5), below(each.buckets, 0.99)]})));
  const one = name => (all.find(each => each[0] === `suffice_${name}`) || [])[2];
  at("process").textContent = `${(one("resident_memory_bytes") / 1e6).toFixed(1)} MB, ${one("connections")} connections, ${one("queue")} in the queue, up ${Math.round(one("uptime_seconds"))} s`;
}

async function watch() {
  try {
    showMetrics(await ask("metrics"));
    if (at("model").value) showDrift(await ask(modelPath(":asked")));
  } catch (problem) {
    at("process").textContent = problem.message;
  }
}

async function enter() {
  try {
    models = (await ask("v1/models")).models;
    at("entrance").hidden = true;
    at("problem").textContent = models.length ? "" : "No model is served yet.";
    at("model").replaceChildren(...models.map(each => part("option", each.name)));
    build();
  } catch (problem) {
    at("problem").textContent = problem.message;
  }
}

at("form").addEventListener("input", predict);
at("form").addEventListener("submit", event => event.preventDefault());
at("clear").addEventListener("click", () => { at("form").reset(); predict(); });
at("model").addEventListener("change", build);
at("entrance").addEventListener("submit", event => { event.preventDefault(); token = at("token").value; enter(); });
setInterval(watch, 5000);
enter();
