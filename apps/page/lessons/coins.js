// Lesson 5: coins and dice: a Beta, a Dirichlet on the simplex and a Normal-Gamma that sharpen.
import { Chart, COLOURS } from "../chart.js";
import { button, choice, csv, make, number, replace, shown, slider, table } from "../dom.js";

const FACES = ["one", "two", "three"];
const LOADED = [0.5, 0.3, 0.2];  // what the die really does
// Corners of the simplex in the picture.
const CORNERS = [[0, 0], [1, 0], [0.5, 0.9]];
const spot = (p) => [0, 1].map((axis) => p.reduce((sum, share, k) => sum + share * CORNERS[k][axis], 0));

export default {
  name: "coins",
  title: "Coins and dice",
  text: `<p>Before any flip a Beta says what is believed of a coin; each flip adds one to one of its two numbers. A die with three faces has a Dirichlet on the simplex, and a
Gaussian of unknown mean and variance a Normal-Gamma. From the posterior come the MAP estimate, its mean, the predictive probability of the next throw, and the evidence: how probable the data were before they were seen.</p>`,
  try: `<p>Flip three heads in a row: likelihood says the coin never shows tails; what does the predictive say? Strengthen the prior and watch the estimates part.
Throw the die, or give values to the Gaussian.</p>`,
  first: () => ({ what: "coin", heads: 3, tails: 0, a: 2, b: 2, bias: 0.6, seed: 1, faces: [2, 1, 0], alpha: 1.5, values: [1.2, 0.4, 2.1], mean: 0, strength: 1 }),

  mount(root, page) {
    const { state } = page;
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    const picture = make("div", {});
    root.append(make("div", { class: "bench" }, picture, make("div", {}, controls)), numbers);
    const line = new Chart({ title: "Density of the probability of heads: prior dashed, posterior solid", x: "probability of heads", y: "density", view: { left: 0, right: 1, bottom: 0, top: 1 } });
    const triangle = new Chart({ title: "The posterior on the simplex: darker is denser", x: "a corner is a face that is sure", y: "", view: { left: -0.1, right: 1.1, bottom: -0.1, top: 1 } });
    const bell = new Chart({ title: "Density of the next value: by likelihood solid, predictive dashed", x: "value", y: "density", view: { left: -4, right: 6, bottom: 0, top: 1 } });
    const belief = new Chart({ title: "The Normal-Gamma posterior over mean and precision: darker is denser; the square is where the posterior means of mean and variance lie", x: "mean", y: "precision (1 / variance)", view: { left: -3, right: 5, bottom: 0, top: 4 }, height: 300 });
    const set = (name) => (value) => { state[name] = value; build(); page.changed(); };

    async function flip(times) {
      const [drawn] = await page.ask([{ do: "draw_values", family: "bernoulli", parameter: { probability: state.bias }, count: times, seed: state.seed++ }]);
      const heads = drawn.values.filter((value) => value === 1).length;
      state.heads += heads;
      state.tails += times - heads;
      page.changed();
    }
    async function throwDie(times) {
      const [drawn] = await page.ask([{ do: "draw_values", family: "categorical", size: 3, parameter: { probability: LOADED }, count: times, seed: state.seed++ }]);
      for (const face of drawn.values) state.faces[face] += 1;
      page.changed();
    }

    function build() {
      const coin = [
        make("p", { class: "row" }, button("Heads", () => { state.heads += 1; page.changed(); }), button("Tails", () => { state.tails += 1; page.changed(); }),
          button("Flip ten times", () => flip(10)), button("Start again", () => { state.heads = state.tails = 0; page.changed(); })),
        slider("true probability when flipped", { least: 0, most: 1, step: 0.05, value: state.bias }, (value) => { state.bias = value; page.changed(); }),
        slider("prior: heads a", { least: 0.5, most: 30, step: 0.5, value: state.a }, (value) => { state.a = value; page.changed(); }),
        slider("prior: tails b", { least: 0.5, most: 30, step: 0.5, value: state.b }, (value) => { state.b = value; page.changed(); }),
      ];
      const die = [
        make("p", { class: "row" }, ...FACES.map((face, k) => button(`Throw ${face}`, () => { state.faces[k] += 1; page.changed(); })), button("Throw a loaded die ten times", () => throwDie(10)), button("Start again", () => { state.faces = [0, 0, 0]; page.changed(); })),
        slider("prior: each face", { least: 0.5, most: 10, step: 0.5, value: state.alpha }, (value) => { state.alpha = value; page.changed(); }),
      ];
      const gauss = [
        number("add the value", 1, (value) => { state.values.push(value); page.changed(); }),
        make("p", { class: "row" }, button("Start again", () => { state.values = [0, 1]; page.changed(); })),
        slider("prior mean", { least: -3, most: 5, step: 0.25, value: state.mean }, (value) => { state.mean = value; page.changed(); }),
        slider("rows that the prior mean is worth", { least: 0.5, most: 20, step: 0.5, value: state.strength }, (value) => { state.strength = value; page.changed(); }),
      ];
      replace(controls, choice("what is thrown", [["coin", "a coin: Beta"], ["die", "a die of three faces: Dirichlet"], ["gauss", "a Gaussian: Normal-Gamma"]], state.what, set("what")),
        ...{ coin, die, gauss }[state.what]);
      replace(picture, ...{ coin: [line], die: [triangle], gauss: [bell, belief] }[state.what].map((chart) => chart.element));
    }

    const prior = () => ({ coin: `beta(${state.a},${state.b})`, die: `dirichlet(${FACES.map(() => state.alpha).join(",")})`, gauss: `normal_gamma(${state.mean},${state.strength},1,1)` })[state.what];

    async function drawCoin() {
      const places = Array.from({ length: 199 }, (_, k) => (k + 1) / 200);
      const [said] = await page.ask([{ do: "family", family: "bernoulli", values: [1, 0], weights: [state.heads, state.tails], prior: prior(), at: [0, 1], parameters: places.map((probability) => ({ probability })) }]);
      line.see({ left: 0, right: 1, bottom: 0, top: 1.05 * Math.max(...said.posterior_density, ...said.prior_density) });
      line.clear();
      line.line(places.map((p, k) => [p, said.prior_density[k]]), { dash: "6 4", colour: COLOURS[0] });
      line.line(places.map((p, k) => [p, said.posterior_density[k]]), { colour: COLOURS[1] });
      tell(said, ["tails", "heads"]);
    }

    async function drawDie() {
      const places = [];
      const steps = 36;
      for (let i = 1; i < steps; ++i) for (let j = 1; i + j < steps; ++j) places.push([i / steps, j / steps, (steps - i - j) / steps]);
      const [said] = await page.ask([{ do: "family", family: "categorical", size: 3, values: [0, 1, 2], weights: state.faces, prior: prior(), at: [0, 1, 2], parameters: places.map((probability) => ({ probability })) }]);
      const most = Math.max(...said.posterior_density);
      triangle.clear();
      triangle.line([...CORNERS, CORNERS[0]], { width: 1.5 });
      places.forEach((p, k) => triangle.point(spot(p), 0, { radius: 5, colour: `rgb(0 114 178 / ${(said.posterior_density[k] / most).toFixed(3)})` }));
      CORNERS.forEach(([x, y], k) => triangle.label([x - 0.03, y + (k === 2 ? 0.03 : -0.07)], FACES[k]));
      tell(said, FACES);
    }

    async function drawGauss() {
      const at = Array.from({ length: 201 }, (_, k) => -4 + k / 20);
      const [across, up] = [60, 45];
      const precision = (row) => 0.02 + (4 * row) / up;
      const parameters = Array.from({ length: across * up }, (_, k) => ({ mean: -3 + (8 * (k % across)) / (across - 1), variance: 1 / precision(Math.floor(k / across)) }));
      const [said] = await page.ask([{ do: "family", family: "gaussian", values: state.values, prior: prior(), at, parameters }]);
      const densest = Math.max(...said.posterior_density);
      belief.clear();
      belief.field(Float32Array.from(said.posterior_density, (value) => value / densest), across, up, 1);
      belief.point([said.posterior_mean.mean, 1 / said.posterior_mean.variance], 1, { radius: 6 });
      const curve = (logs) => (logs ?? []).map((value, k) => [at[k], Math.exp(value)]);
      const [plain, predictive] = [curve(said.log_density), curve(said.log_predictive)];
      bell.see({ left: -4, right: 6, bottom: 0, top: 1.05 * Math.max(...[...plain, ...predictive].map((place) => place[1])) });
      bell.clear();
      bell.line(plain, { colour: COLOURS[0] });
      bell.line(predictive, { colour: COLOURS[1], dash: "6 4" });
      state.values.forEach((value) => bell.point([value, 0.02 * bell.view.top], 0));
      tell({ ...said, log_predictive: null }, []);
    }

    function tell(said, levels) {
      const flat = (record) => Object.entries(record ?? {}).flatMap(([name, value]) => (Array.isArray(value) ? value.map((each, k) => [`${name} of ${levels[k]}`, each]) : [[name, value]]));
      const names = [...new Set([said.likelihood, said.map, said.posterior_mean].flatMap((record) => flat(record).map(([name]) => name)))];
      const of = (record, name) => (record ? new Map(flat(record)).get(name) : null);
      replace(numbers,
        table(["estimate", ...names], [["likelihood", ...names.map((name) => shown(`likelihood.${name}`, of(said.likelihood, name)))], ["MAP", ...names.map((name) => shown(`map.${name}`, of(said.map, name)))],
          ["posterior mean", ...names.map((name) => shown(`mean.${name}`, of(said.posterior_mean, name)))]], "Three estimates"),
        said.log_predictive ? table(["next throw", ...levels], [["log predictive", ...said.log_predictive.map((value, k) => shown(`log_predictive.${levels[k]}`, value))], ["predictive", ...said.log_predictive.map((value) => Math.exp(value))]], "What comes next") : null,
        table(["belief", ...flat(said.prior).map(([name]) => name)], [["prior", ...flat(said.prior).map(([name, value]) => shown(`prior.${name}`, value))], ["posterior", ...flat(said.posterior).map(([name, value]) => shown(`posterior.${name}`, value))]], `The ${said.prior_family}`),
        make("p", {}, "Log evidence ", shown("log_evidence", said.log_evidence), "."),
        said.intervals ? table(["quantity", "from", "to"], said.intervals.map((each, k) => [each.quantity, shown(`low.${k}`, each.low), shown(`high.${k}`, each.high)]), "95 % credible intervals") : null);
    }

    build();
    return {
      draw: () => ({ coin: drawCoin, die: drawDie, gauss: drawGauss })[state.what](),
      reproduce() {
        const throws = { coin: [...Array(state.heads).fill([1]), ...Array(state.tails).fill([0])], die: state.faces.flatMap((count, k) => Array(count).fill([k])), gauss: state.values.map((value) => [value]) }[state.what];
        const family = { coin: "bernoulli", die: "categorical", gauss: "gaussian" }[state.what];
        const name = { coin: "Bernoulli", die: "Categorical", gauss: "Gaussian" }[state.what];
        const words = { coin: `Beta(${state.a}, ${state.b})`, die: `Dirichlet([${FACES.map(() => state.alpha)}])`, gauss: `NormalGamma(${state.mean}, ${state.strength}, 1, 1)` }[state.what];
        return {
          files: { "throws.csv": csv(["throw"], throws) },
          commands: throws.length > 0 ? [["density", "throws.csv", "--model", family, ...(state.what === "die" ? ["--levels", FACES.map((_, k) => k).join(",")] : []), "--prior", prior(), "--json"]] : [["math", prior(), "--json"]],
          python: `import numpy as np\nfrom suffice.families import ${name}, ${words.split("(")[0]}\nthrows = np.loadtxt("throws.csv", skiprows=1)\nposterior = ${name}().posterior(${words}, throws)`,
        };
      },
    };
  },
};
