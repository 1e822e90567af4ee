// Lesson 1: Gaussian classes in the plane, stated by hand or learned from points.
import { COLOURS, legend } from "../chart.js";
import { button, choice, make, number, replace, slider } from "../dom.js";
import { mixed, Surface } from "../surface.js";
import { drawPlane, GRID, gridRequest, LETTERS, plane, pointsFile, rounded, rowsOf } from "./plane.js";
import { MODELS, structures, tellModel } from "./two_classes_told.js";

// What covariances a model stated by hand keeps: those that are dragged, or what a structure makes of them.
const STATED = [["own", "own, as dragged (QDA)"], ["shared", "shared: that of a"], ["linear_discriminant", "pooled: one shared (LDA)"], ["gaussian_nb", "own, diagonal"],
  ["diagonal_discriminant", "pooled, diagonal"], ["spherical_discriminant", "pooled, spherical"], ["grouped_discriminant", "grouped: a and b pooled"]];
const SURFACES = [["", "no"], ["posterior", "the posterior"], ["density", "the density of all classes"]];
const OUTLIER = [4.2, 3.6];
const SPOTS = [[-1.5, -0.5], [1.5, 0.7], [-0.2, 2.2], [0.8, -2.4]];

const pairsOf = (count) => LETTERS.slice(1, count).flatMap((of, k) => LETTERS.slice(0, k + 1).map((against) => [of + against, `${of} against ${against}`]));

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

export default {
  name: "two_classes",
  title: "Two classes, drag everything",
  text: `<p>Each class is a Gaussian: a mean, a covariance (the ellipse holds two standard deviations) and a prior. By Bayes' rule they give the
posterior, which colours the plane, and the boundary where two classes are equally probable. With one shared covariance the boundary is a straight line
w&middot;x + w<sub>0</sub> = 0; with covariances of their own it is a quadric.</p>`,
  try: `<p>Drag a mean (the filled handle) or an axis of an ellipse (the ring); arrow keys move a handle too. Pool the covariances, and watch the curve become a line; look at the posterior as a surface, and turn it.
Then choose &ldquo;learned from points&rdquo;, draw some from the stated model, add an outlier by clicking far away, and compare the structures.</p>`,
  first: () => ({ from: "stated", covariances: "own", pair: "", surface: "", angle: 30, classes: [fresh(0), fresh(1)], model: "quadratic_discriminant", points: [], brush: 0, show: "posterior", count: 100, seed: 1 }),

  mount(root, page) {
    const { state } = page;
    const chart = plane("Classes in the plane: drag means and axes, or click to add points");
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    const hill = make("div", {});
    const surface = new Surface({ title: "", angle: state.angle, turned: (angle) => { state.angle = angle; page.changed(); } });
    root.append(make("div", { class: "bench" }, make("div", {}, chart.element, make("div", { id: "names" }), hill), make("div", {}, controls)), numbers);
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
        const rings = state.covariances === "shared" && k > 0 ? [] : [0, 1].map((axis) => chart.handle(`class ${LETTERS[k]}: axis ${axis + 1} of its covariance`, ends()[axis], ([x, y]) => {
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
      const [, drawn] = await page.ask([stated(), { do: "draw", count: state.count, seed: state.seed++ }]);
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
        choice("covariances", STATED, state.covariances, (value) => { state.covariances = value; again(); }), ...each,
      ];
      const learned = [
        choice("structure", MODELS, state.model, (value) => { state.model = value; page.changed(); }),
        choice("click adds a point of class", state.classes.map((_, k) => [String(k), LETTERS[k]]), state.brush, (value) => { state.brush = Number(value); page.changed(); }),
        make("p", { class: "row" }, button("Add an outlier", () => { state.points.push([OUTLIER[0], OUTLIER[1] - 0.2 * (state.points.length % 5), state.brush]); page.changed(); }), button("Remove all points", () => { state.points = []; page.changed(); })),
      ];
      replace(controls,
        choice("the model is", [["stated", "stated by hand"], ["learned", "learned from points"]], state.from, (value) => { state.from = value; again(); }),
        choice("colour shows", [["posterior", "posteriors"], ["density", "densities"]], state.show, (value) => { state.show = value; page.changed(); }),
        choice("as a surface too", SURFACES, state.surface, (value) => { state.surface = value; page.changed(); }),
        state.classes.length > 2 ? choice("tell the score of", [["", "every pair"], ...pairsOf(state.classes.length)], state.pair, (value) => { state.pair = value; page.changed(); }) : null,
        number("points to draw", state.count, (value) => { state.count = Math.min(10000, Math.max(2, Math.round(value))); page.changed(); }, 1),
        make("p", { class: "row" }, button("Draw points from the stated model", drawPoints),
          state.classes.length < 4 ? button("Add a class", () => { state.classes.push(fresh(state.classes.length)); again(); }) : null,
          state.classes.length > 2 ? button("Remove a class", () => { state.classes.pop(); state.points = state.points.filter((point) => point[2] < state.classes.length); state.brush = 0; again(); }) : null),
        ...(state.from === "stated" ? stated : learned));
      replace(document.getElementById("names") ?? numbers, legend(state.classes.map((_, k) => `class ${LETTERS[k]}`)));
      handles();
      paint.allow(state.from === "learned");
    }

    // The first two classes share one, where some do.
    const groups = () => [LETTERS.slice(0, 2), ...LETTERS.slice(2, state.classes.length).map((name) => [name])];
    const grouped = (model) => (model === "grouped_discriminant" ? { groups: groups() } : {});
    const pooled = () => MODELS.some(([model]) => model === state.covariances);

    function stated() {
      return { do: "state", given: given(state, state.covariances === "shared"), ...(pooled() ? { model: state.covariances, ...grouped(state.covariances) } : {}) };
    }

    function request(model = state.model) {
      if (state.from === "stated") return stated();
      return { do: "fit", columns: ["x", "y"], classes: state.classes.map((_, k) => LETTERS[k]), model, ...grouped(model) };
    }

    // The hill of the densities, or the posterior of the last class.
    async function drawSurface(model) {
      replace(hill, state.surface ? surface.element : null);
      if (!state.surface) return;
      const [field] = await page.ask([gridRequest(chart.view, state.surface)]);
      const last = model.classes[model.classes.length - 1].name;
      const classes = model.classes.length;
      if (state.surface === "density") surface.show("The density of all classes as a hill over the plane", GRID, (k) => field.plane[k], (k) => [90, 130, 180].map((part) => Math.round(part * (0.45 + 0.55 * field.plane[k]))));
      else surface.show(`The posterior of class ${last} as a surface over the plane, from 0 to 1`, GRID, (k) => field.plane[k * classes + classes - 1], (k) => mixed(field.plane, k * classes, classes));
    }

    async function draw() {
      const rows = rowsOf(state.points);
      if (state.from === "learned" && new Set(state.points.map((point) => point[2])).size < 2) {
        drawPlane(chart, null, state.points, state.classes.length);
        replace(numbers, make("p", {}, "Click in the picture to add points of at least two classes, or draw some from the stated model."));
        return;
      }
      const [model, grid] = await page.ask([request(), gridRequest(chart.view, state.show)], rows);
      const all = state.from === "learned" && state.points.length <= 3000 ? await structures(page.ask, request, rows) : null;
      if (all) await page.ask([request()], rows);  // the model in hand again
      answer = model;
      drawPlane(chart, grid, state.points, model.classes.length);
      model.outlines.forEach((line, k) => chart.line(line, { colour: COLOURS[LETTERS.indexOf(model.classes[k].name)], width: 2 }));
      if (state.show === "density") model.inner_outlines.forEach((line, k) => chart.line(line, { colour: COLOURS[LETTERS.indexOf(model.classes[k].name)], width: 1.2 }));
      if (pooled() && state.from === "stated") model.stated_outlines.forEach((line, k) => chart.line(line, { colour: COLOURS[k], width: 1, dash: "3 4" }));
      tellModel(numbers, model, (model.pairs ?? []).filter((pair) => !state.pair || pair.of + pair.against === state.pair), all, state.from === "learned");
      await drawSurface(model);
    }

    build();
    return {
      draw,
      reproduce() {
        const asWords = (model) => (model === "grouped_discriminant" ? ["--groups", groups().map((names) => names.join(",")).join(";")] : []);
        if (state.from === "learned") {
          const extra = asWords(state.model);
          return {
            files: { "points.csv": pointsFile(state.points, LETTERS) },
            commands: [["fit", "points.csv", "--target", "class", "--model", state.model, ...extra, "-o", "model.suf"], ["inspect", "model.suf", "--json"]],
            python: `import pandas, suffice\npoints = pandas.read_csv("points.csv")\nmodel = suffice.fit_files("points.csv", target="class", model="${state.model}"${extra.length ? `, groups=${JSON.stringify(groups())}` : ""})\nmodel.predict_proba(points[["x", "y"]])`,
          };
        }
        const pool = pooled() ? [["derive", "stated.suf", "--model", state.covariances, ...asWords(state.covariances), "-o", "model.suf"]] : [];
        return {
          files: answer?.given ? { "given.json": JSON.stringify(answer.given, null, 1) } : {},
          commands: [["fit", "--given", "given.json", "-o", pooled() ? "stated.suf" : "model.suf"], ...pool, ["inspect", "model.suf", "--json"]],
          python: pooled() ? `import suffice\nmodel = suffice.load("model.suf")  # as the command derived it\nmodel.predict_proba([[0.0, 0.0]])` : `import json, suffice\ngiven = json.load(open("given.json"))\nmodel = suffice.given_model(given["priors"], given["means"], given.get("covariance") or given["covariances"], given["columns"])\nmodel.predict_proba([[0.0, 0.0]])`,
        };
      },
    };
  },
};
