// Lesson 3: naive Bayes: what each column says about a point, a value taken away, a column counted twice.
import { Chart, COLOURS, legend } from "../chart.js";
import { choice, csv, make, number, replace, shown, slider, table, tick } from "../dom.js";

// Columns with the parameters that values of each class are drawn from, a point's value, and the stretch to be seen.
const COLUMNS = [
  { name: "length", family: "gaussian", a: { mean: 4.5, variance: 0.6 }, b: { mean: 5.6, variance: 0.8 }, value: 5.2, view: [1.5, 9] },
  { name: "visits", family: "poisson", a: { rate: 2 }, b: { rate: 4 }, value: 3, view: [-0.5, 12.5], whole: true },
  { name: "member", family: "bernoulli", a: { probability: 0.3 }, b: { probability: 0.6 }, value: 1, view: [-0.5, 1.5], whole: true },
  { name: "wait", family: "exponential", a: { rate: 1 }, b: { rate: 0.5 }, value: 1.5, view: [0.02, 8] },
  { name: "share", family: "beta", a: { alpha: 2, beta: 4 }, b: { alpha: 4, beta: 3 }, value: 0.45, view: [0.01, 0.99] },
];
const POSITIVE = ["gaussian", "log_normal", "gamma", "exponential"];
const CHOICES = { length: POSITIVE, visits: ["poisson", "geometric", "negative_binomial", "gaussian"], member: ["bernoulli", "poisson", "gaussian"], wait: ["exponential", "gamma", "log_normal", "gaussian"], share: ["beta", ...POSITIVE] };
const places = ({ view, whole }) => (whole ? Array.from({ length: Math.floor(view[1] - view[0]) }, (_, k) => k) : Array.from({ length: 81 }, (_, k) => view[0] + ((view[1] - view[0]) * k) / 80));

export default {
  name: "naive_bayes",
  title: "Naive Bayes",
  text: `<p>Columns of any kind, independent given the class: the log odds are a sum of what each column says. A value that is missing says nothing: it is
integrated out, not filled in. Independence is a claim, though: a column that is there twice is believed twice, and posteriors become too sure.</p>`,
  try: `<p>Take a value of the point away: its line leaves the picture, its bar the sum, and the others stay. Change a column's family.
Then count a column several times: the calibration curve leaves the diagonal while the accuracy hardly moves.</p>`,
  first: () => ({ families: Object.fromEntries(COLUMNS.map((each) => [each.name, each.family])), point: Object.fromEntries(COLUMNS.map((each) => [each.name, each.value])), copies: 1, count: 150, seed: 3 }),

  mount(root, page) {
    const { state } = page;
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    const small = COLUMNS.map((each) => new Chart({ title: `${each.name}: density of each class times its prior, given this column alone; the line is the point`, x: each.name, y: "", view: { left: each.view[0], right: each.view[1], bottom: 0, top: 1 }, width: 290, height: 170 }));
    const odds = new Chart({ title: "What each column adds to the log odds of b: above zero for b, below for a", x: "columns, the prior first", y: "log odds", view: { left: 0, right: 1, bottom: -1, top: 1 }, width: 420, height: 240 });
    const trust = new Chart({ title: "Calibration: how often the more probable class is right, by how probable it was said to be; on the diagonal it is honest", x: "posterior said", y: "share that is right", view: { left: 0.5, right: 1, bottom: 0, top: 1 }, width: 420, height: 240 });
    root.append(make("div", { class: "small" }, ...small.map((chart) => chart.element)), legend(["class a", "class b"]), make("div", { class: "bench" }, make("div", {}, make("h3", {}, "What each column says"), odds.element, make("h3", {}, "Can it be trusted?"), trust.element), controls), numbers);
    let data = [];
    let names = [];

    async function drawData() {
      const requests = COLUMNS.flatMap((each, column) => ["a", "b"].map((label, k) => ({ do: "draw_values", family: each.family, parameter: each[label], count: state.count, seed: 100 * state.seed + 2 * column + k })));
      const drawn = await page.ask(requests);
      data = [0, 1].flatMap((k) => Array.from({ length: state.count }, (_, row) => COLUMNS.map((_, column) => drawn[2 * column + k].values[row])));
    }

    function build() {
      replace(controls,
        ...COLUMNS.map((each) => make("fieldset", {}, make("legend", {}, each.name),
          choice("family", CHOICES[each.name], state.families[each.name], (value) => { state.families[each.name] = value; page.changed(); }),
          tick("the point has a value", state.point[each.name] !== null, (on) => { state.point[each.name] = on ? each.value : null; build(); page.changed(); }),
          state.point[each.name] === null ? "" : number("its value", state.point[each.name], (value) => { state.point[each.name] = value; page.changed(); }))),
        slider("times that length is counted", { least: 1, most: 6, step: 1, value: state.copies }, (value) => { state.copies = value; page.changed(); }),
        slider("rows of each class", { least: 20, most: 1000, step: 10, value: state.count }, (value) => { state.count = value; page.changed(); }));
    }

    const row = (values) => [...values, ...Array(state.copies - 1).fill(values[0])];
    const familyOf = (name) => state.families[name.replace(/_\d$/, "")];

    async function draw() {
      await drawData();
      names = row(COLUMNS.map((each) => each.name)).map((name, k) => (k < COLUMNS.length ? name : `${name}_${k - COLUMNS.length + 2}`));
      const values = new Float64Array(data.flatMap(row));
      const codes = new Int32Array(data.length).fill(1, state.count);
      const point = row(COLUMNS.map((each) => state.point[each.name]));
      const alone = COLUMNS.flatMap((each, column) => places(each).map((x) => names.map((_, k) => (k === column ? x : null))));
      const [model, scored, why, judged, seen] = await page.ask([
        { do: "fit", columns: names, classes: ["a", "b"], model: "naive_bayes", families: Object.fromEntries(names.map((name) => [name, familyOf(name)])) },
        { do: "score", rows: [point] }, { do: "explain", row: point }, { do: "evaluate", positive: 1 }, { do: "score", rows: alone },
      ], { values, codes, columns: names.length });
      const said = (of) => why.terms.filter((term) => term.column === of).reduce((sum, term) => [sum[0] + term.by_class[0], sum[1] + term.by_class[1]], [0, 0]);
      drawColumns(seen.log_joint);
      drawOdds([why.intercept, ...names.map((_, k) => said(k))].map(([a, b]) => b - a));
      drawTrust(judged.reliability ?? []);
      replace(numbers,
        make("p", {}, "Posterior of a: ", shown("posterior.a", scored.posteriors[0][0]), ", of b: ", shown("posterior.b", scored.posteriors[0][1]), "."),
        table(["column", "for a", "for b"], [["(prior and rest)", shown("intercept.a", why.intercept[0]), shown("intercept.b", why.intercept[1])],
          ...names.map((name, k) => [name, shown(`said.${name}.a`, said(k)[0]), shown(`said.${name}.b`, said(k)[1])])], "What each column adds to the log joint of each class"),
        make("p", {}, "On the rows: accuracy ", shown("accuracy", judged.accuracy), ", log loss ", shown("log_loss", judged.log_loss), ", calibration error ", shown("calibration_error", judged.calibration_error), "."),
        table(["column", "family", "a", "b"], model.columns.map((column) => [column.name, column.family, ...["a", "b"].map((each) => Object.entries(column.parameters[each]).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`).join(", "))]), "Parameters"));
    }

    // Of every column alone: the others are missing in these rows, so they are integrated out.
    function drawColumns(joint) {
      let from = 0;
      COLUMNS.forEach((each, column) => {
        const at = places(each);
        const heights = [0, 1].map((c) => at.map((_, k) => Math.exp(joint[from + k][c])));
        from += at.length;
        const chart = small[column];
        chart.see({ ...chart.view, top: 1.1 * Math.max(...heights.flat().filter(Number.isFinite)) });
        chart.clear();
        heights.forEach((high, c) => {
          if (each.whole) chart.bars(at, high, { colour: COLOURS[c], width: 60 / at.length, shift: (c - 0.5) * (60 / at.length) });
          else chart.line(at.map((x, k) => [x, high[k]]), { colour: COLOURS[c] });
        });
        const value = state.point[each.name];
        if (value === null) chart.label([each.view[0] + 0.35 * (each.view[1] - each.view[0]), 0.9 * chart.view.top], "integrated out");
        else chart.line([[value, 0], [value, chart.view.top]], { dash: "4 3", width: 1.5 });
      });
    }

    function drawOdds(list) {
      const most = Math.max(1, ...list.map(Math.abs));
      odds.see({ left: -0.6, right: list.length - 0.4, bottom: -1.15 * most, top: 1.15 * most });
      odds.clear();
      list.forEach((value, k) => {
        odds.bars([k], [value], { colour: COLOURS[value > 0 ? 1 : 0], width: 180 / list.length });
        odds.label([k - 0.35, value > 0 ? -0.1 * most : 0.05 * most], k === 0 ? "prior" : names[k - 1]);
      });
      odds.line([[-0.6, 0], [list.length, 0]], { width: 1 });
    }

    function drawTrust(bins) {
      trust.clear();
      trust.line([[0, 0], [1, 1]], { dash: "4 4", width: 1 });
      trust.line(bins.map(([said, right]) => [said, right]), { colour: COLOURS[0] });
      bins.forEach(([said, right]) => trust.point([said, right], 0));
    }

    build();
    return {
      draw,
      reproduce: () => ({
        files: {
          "rows.csv": csv([...names, "class"], data.map((values, k) => [...row(values), k < state.count ? "a" : "b"])),
          "point.csv": csv(names, [row(COLUMNS.map((each) => state.point[each.name]))]),
        },
        commands: [["fit", "rows.csv", "--target", "class", "--family", names.map((name) => `${name}=${familyOf(name)}`).join(","), "-o", "model.suf"],
          ["predict", "model.suf", "point.csv", "--proba", "--json"], ["explain", "model.suf", "point.csv", "--json"], ["evaluate", "model.suf", "rows.csv", "--json"]],
        python: `import pandas, suffice\nmodel = suffice.fit_files("rows.csv", target="class", families=${JSON.stringify(Object.fromEntries(names.map((name) => [name, familyOf(name)])))})\nmodel.explain(pandas.read_csv("point.csv")).contributions`,
      }),
    };
  },
};
