// Lesson 7: logistic regression: Newton's steps, basis functions, separation and penalties, learning curves.
import { Chart, COLOURS, legend } from "../chart.js";
import { button, choice, make, replace, shown, slider, table } from "../dom.js";
import { drawPlane, gridRequest, plane, pointsFile, rounded, rowsOf } from "./plane.js";

const GIVEN = { priors: { a: 0.5, b: 0.5 }, columns: ["x", "y"], means: { a: [-1.2, -0.4], b: [1.2, 0.6] }, covariances: { a: [[1.2, 0.3], [0.3, 1]], b: [[1.2, 0.3], [0.3, 1]] } };
const BASES = [["", "x and y as they are"], ["x=poly(2),y=poly(2),x*y", "squares and the product"], ["x=spline(4),y=spline(4)", "splines"], ["x=radial(4),y=radial(4)", "radial functions"]];
const LAST = 12;
const MODELS = [["linear_discriminant", "generative: linear discriminant", "generative"], ["logistic_regression", "discriminative: logistic regression", "discriminative"]];
const CURVES = [["fit", "--given", "truth.json", "-o", "truth.suf"],
  ["learn-curve", "truth.suf", "--models", MODELS.map(([name]) => name).join(","), "--sizes", "10,16,25,40,70,120,250,500,1000", "--repeats", "20", "--test-rows", "4000", "--json"]];

export default {
  name: "logistic",
  title: "Logistic regression",
  text: `<p>The posterior itself as a sigmoid of a linear score, fitted to the classes directly: no densities. Newton's method finds the coefficients in a few steps.
Where a line separates the classes the likelihood has no highest point and coefficients grow without end; a penalty holds them. With few rows the generative model,
if its Gaussians are right, learns faster; with many the two agree.</p>`,
  try: `<p>Step through Newton's method. Click to add points, or press &ldquo;Separate the classes&rdquo; and see what the penalty does. Choose squares and bend the boundary.
Then compare the learning curves.</p>`,
  first: () => ({ steps: LAST, penalty: 0, basis: "", brush: 0, seed: 4, count: 60, points: null, curves: false }),

  mount(root, page) {
    const { state } = page;
    const chart = plane("Points of two classes with the boundary of the regression; click to add points");
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    const curves = make("div", {});
    const path = new Chart({ title: "Log loss after each step; the square is the step that is shown", x: "step", y: "log loss", view: { left: 0, right: LAST, bottom: 0, top: 0.75 }, height: 200 });
    root.append(make("div", { class: "bench" }, make("div", {}, chart.element, legend(["class a", "class b"]), path.element), make("div", {}, controls, numbers)), curves);
    const curvesShown = () => {
      page.say("Learning from ever more rows.");
      return showCurves().catch((problem) => page.say(problem.message, true));
    };

    chart.onPaint(([x, y]) => { state.points.push([rounded(x), rounded(y), state.brush]); page.changed(); });

    async function drawn(count, seed) {
      const [, said] = await page.ask([{ do: "state", given: GIVEN }, { do: "draw", count, seed }]);
      return said.rows.map(([x, y], k) => [rounded(x), rounded(y), said.codes[k]]);
    }

    function build() {
      replace(controls,
        slider(`Newton's steps (${LAST}: until it settles)`, { least: 0, most: LAST, step: 1, value: state.steps }, (value) => { state.steps = value; page.changed(); }),
        slider("penalty", { least: 0, most: 10, step: 0.1, value: state.penalty }, (value) => { state.penalty = value; page.changed(); }),
        choice("features", BASES, state.basis, (value) => { state.basis = value; page.changed(); }),
        choice("click adds a point of class", [["0", "a"], ["1", "b"]], state.brush, (value) => { state.brush = Number(value); page.changed(); }),
        make("p", { class: "row" }, button("Other points", async () => { state.points = await drawn(state.count, ++state.seed); page.changed(); }),
          button("Separate the classes", () => { state.points = state.points.filter(([x, y, code]) => (code === 1) === (x + 0.4 * y > 0)); page.changed(); }),
          button("Learning curves", curvesShown)));
    }

    const basis = () => (state.basis ? state.basis.split(/,(?![^()]*\))/) : []);
    const settled = () => state.steps === LAST;

    async function draw() {
      state.points ??= await drawn(state.count, state.seed);
      const request = { do: "logistic", columns: ["x", "y"], classes: ["a", "b"], penalty: state.penalty, basis: basis(), ...(settled() ? {} : { steps: state.steps }) };
      const steps = Array.from({ length: LAST }, (_, k) => [{ ...request, steps: k }, { do: "evaluate", positive: 1 }]).flat();
      const answers = await page.ask([...steps, request, gridRequest(chart.view), { do: "evaluate", positive: 1 }], rowsOf(state.points));
      const [model, grid, judged] = answers.slice(steps.length);
      const losses = [...answers.slice(0, steps.length).filter((_, k) => k % 2 === 1), ...(settled() ? [judged] : [])].map((each) => each.log_loss);
      path.clear();
      path.line(losses.map((loss, k) => [k, loss]), { colour: COLOURS[0] });
      losses.forEach((loss, k) => path.point([k, loss], k === state.steps ? 1 : 0, { radius: k === state.steps ? 6 : 3.5 }));
      drawPlane(chart, grid, state.points, 2);
      const lines = settled()
        ? (model.coefficients ?? []).map((each) => [each.name, shown(`coefficient.${each.name}`, each.coefficient), shown(`error.${each.name}`, each.standard_error)])
        : [["(intercept)", shown("coefficient.(intercept)", model.contrasts[0][0])], ...model.names.map((name, k) => [name, shown(`coefficient.${name}`, model.contrasts[0][k + 1])])];
      replace(numbers,
        table(settled() ? ["feature", "coefficient", "standard error"] : ["feature", "coefficient"], lines, "The score of b against a"),
        make("p", {}, "Log loss ", shown("log_loss", judged.log_loss), ", accuracy ", shown("accuracy", judged.accuracy), settled() ? ", log-likelihood " : "", settled() ? shown("log_likelihood", model.log_likelihood) : ""),
        model.separated ? make("p", { class: "note" }, "A line separates the classes: without a penalty no coefficients are the best.") : null,
        ...[...(model.said ?? []), ...(model.notes ?? [])].filter((said, k, all) => all.indexOf(said) === k).map((said) => make("p", {}, String(said))));
    }

    // Rows drawn from the stated model, whose Bayes error is known: what `suffice learn-curve` tells.
    async function showCurves() {
      let files = { "truth.json": JSON.stringify(GIVEN) };
      for (const words of CURVES) {
        const answer = await page.run(words, files);
        if (answer.code !== 0) throw new Error(answer.stderr.trim());
        files = { ...files, ...answer.files, told: answer.stdout };
      }
      const told = JSON.parse(files.told);
      const of = (model) => told.points.filter((each) => each.model === model);
      const sizes = of(MODELS[0][0]).map((each) => each.rows);
      const most = 1.05 * Math.max(...told.points.map((each) => each.error));
      const picture = new Chart({ title: `Error on other rows, by the number of rows learned from; the mean of ${told.repeats} draws, the Bayes error dashed`, x: "rows (each mark about 1.6 times the last)", y: "error", view: { left: -0.5, right: sizes.length - 0.5, bottom: 0.9 * told.bayes_error, top: most }, height: 260 });
      picture.line([[-0.5, told.bayes_error], [sizes.length, told.bayes_error]], { dash: "5 4", width: 1.5 });
      MODELS.forEach(([model], c) => {
        picture.line(of(model).map((each, k) => [k, each.error]), { colour: COLOURS[c] });
        of(model).forEach((each, k) => picture.point([k, each.error], c));
      });
      const cells = (k) => MODELS.flatMap(([model, , name]) => [shown(`${name}.error.${sizes[k]}`, of(model)[k].error), shown(`${name}.log_loss.${sizes[k]}`, of(model)[k].log_loss)]);
      replace(curves, make("h2", {}, "Learning curves"),
        make("div", { class: "bench" }, make("div", {}, picture.element, legend(MODELS.map((each) => each[1])), make("p", {}, "Bayes error ", shown("bayes_error", told.bayes_error), ", least log loss ", shown("bayes_log_loss", told.bayes_log_loss), ".")),
          table(["rows", "generative: error", "log loss", "discriminative: error", "log loss"], sizes.map((size, k) => [String(size), ...cells(k)]), "On rows not learned from")));
      state.curves = true;
      page.changed();
    }

    build();
    if (state.curves) setTimeout(curvesShown);  // as the address has it, behind the first picture
    return {
      draw,
      reproduce() {
        const penalty = state.penalty ? ["--penalty", String(state.penalty), "--units", "raw"] : [];
        // Before it settles: as many of Newton's steps from zero, each of them told.
        const stopped = settled() ? [] : ["--start", "zeros", "--steps", String(Math.max(1, state.steps)), "--trace"];
        const python = settled() || state.basis
          ? `model = suffice.fit_files("points.csv", target="class", model="logistic_regression"${state.penalty ? `, penalty=${state.penalty}, units="raw"` : ""}${state.basis ? `, basis=${JSON.stringify(basis())}` : ""})\nmodel.coef_, model.intercept_`
          : `import pandas\npoints = pandas.read_csv("points.csv")\nsteps = suffice.newton_steps(points[["x", "y"]], points["class"], penalty=${state.penalty}, start="zeros", max_iter=${Math.max(1, state.steps)})\nsteps[${state.steps}]["coefficients"]  # the intercept first`;
        return {
          files: { ...(state.points ? { "points.csv": pointsFile(state.points, "ab") } : {}), ...(state.curves ? { "truth.json": JSON.stringify(GIVEN) } : {}) },
          commands: [["fit", "points.csv", "--target", "class", "--model", "logistic_regression", ...penalty, ...(state.basis ? ["--basis", state.basis] : []), ...stopped, "--json", "-o", "model.suf"],
            ["inspect", "model.suf", "--json"], ["evaluate", "model.suf", "points.csv", "--json"], ...(state.curves ? CURVES : [])],
          python: `import suffice\n${python}`,
        };
      },
    };
  },
};
