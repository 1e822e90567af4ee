// Lesson 1: Gaussian classes in the plane, stated by hand or learned from points.
import { COLOURS, legend } from "../chart.js";
import { button, choice, make, number, replace, short, shown, slider, table } from "../dom.js";
import { drawPlane, gridRequest, LETTERS, plane, pointsFile, rounded, rowsOf, VIEW } from "./plane.js";

const MODELS = [
  ["quadratic_discriminant", "own covariances (QDA)"],
  ["linear_discriminant", "one shared covariance (LDA)"],
  ["gaussian_nb", "own, diagonal (naive Bayes)"],
  ["diagonal_discriminant", "shared, diagonal"],
  ["spherical_discriminant", "shared, spherical (nearest mean)"],
  ["grouped_discriminant", "grouped: a and b share one"],
];
const OUTLIER = [4.2, 3.6];
const SPOTS = [[-1.5, -0.5], [1.5, 0.7], [-0.2, 2.2], [0.8, -2.4]];

const fresh = (k) => ({ mean: SPOTS[k], axes: [[1.1, 0.6], [0.8, 0.7], [0.9, 0.5], [0.7, 0.7]][k], angle: [0.6, 0, 2.2, 0][k], prior: 0.5 });

function given(state, shared) {
  const total = state.classes.reduce((sum, each) => sum + each.prior, 0);
  const of = (pick) => Object.fromEntries(state.classes.map((each, k) => [LETTERS[k], pick(each)]));
  const shape = (each) => ({ axes: each.axes, angle: each.angle });
  return {
    priors: of((each) => each.prior / total), columns: ["x", "y"], means: of((each) => each.mean),
    ...(shared ? { covariance: shape(state.classes[0]) } : { covariances: of(shape) }),
  };
}

// The score of the second class against the first, with the numbers in it.
function formula({ constant, linear, quadratic }) {
  const term = (value, name) => ` ${value < 0 ? "\u2212" : "+"} ${short(Math.abs(value))} ${name}`;
  let text = `log p(b | x, y) / p(a | x, y) = ${short(constant)}${term(linear[0], "x")}${term(linear[1], "y")}`;
  if (quadratic) text += `${term(quadratic[0], "x\u00b2")}${term(quadratic[1] + quadratic[2], "xy")}${term(quadratic[3], "y\u00b2")}`;
  return text;
}

export default {
  name: "two_classes",
  title: "Two classes, drag everything",
  text: `<p>Each class is a Gaussian: a mean, a covariance (the ellipse holds two standard deviations) and a prior. By Bayes' rule they give the
posterior, which colours the plane, and the boundary where two classes are equally probable. With one shared covariance the boundary is a straight line
w&middot;x + w<sub>0</sub> = 0; with covariances of their own it is a quadric.</p>`,
  try: `<p>Drag a mean (the filled handle) or an axis of an ellipse (the ring); arrow keys move a handle too. Make the covariances equal, and watch the curve become a line.
Then choose &ldquo;learned from points&rdquo;, draw some from the stated model, add an outlier by clicking far away, and compare the structures.</p>`,
  first: () => ({ from: "stated", shared: false, classes: [fresh(0), fresh(1)], model: "quadratic_discriminant", points: [], brush: 0, show: "posterior", count: 100, seed: 1 }),

  mount(root, page) {
    const { state } = page;
    const chart = plane("Classes in the plane: drag means and axes, or click to add points");
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    root.append(make("div", { class: "bench" }, make("div", {}, chart.element, make("div", { id: "names" })), make("div", {}, controls)), numbers);
    let answer;

    const paint = chart.onPaint(([x, y]) => {
      if (state.from !== "learned") return;
      state.points.push([rounded(x), rounded(y), state.brush]);
      page.changed();
    });

    function handles() {
      chart.handles.replaceChildren();
      if (state.from !== "stated") return;
      state.classes.forEach((each, k) => {
        const colour = COLOURS[k];
        const ends = () => [0, 1].map((axis) => {
          const turn = each.angle + (axis * Math.PI) / 2;
          return [each.mean[0] + each.axes[axis] * Math.cos(turn), each.mean[1] + each.axes[axis] * Math.sin(turn)];
        });
        const rings = state.shared && k > 0 ? [] : [0, 1].map((axis) => chart.handle(`class ${LETTERS[k]}: axis ${axis + 1} of its covariance`, ends()[axis], ([x, y]) => {
          const [dx, dy] = [x - each.mean[0], y - each.mean[1]];
          each.axes[axis] = Math.max(0.1, rounded(Math.hypot(dx, dy)));
          each.angle = rounded(Math.atan2(dy, dx) - (axis * Math.PI) / 2);
          rings.forEach((ring, other) => ring.set(ends()[other]));
          page.changed();
        }, { colour, ring: true }));
        chart.handle(`mean of class ${LETTERS[k]}`, each.mean, ([x, y]) => {
          each.mean = [rounded(x), rounded(y)];
          rings.forEach((ring, axis) => ring.set(ends()[axis]));
          page.changed();
        }, { colour });
      });
    }

    async function drawPoints() {
      const [, drawn] = await page.ask([{ do: "state", given: given(state, state.shared) }, { do: "draw", count: state.count, seed: state.seed++ }]);
      state.points = drawn.rows.map(([x, y], k) => [rounded(x), rounded(y), drawn.codes[k]]);
      state.from = "learned";
      build();
      page.changed();
    }

    function build() {
      const again = () => { build(); page.changed(); };
      const each = state.classes.map((one, k) => make("fieldset", {}, make("legend", {}, `class ${LETTERS[k]}`),
        slider("prior weight", { least: 0.05, most: 1, step: 0.05, value: one.prior }, (value) => { one.prior = value; page.changed(); }),
        number("mean of x", one.mean[0], (value) => { one.mean[0] = value; again(); }),
        number("mean of y", one.mean[1], (value) => { one.mean[1] = value; again(); })));
      const stated = [
        choice("covariances", [["false", "one for each class"], ["true", "shared (that of a)"]], state.shared, (value) => { state.shared = value === "true"; again(); }), ...each,
      ];
      const learned = [
        choice("structure", MODELS, state.model, (value) => { state.model = value; page.changed(); }),
        choice("click adds a point of class", state.classes.map((_, k) => [String(k), LETTERS[k]]), state.brush, (value) => { state.brush = Number(value); page.changed(); }),
        make("p", { class: "row" }, button("Add an outlier", () => { state.points.push([OUTLIER[0], OUTLIER[1] - 0.2 * (state.points.length % 5), state.brush]); page.changed(); }), button("Remove all points", () => { state.points = []; page.changed(); })),
      ];
      replace(controls,
        choice("the model is", [["stated", "stated by hand"], ["learned", "learned from points"]], state.from, (value) => { state.from = value; again(); }),
        choice("colour shows", [["posterior", "posteriors"], ["density", "densities"]], state.show, (value) => { state.show = value; page.changed(); }),
        number("points to draw", state.count, (value) => { state.count = Math.min(10000, Math.max(2, Math.round(value))); page.changed(); }, 1),
        make("p", { class: "row" }, button("Draw points from the stated model", drawPoints),
          state.classes.length < 4 ? button("Add a class", () => { state.classes.push(fresh(state.classes.length)); again(); }) : null,
          state.classes.length > 2 ? button("Remove a class", () => { state.classes.pop(); state.points = state.points.filter((point) => point[2] < state.classes.length); state.brush = 0; again(); }) : null),
        ...(state.from === "stated" ? stated : learned));
      replace(document.getElementById("names") ?? numbers, legend(state.classes.map((_, k) => `class ${LETTERS[k]}`)));
      handles();
      paint.allow(state.from === "learned");
    }

    function request(model = state.model) {
      if (state.from === "stated") return { do: "state", given: given(state, state.shared) };
      const classes = state.classes.map((_, k) => LETTERS[k]);
      const groups = [classes.slice(0, 2), ...classes.slice(2).map((name) => [name])];
      return { do: "fit", columns: ["x", "y"], classes, model, ...(model === "grouped_discriminant" ? { groups } : {}) };
    }

    // Every structure on the same points; one that cannot be had of them says nothing.
    async function structures(rows) {
      const found = [];
      for (const [model, name] of MODELS) {
        try {
          const [told, judged] = await page.ask([request(model), { do: "evaluate", positive: 1 }], rows);
          found.push([name, shown(`count.${model}`, told.parameter_count), shown(`bic.${model}`, told.bic), shown(`accuracy.${model}`, judged.accuracy)]);
        } catch {
          found.push([name, "none", "none", "none"]);
        }
      }
      return table(["covariances", "free parameters", "BIC", "right on these points"], found, "All of them compared: the lowest BIC is best");
    }

    async function draw() {
      const rows = rowsOf(state.points);
      if (state.from === "learned" && new Set(state.points.map((point) => point[2])).size < 2) {
        drawPlane(chart, null, state.points, state.classes.length);
        replace(numbers, make("p", {}, "Click in the picture to add points of at least two classes, or draw some from the stated model."));
        return;
      }
      const [model, grid] = await page.ask([request(), gridRequest(chart.view, state.show)], rows);
      const all = state.from === "learned" && state.points.length <= 3000 ? await structures(rows) : null;
      answer = model;
      drawPlane(chart, grid, state.points, model.classes.length);
      model.outlines.forEach((line, k) => chart.line(line, { colour: COLOURS[LETTERS.indexOf(model.classes[k].name)], width: 2 }));
      if (state.show === "density") model.inner_outlines.forEach((line, k) => chart.line(line, { colour: COLOURS[LETTERS.indexOf(model.classes[k].name)], width: 1.2 }));
      tell(model, all);
    }

    function tell(model, all) {
      const { contrast } = model;
      replace(numbers,
        contrast ? make("p", { class: "formula", tabindex: 0, role: "region", "aria-label": "The score with its numbers" }, formula(contrast)) : null,
        contrast ? table(["number", "value"], [["w0", shown("w0", contrast.constant)], ["w of x", shown("w.x", contrast.linear[0])], ["w of y", shown("w.y", contrast.linear[1])]],
          contrast.quadratic ? "The linear part of the score" : "The boundary w\u00b7x + w0 = 0") : null,
        table(["parameter", ...model.classes.map((each) => each.name)], [
          ["prior", ...model.classes.map((each) => shown(`prior.${each.name}`, each.prior))],
          ...model.columns.map((column) => [`mean of ${column.name}`, ...model.classes.map((each) => shown(`mean.${column.name}.${each.name}`, column.parameters[each.name].mean))]),
          ...model.columns.map((column) => [`variance of ${column.name}`, ...model.classes.map((each) => shown(`variance.${column.name}.${each.name}`, column.parameters[each.name].variance))]),
        ], "Parameters"),
        ...(model.covariances ?? []).map((each) => table(["column", ...each.columns], each.columns.map((name, row) => [name, ...each.values[row].map((value, column) => shown(`covariance.${each.classes[0]}.${row}${column}`, value))]), `Covariance of ${each.classes.join(", ")}`)),
        make("p", {}, "Free parameters: ", shown("parameter_count", model.parameter_count),
          ...(state.from === "learned" ? [". Log-likelihood ", shown("log_likelihood", model.log_likelihood), ", BIC ", shown("bic", model.bic)] : [])),
        all, ...(model.said ?? []).map((said) => make("p", {}, said)));
    }

    build();
    return {
      draw,
      reproduce() {
        if (state.from === "learned") {
          const extra = state.model === "grouped_discriminant" ? ["--groups", [state.classes.slice(0, 2).map((_, k) => LETTERS[k]).join(","), ...state.classes.slice(2).map((_, k) => LETTERS[k + 2])].join(";")] : [];
          return {
            files: { "points.csv": pointsFile(state.points, LETTERS) },
            commands: [["fit", "points.csv", "--target", "class", "--model", state.model, ...extra, "-o", "model.suf"], ["inspect", "model.suf", "--json"]],
            python: `import pandas, suffice\npoints = pandas.read_csv("points.csv")\nmodel = suffice.fit_files("points.csv", target="class", model="${state.model}"${extra.length ? `, groups=${JSON.stringify(request().groups)}` : ""})\nmodel.predict_proba(points[["x", "y"]])`,
          };
        }
        return {
          files: answer?.given ? { "given.json": JSON.stringify(answer.given, null, 1) } : {},
          commands: [["fit", "--given", "given.json", "-o", "model.suf"], ["inspect", "model.suf", "--json"]],
          python: `import json, suffice\ngiven = json.load(open("given.json"))\nmodel = suffice.given_model(given["priors"], given["means"], given.get("covariance") or given["covariances"], given["columns"])\nmodel.predict_proba([[0.0, 0.0]])`,
        };
      },
    };
  },
};
