// A surface over the plane, seen from aside: the heights of a grid as a hill that can be turned.
import { COLOURS } from "./chart.js";
import { make, slider } from "./dom.js";

const [WIDTH, HEIGHT] = [560, 330];
const SCALE = 330;  // pixels of the plane's side
const TILT = 0.42;  // how much of a step away from the eye goes up
const RISE = 150;   // pixels of the height 1
const EVERY = 5;    // corners of the grid from mesh line to mesh line
const RGB = COLOURS.map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));

export class Surface {
  // `turned` is told the angle in degrees when it is turned.
  constructor({ title, angle, turned }) {
    this.canvas = make("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT, role: "img", "aria-label": title, class: "surface" });
    this.angle = angle;
    this.control = slider("turn the surface (degrees)", { least: 0, most: 355, step: 5, value: angle }, (value) => {
      this.angle = value;
      turned(value);
      this.paint();
    });
    this.element = make("figure", { class: "chart" }, this.canvas, this.control);
  }

  // Heights from 0 to 1 and a colour at every corner of a square grid, bottom row first.
  show(title, size, height, colour) {
    this.canvas.setAttribute("aria-label", title);
    const lines = Math.floor((size - 1) / EVERY) + 1;
    const at = (line) => Math.min(size - 1, line * EVERY);
    this.mesh = Array.from({ length: lines * lines }, (_, k) => {
      const [column, row] = [at(k % lines), at(Math.floor(k / lines))];
      return { x: column / (size - 1) - 0.5, y: row / (size - 1) - 0.5, height: height(row * size + column), colour: colour(row * size + column) };
    });
    this.lines = lines;
    this.paint();
  }

  // Where a place of the plane is on the canvas, and how far away.
  project({ x, y, height }) {
    const turn = (this.angle * Math.PI) / 180;
    const [across, away] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    return { left: WIDTH / 2 + SCALE * across, down: HEIGHT - 100 - SCALE * TILT * away - RISE * height, away };
  }

  paint() {
    if (!this.mesh) return;
    const pen = this.canvas.getContext("2d");
    const ink = getComputedStyle(document.body).color;
    pen.setTransform(2, 0, 0, 2, 0, 0);
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    const spots = this.mesh.map((corner) => ({ ...this.project(corner), colour: corner.colour }));
    const cells = [];
    for (let row = 0; row + 1 < this.lines; ++row) {
      for (let column = 0; column + 1 < this.lines; ++column) {
        const first = row * this.lines + column;
        cells.push([first, first + 1, first + this.lines + 1, first + this.lines].map((k) => spots[k]));
      }
    }
    const edge = (from, to) => {
      const [a, b] = [this.project({ ...from, height: 0 }), this.project({ ...to, height: 0 })];
      pen.beginPath();
      pen.moveTo(a.left, a.down);
      pen.lineTo(b.left, b.down);
      pen.stroke();
    };
    pen.strokeStyle = ink;
    const floor = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => ({ x, y }));
    floor.forEach((corner, k) => edge(corner, floor[(k + 1) % 4]));
    for (const cell of cells.sort((a, b) => b[0].away + b[2].away - a[0].away - a[2].away)) {  // the farthest first
      pen.beginPath();
      cell.forEach((spot, k) => (k ? pen.lineTo(spot.left, spot.down) : pen.moveTo(spot.left, spot.down)));
      pen.closePath();
      pen.fillStyle = `rgb(${cell[0].colour.join(" ")})`;
      pen.strokeStyle = "rgb(0 0 0 / .25)";
      pen.lineWidth = 0.5;
      pen.fill();
      pen.stroke();
    }
    pen.fillStyle = ink;
    pen.font = "14px sans-serif";
    for (const [name, x, y] of [["x \u2192", 0.32, -0.58], ["y \u2192", -0.6, 0.32]]) {
      const { left, down } = this.project({ x, y, height: 0 });
      pen.fillText(name, left - 10, down + 5);
    }
  }
}

// Colours of the classes mixed by their shares, from `from` on.
export function mixed(plane, from, classes) {
  return [0, 1, 2].map((part) => {
    let sum = 0;
    for (let c = 0; c < classes; ++c) sum += plane[from + c] * RGB[c % RGB.length][part];
    return Math.round(sum);
  });
}
