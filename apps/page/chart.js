// Pictures: a plane with axes, points, lines and handles that are dragged or moved by keys. SVG over a canvas.
import { make, short, svg } from "./dom.js";

// Okabe and Ito's colours, which people with any kind of colour vision tell apart; each class also has a shape.
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const RGB = COLOURS.map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
const WIDTH = 560;
const HEIGHT = 400;
const EDGE = { left: 58, right: 10, top: 10, bottom: 40 };  // room for letters of 15 units, which phones have

const signed = (value) => String(value).replace("-", "\u2212");
let charts = 0;

function ticks(low, high, most = 6) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}

const SHAPES = [
  (x, y, r) => svg("circle", { cx: x, cy: y, r }),
  (x, y, r) => svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
  (x, y, r) => svg("path", { d: `M${x} ${y - 1.3 * r}l${1.2 * r} ${2.2 * r}h${-2.4 * r}z` }),
  (x, y, r) => svg("path", { d: `M${x} ${y - 1.3 * r}l${1.3 * r} ${1.3 * r}l${-1.3 * r} ${1.3 * r}l${-1.3 * r} ${-1.3 * r}z` }),
];

export class Chart {
  // view: {left, right, bottom, top}; names of the axes; what the picture shows, in words.
  constructor({ title, x, y, view, height = HEIGHT, width: wide = WIDTH }) {
    this.view = view;
    this.width = wide;
    this.height = height;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    const clip = `inside-${++charts}`;
    const { left, top, width, height: tall } = this.inner;
    const inside = svg("clipPath", { id: clip }, svg("rect", { x: left, y: top, width, height: tall }));
    this.below = svg("g", { "clip-path": `url(#${clip})` });
    this.marks = svg("g", {});
    this.handles = svg("g", {});
    this.frame = svg("g", { class: "frame", "aria-hidden": "true" });
    this.title = svg("title", {}, title);
    this.svg = svg("svg", { viewBox: `0 0 ${wide} ${height}`, role: "group", "aria-label": title }, this.title, inside, this.frame, this.below, this.marks, this.handles);
    this.element = make("figure", { class: "chart" }, make("div", { class: "stage" }, this.canvas, this.svg));
    this.names = { x, y };
    this.drawFrame();
  }

  get inner() {
    return { left: EDGE.left, top: EDGE.top, width: this.width - EDGE.left - EDGE.right, height: this.height - EDGE.top - EDGE.bottom };
  }
  px(x) { return this.inner.left + ((x - this.view.left) / (this.view.right - this.view.left)) * this.inner.width; }
  py(y) { return this.inner.top + ((this.view.top - y) / (this.view.top - this.view.bottom)) * this.inner.height; }

  see(view) {
    this.view = view;
    this.drawFrame();
  }

  drawFrame() {
    const { left, top, width, height } = this.inner;
    const parts = [svg("rect", { x: left, y: top, width, height, class: "border" })];
    for (const value of ticks(this.view.left, this.view.right, Math.max(5, this.width / 90))) {
      const at = this.px(value);
      parts.push(svg("line", { x1: at, x2: at, y1: top + height, y2: top + height + 4 }),
        svg("text", { x: at, y: top + height + 16, "text-anchor": "middle" }, signed(value)));
    }
    for (const value of ticks(this.view.bottom, this.view.top, this.height / 60)) {
      const at = this.py(value);
      parts.push(svg("line", { x1: left - 4, x2: left, y1: at, y2: at }), svg("text", { x: left - 7, y: at + 4, "text-anchor": "end" }, signed(value)));
    }
    parts.push(svg("text", { x: left + width / 2, y: this.height - 3, "text-anchor": "middle" }, this.names.x),
      svg("text", { x: 11, y: top + height / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${top + height / 2})` }, this.names.y));
    this.frame.replaceChildren(...parts);
    Object.assign(this.canvas.style, {
      left: `${(100 * left) / this.width}%`, top: `${(100 * top) / this.height}%`,
      width: `${(100 * width) / this.width}%`, height: `${(100 * height) / this.height}%`,
    });
  }

  clear() {
    this.below.replaceChildren();
    this.marks.replaceChildren();
    this.canvas.width = this.canvas.width;
  }

  // Values at the corners of a grid, bottom row first: posteriors of every class, or one share each.
  field(plane, columns, rows, classes) {
    const image = new ImageData(columns, rows);
    const each = plane.length / (columns * rows);
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) {
        const from = (row * columns + column) * each;
        const to = 4 * ((rows - 1 - row) * columns + column);
        if (each === 1) {
          image.data.set([90, 90, 90, 200 * plane[from]], to);
          continue;
        }
        let red = 0, green = 0, blue = 0;
        for (let c = 0; c < classes; ++c) {
          const colour = RGB[c % RGB.length];
          red += plane[from + c] * colour[0];
          green += plane[from + c] * colour[1];
          blue += plane[from + c] * colour[2];
        }
        image.data.set([red, green, blue, 90], to);
      }
    }
    this.canvas.width = columns;
    this.canvas.height = rows;
    this.canvas.getContext("2d").putImageData(image, 0, 0);
  }

  // Very many points are drawn on the canvas over the field.
  dots(values, codes) {
    const scale = 2;
    const over = make("canvas", {});
    over.width = this.inner.width * scale;
    over.height = this.inner.height * scale;
    const pen = over.getContext("2d");
    pen.imageSmoothingEnabled = true;
    if (this.canvas.width > 1) pen.drawImage(this.canvas, 0, 0, over.width, over.height);
    for (let k = 0; k < codes.length; ++k) {
      pen.fillStyle = COLOURS[codes[k] % COLOURS.length];
      pen.fillRect((this.px(values[2 * k]) - this.inner.left) * scale - 1, (this.py(values[2 * k + 1]) - this.inner.top) * scale - 1, 3, 3);
    }
    this.canvas.width = over.width;
    this.canvas.height = over.height;
    this.canvas.getContext("2d").drawImage(over, 0, 0);
  }

  line(points, { colour = "currentColor", dash, width = 2, kind = "line", fill = "none" } = {}) {
    if (points.length === 0) return;
    const d = points.map(([x, y], k) => `${k ? "L" : "M"}${this.px(x).toFixed(2)} ${this.py(y).toFixed(2)}`).join("");
    this.below.append(svg("path", { d, fill, stroke: colour, "stroke-width": width, class: kind, ...(dash ? { "stroke-dasharray": dash } : {}) }));
  }

  bars(places, heights, { colour, width, shift = 0 }) {
    places.forEach((x, k) => {
      const [zero, end] = [this.py(0), this.py(heights[k])];
      this.below.append(svg("rect", { x: this.px(x) + shift - width / 2, y: Math.min(zero, end), width, height: Math.abs(zero - end), fill: colour, "fill-opacity": 0.75 }));
    });
  }

  point([x, y], code, { radius = 4.5, hollow = false, colour } = {}) {
    if (x < this.view.left || x > this.view.right || y < this.view.bottom || y > this.view.top) return;
    const mark = SHAPES[Math.max(code, 0) % SHAPES.length](this.px(x), this.py(y), radius);
    const paint = colour ?? (code < 0 ? "#888888" : COLOURS[code % COLOURS.length]);
    mark.setAttribute("fill", hollow ? "none" : paint);
    mark.setAttribute("stroke", hollow ? paint : "var(--paper)");
    mark.setAttribute("class", "point");
    this.marks.append(mark);
  }

  label([x, y], words) {
    this.marks.append(svg("text", { x: this.px(x), y: this.py(y), class: "label" }, words));
  }

  // Where a pointer is, in the picture's own numbers.
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const y = ((event.clientY - box.top) / box.height) * this.height;
    const { left, top, width, height } = this.inner;
    return [
      this.view.left + ((x - left) / width) * (this.view.right - this.view.left),
      this.view.top - ((y - top) / height) * (this.view.top - this.view.bottom),
    ];
  }

  inside([x, y]) {
    return x >= this.view.left && x <= this.view.right && y >= this.view.bottom && y <= this.view.top;
  }

  // Clicks and strokes on the empty plane; by keys, a cross that the arrows move and Enter or the space bar paints with.
  onPaint(paint, name = "add a point: arrows move, Enter adds") {
    let last = null;
    const mark = this.cross(name, paint);
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".handle")) return;
      const place = this.at(event);
      if (!this.inside(place)) return;
      last = [event.clientX, event.clientY];
      paint(place);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!last || event.buttons === 0 || Math.hypot(event.clientX - last[0], event.clientY - last[1]) < 12) return;
      last = [event.clientX, event.clientY];
      paint(this.at(event));
    });
    addEventListener("pointerup", () => { last = null; });
    return { allow: (on) => { mark.style.display = on ? "" : "none"; } };
  }

  cross(name, act) {
    let place = [(this.view.left + this.view.right) / 2, (this.view.bottom + this.view.top) / 2];
    const mark = svg("path", { d: "M-9 0H9M0 -9V9", class: "cross", tabindex: 0, role: "button", stroke: "currentColor", "stroke-width": 2 });
    const set = (next) => {
      place = [Math.min(this.view.right, Math.max(this.view.left, next[0])), Math.min(this.view.top, Math.max(this.view.bottom, next[1]))];
      mark.setAttribute("transform", `translate(${this.px(place[0])} ${this.py(place[1])})`);
      mark.setAttribute("aria-label", `${name} (${this.names.x} ${short(place[0])}, ${this.names.y} ${short(place[1])})`);
    };
    mark.addEventListener("keydown", (event) => {
      const by = this.keyMove(event);
      if (!by && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (by) set([place[0] + by[0], place[1] + by[1]]);
      else act(place);
    });
    set(place);
    this.svg.append(mark);
    return mark;
  }

  // What an arrow key moves by; ten times as far with Shift.
  keyMove(event) {
    const share = event.shiftKey ? 0.1 : 0.01;
    const [step, rise] = [share * (this.view.right - this.view.left), share * (this.view.top - this.view.bottom)];
    return { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, rise], ArrowDown: [0, -rise] }[event.key];
  }

  // A handle that is dragged, or moved by the arrow keys. `only` fixes an axis: "x" or "y".
  handle(name, place, move, { colour = "currentColor", only, ring = false } = {}) {
    const mark = svg("circle", { r: ring ? 7 : 9, class: ring ? "handle ring" : "handle", tabindex: 0, role: "slider", fill: ring ? "var(--paper)" : colour, stroke: ring ? colour : "var(--paper)", "stroke-width": 2.5 });
    const set = (next) => {
      place = next;
      mark.setAttribute("cx", this.px(next[0]));
      mark.setAttribute("cy", this.py(next[1]));
      mark.setAttribute("aria-label", name);
      const upright = only === "y";
      mark.setAttribute("aria-valuemin", upright ? this.view.bottom : this.view.left);
      mark.setAttribute("aria-valuemax", upright ? this.view.top : this.view.right);
      mark.setAttribute("aria-valuenow", String(next[upright ? 1 : 0]));
      mark.setAttribute("aria-valuetext", only ? short(next[only === "x" ? 0 : 1]) : `${this.names.x} ${short(next[0])}, ${this.names.y} ${short(next[1])}`);
    };
    const go = (next) => {
      const kept = only === "x" ? [next[0], place[1]] : only === "y" ? [place[0], next[1]] : next;
      set(kept);
      move(kept);
    };
    mark.addEventListener("pointerdown", (event) => {
      mark.setPointerCapture(event.pointerId);
      event.preventDefault();
      mark.focus();
    });
    mark.addEventListener("pointermove", (event) => { if (mark.hasPointerCapture(event.pointerId)) go(this.at(event)); });
    mark.addEventListener("keydown", (event) => {
      const by = this.keyMove(event);
      if (!by) return;
      event.preventDefault();
      go([place[0] + by[0], place[1] + by[1]]);
    });
    set(place);
    this.handles.append(mark);
    return { set, mark };
  }
}

export function legend(names) {
  return make("ul", { class: "legend" }, ...names.map((name, code) => {
    const picture = svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" });
    const mark = SHAPES[code % SHAPES.length](7, 7, 4.5);
    mark.setAttribute("fill", COLOURS[code % COLOURS.length]);
    picture.append(mark);
    return make("li", {}, picture, name);
  }));
}
