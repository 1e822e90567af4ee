// What several lessons share: a plane of points with a model's field and boundary behind them.
import { Chart } from "../chart.js";
import { csv } from "../dom.js";

export const GRID = 220;

export function rowsOf(points) {
  const values = new Float64Array(2 * points.length);
  const codes = new Int32Array(points.length);
  points.forEach(([x, y, code], k) => {
    values[2 * k] = x;
    values[2 * k + 1] = y;
    codes[k] = code;
  });
  return { values, codes, columns: 2 };
}

export function gridRequest(view, show = "posterior") {
  return { do: "grid", ...view, columns: GRID, rows: GRID, show };
}

export function drawPlane(chart, grid, points, classes) {
  chart.clear();
  if (grid) chart.field(grid.plane, GRID, GRID, classes);
  for (const line of grid?.boundaries ?? []) chart.line(line, { width: 2.5, kind: "boundary" });
  if (points.length > 1500) chart.dots(points.flatMap(([x, y]) => [x, y]), points.map((point) => point[2]));
  else for (const [x, y, code] of points) chart.point([x, y], code);
}

export const VIEW = { left: -5, right: 5, bottom: -4, top: 4 };

export function plane(title, view = VIEW) {
  return new Chart({ title, x: "x", y: "y", view });
}

// Coordinates to a thousandth, so that addresses stay short and files say what is seen.
export const rounded = (value) => Math.round(value * 1000) / 1000;

export function pointsFile(points, names) {
  return csv(["x", "y", "class"], points.map(([x, y, code]) => [x, y, code < 0 ? "" : names[code]]));
}

// The class names of n classes.
export const LETTERS = ["a", "b", "c", "d"];
