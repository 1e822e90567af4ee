// Lesson 2: one column, any family: densities above, posteriors below, a threshold and its costs.
import { Chart, COLOURS, legend } from "../chart.js";
import { button, choice, csv, make, replace, shown, slider, table } from "../dom.js";

// Parameters of the two classes that values are drawn from, and the stretch of the axis to be seen.
const FAMILIES = {
  gaussian: { a: { mean: -1, variance: 1 }, b: { mean: 1.5, variance: 1.5 }, view: [-6, 7] },
  gaussian_known_variance: { a: { mean: -1 }, b: { mean: 1 }, view: [-5, 5] },
  gaussian_known_mean: { a: { variance: 0.4 }, b: { variance: 4 }, view: [-6, 6] },
  log_normal: { a: { log_mean: 0, log_variance: 0.3 }, b: { log_mean: 1, log_variance: 0.3 }, view: [0.02, 12] },
  exponential: { a: { rate: 2 }, b: { rate: 0.4 }, view: [0, 10] },
  gamma: { a: { shape: 2, rate: 2 }, b: { shape: 5, rate: 1 }, view: [0.02, 14] },
  beta: { a: { alpha: 2, beta: 5 }, b: { alpha: 5, beta: 2 }, view: [0.01, 0.99] },
  poisson: { a: { rate: 2 }, b: { rate: 6 }, view: [-0.5, 16.5], discrete: true },
  geometric: { a: { probability: 0.5 }, b: { probability: 0.15 }, view: [-0.5, 20.5], discrete: true },
  negative_binomial: { a: { probability: 0.4 }, b: { probability: 0.12 }, view: [-0.5, 24.5], discrete: true },
  bernoulli: { a: { probability: 0.2 }, b: { probability: 0.7 }, view: [-0.5, 1.5], discrete: true },
  categorical: { a: { probability: [0.6, 0.3, 0.1] }, b: { probability: [0.15, 0.25, 0.6] }, view: [-0.5, 2.5], discrete: true, levels: ["blue", "green", "red"] },
};
// What a parameter can be set to by hand.
const RANGES = { mean: [-4, 4, 0.1], variance: [0.1, 6, 0.1], log_mean: [-1, 2, 0.1], log_variance: [0.05, 1, 0.05], rate: [0.1, 10, 0.1], shape: [0.5, 8, 0.5], alpha: [0.5, 8, 0.5], beta: [0.5, 8, 0.5], probability: [0.05, 0.95, 0.05] };

function places({ view, discrete }) {
  if (!discrete) return Array.from({ length: 241 }, (_, k) => view[0] + ((view[1] - view[0]) * k) / 240);
  return Array.from({ length: Math.floor(view[1] - view[0]) }, (_, k) => k);
}

export default {
  name: "one_dimension",
  title: "One dimension",
  text: `<p>One column, two classes. Above: the density of each class times its prior. Below: the posterior of class b. For families such as Gaussians with equal
variances, or two Poissons, it is a sigmoid of a straight line. The threshold says from which posterior on b is called; missing a b and a false alarm may cost differently.</p>`,
  try: `<p>Choose another family: discrete ones have bars. Move the parameters that the values are drawn from apart and together. Move the threshold by the handle or by its slider, and watch the mistakes and what they cost.
Where is the cheapest threshold when missing a b costs 5?</p>`,
  first: () => ({ family: "gaussian", parameters: {}, count: 60, seed: 1, threshold: 0.5, miss: 1, alarm: 1 }),

  mount(root, page) {
    const { state } = page;
    const above = new Chart({ title: "Density of each class times its prior", x: "x", y: "density", view: { left: 0, right: 1, bottom: 0, top: 1 }, height: 260 });
    const below = new Chart({ title: "Posterior of class b, with the threshold", x: "x", y: "p(b | x)", view: { left: 0, right: 1, bottom: 0, top: 1 }, height: 240 });
    const numbers = make("div", {});
    const controls = make("div", {});
    root.append(make("div", { class: "bench" }, make("div", {}, above.element, below.element, legend(["class a", "class b"])), make("div", {}, controls, numbers)));
    let values = [];
    // One handle for good: a new one would end a drag.
    const handle = below.handle("threshold, to be dragged", [0.5, state.threshold], ([, y]) => {
      state.threshold = Math.min(0.99, Math.max(0.01, Math.round(y * 100) / 100));
      build();
      page.changed();
    }, { only: "y" });
    const set = (name, value) => { state[name] = value; page.changed(); };
    const parametersOf = (label) => ({ ...FAMILIES[state.family][label], ...state.parameters[label] });
    const levels = () => FAMILIES[state.family].levels;

    function build() {
      replace(controls,
        choice("family", Object.keys(FAMILIES), state.family, (value) => { state.family = value; state.parameters = {}; build(); page.changed(); }),
        ...["a", "b"].flatMap((label) => Object.entries(parametersOf(label)).filter(([, value]) => !Array.isArray(value)).map(([name, value]) => {
          const [least, most, step] = RANGES[name];
          return slider(`${name} that ${label} is drawn with`, { least, most, step, value }, (next) => { state.parameters = { ...state.parameters, [label]: { ...state.parameters[label], [name]: next } }; page.changed(); });
        })),
        slider("values of each class", { least: 5, most: 300, step: 5, value: state.count }, (value) => set("count", value)),
        slider("threshold", { least: 0.01, most: 0.99, step: 0.01, value: state.threshold }, (value) => set("threshold", value)),
        slider("missing a b costs", { least: 0, most: 20, step: 0.5, value: state.miss }, (value) => set("miss", value)),
        slider("a false alarm costs", { least: 0, most: 20, step: 0.5, value: state.alarm }, (value) => set("alarm", value)),
        make("p", { class: "row" }, button("Draw other values", () => set("seed", state.seed + 1))));
    }

    async function draw() {
      const shape = FAMILIES[state.family];
      const view = { left: shape.view[0], right: shape.view[1] };
      const draws = await page.ask(["a", "b"].map((name, k) => ({ do: "draw_values", family: state.family, ...(levels() ? { size: levels().length } : {}), parameter: parametersOf(name), count: state.count, seed: 2 * state.seed + k })));
      values = draws.map((each) => each.values);
      const all = new Float64Array([...values[0], ...values[1]]);
      const codes = new Int32Array(all.length).fill(1, values[0].length);
      const at = places(shape);
      const [model, scored, judged] = await page.ask([
        { do: "fit", columns: [levels() ? { name: "x", levels: levels() } : "x"], classes: ["a", "b"], model: "naive_bayes", families: { x: state.family } },
        { do: "score", rows: at.map((x) => [x]) },
        { do: "evaluate", positive: 1, threshold: state.threshold, cost_miss: state.miss, cost_alarm: state.alarm, cost_curve: true },
      ], { values: all, codes, columns: 1 });
      const joint = [0, 1].map((c) => scored.log_joint.map((row) => Math.exp(row[c])));
      above.see({ ...view, bottom: 0, top: 1.05 * Math.max(...joint.flat().filter(Number.isFinite)) });
      below.see({ ...view, bottom: 0, top: 1 });
      above.clear();
      below.clear();
      joint.forEach((heights, c) => {
        if (shape.discrete) above.bars(at, heights, { colour: COLOURS[c], width: Math.max(3, 200 / at.length), shift: (c - 0.5) * Math.max(3, 200 / at.length) });
        else above.line(at.map((x, k) => [x, heights[k]]), { colour: COLOURS[c] });
        values[c].forEach((x) => above.point([x, 0.02 * above.view.top], c, { radius: 2.5 }));
      });
      (levels() ?? []).forEach((name, k) => above.label([k - 0.1, 0.95 * above.view.top], name));
      const posterior = at.map((x, k) => [x, scored.posteriors[k][1]]);
      if (shape.discrete) below.bars(at, posterior.map((place) => place[1]), { colour: COLOURS[1], width: Math.max(4, 300 / at.length) });
      else below.line(posterior, { colour: COLOURS[1] });
      below.line([[view.left, state.threshold], [view.right, state.threshold]], { dash: "5 4" });
      handle.set([(view.left + view.right) / 2, state.threshold]);
      tell(model, judged);
    }

    function tell(model, judged) {
      // A category has a probability for each level, other parameters are one number each.
      const each = (label) => Object.entries(model.columns[0].parameters[label]).flatMap(([name, value]) => (Array.isArray(value) ? value.map((one, k) => [`${name} of ${model.columns[0].levels[k]}`, one]) : [[name, value]]));
      const names = each("a").map(([name]) => name);
      const pair = model.pairs?.[0];
      replace(numbers,
        table(["parameter", "a", "b"], [...names.map((name, k) => [name, ...["a", "b"].map((label) => shown(`${name}.${label}`, each(label)[k][1]))]),
          ["prior", ...model.classes.map((each) => shown(`prior.${each.name}`, each.prior))]], `Estimated: ${state.family}`),
        pair && !pair.quadratic ? make("p", {}, "log odds = ", shown("w0", pair.constant), " + ", shown("w.x", pair.linear[0]), " x") : null,
        table(["truth", "called a", "called b"], judged.confusion.map((row, k) => [["a", "b"][k], ...row.map((count, told) => shown(`confusion.${k}${told}`, count))]), "Decisions on these values"),
        make("p", {}, "Mean cost ", shown("cost", judged.cost), ", accuracy ", shown("accuracy", judged.accuracy), ". Cheapest threshold on these values: ", shown("cheapest", judged.cheapest?.threshold ?? null), "."));
    }

    build();
    return {
      draw,
      reproduce: () => ({
        files: { "values.csv": csv(["x", "class"], values.flatMap((list, k) => list.map((x) => [levels() ? levels()[x] : x, "ab"[k]]))) },
        commands: [["fit", "values.csv", "--target", "class", "--family", `x=${state.family}`, "-o", "model.suf"], ["inspect", "model.suf", "--json"],
          ["evaluate", "model.suf", "values.csv", "--positive", "b", "--thresholds", `b=${state.threshold}`, "--json"]],
        python: `import pandas, suffice\nmodel = suffice.fit_files("values.csv", target="class", families={"x": "${state.family}"})\nmodel.predict_proba(pandas.read_csv("values.csv")[["x"]])`,
      }),
    };
  },
};
