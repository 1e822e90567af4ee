// Small pieces of the page: elements, labelled controls, numbers that keep all their digits.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

let labels = 0;
function labelled(text, control, after) {
  control.id ||= `control-${++labels}`;
  return make("div", { class: "control" }, make("label", { for: control.id }, text), control, ...(after ? [after] : []));
}

export function choice(text, options, value, change) {
  const control = make("select", { onchange: () => change(control.value) });
  for (const option of options) {
    const [name, shown] = Array.isArray(option) ? option : [option, option];
    control.append(make("option", { value: name, selected: name === String(value) }, shown));
  }
  return labelled(text, control);
}

export function slider(text, { least, most, step, value }, change) {
  const shown = make("output", { class: "beside" }, String(value));
  const control = make("input", {
    type: "range", min: least, max: most, step, value,
    oninput: () => { shown.textContent = control.value; change(Number(control.value)); },
  });
  return labelled(text, control, shown);
}

export function number(text, value, change, step = 0.1) {
  const control = make("input", {
    type: "number", step, value,
    onchange: () => { if (control.value !== "" && Number.isFinite(Number(control.value))) change(Number(control.value)); },
  });
  return labelled(text, control);
}

export function words(text, value, change, attributes = {}) {
  const control = make("input", { type: "text", value, ...attributes, oninput: () => change(control.value) });
  return labelled(text, control);
}

export function tick(text, checked, change) {
  const control = make("input", { type: "checkbox", checked, onchange: () => change(control.checked) });
  control.id = `control-${++labels}`;
  return make("div", { class: "control tick" }, control, make("label", { for: control.id }, text));
}

export function button(text, click) {
  return make("button", { type: "button", onclick: click }, text);
}

export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "none";
  if (typeof value !== "number") return String(value);
  return String(Number(value.toPrecision(4))).replace("-", "\u2212");
}

// A number on the page: four digits to read, all of them in data-value.
export function shown(name, value) {
  return make("output", { "data-name": name, "data-value": value === null || value === undefined ? "" : JSON.stringify(value) }, short(value));
}

export function table(head, rows, caption) {
  const cell = (value) => (value instanceof Node ? value : typeof value === "number" ? short(value) : String(value));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    make("table", {}, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...rows.map(([first, ...rest]) =>
        make("tr", {}, make("th", { scope: "row" }, cell(first)), ...rest.map((value) => make("td", {}, cell(value))))))));
}

// What a control is called, so that its successor is found.
const called = (control) => `${control.tagName} ${control.getAttribute("aria-label") ?? (control.labels?.[0] ?? control).textContent}`;

// New children; who was in the middle of using a control by keys finds its successor in focus.
export function replace(element, ...children) {
  const used = element.contains(document.activeElement) ? called(document.activeElement) : null;
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  if (used === null) return;
  const next = [...element.querySelectorAll("button, input, select, textarea, [tabindex]")].find((control) => called(control) === used);
  next?.focus({ preventScroll: true });
}

export function csv(head, rows) {
  return [head, ...rows].map((row) => row.map((cell) => (cell === null ? "" : String(cell))).join(",")).join("\n") + "\n";
}

export function download(name, content) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
