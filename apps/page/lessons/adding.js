// Lesson 4: learning as adding: halves merged, a row forgotten, old rows fading; the statistics as the numbers they are.
import { Chart, COLOURS, legend } from "../chart.js";
import { button, make, replace, shown, slider, table } from "../dom.js";
import { pointsFile, rounded, rowsOf, VIEW } from "./plane.js";

const DAYS = 8;
const EACH = 25;  // rows of each class a day
const truth = (day) => (day < DAYS / 2 ? -1.5 : 1);  // what x is on average in class a: it changes half way
const GIVEN = { priors: { a: 0.5, b: 0.5 }, columns: ["x", "y"], means: { a: [-1.5, -0.5], b: [1.5, 0.5] }, covariances: { a: [[1, 0.4], [0.4, 0.8]], b: [[0.8, -0.3], [-0.3, 1.2]] } };

export default {
  name: "adding",
  title: "Learning as adding",
  text: `<p>A Gaussian class is known by three things: how many rows, their mean, and their scatter. Such statistics of two piles of rows add up to those of both,
so two students who each learn one half have together exactly what one who saw everything has. The same sum run backwards forgets a row, and one scaled down lets old rows fade.</p>`,
  try: `<p>Move the cut between the two students: the merged model stays that of all rows. Choose a row to forget, and compare with the model that never saw it.
Then let what the first student knows fade before the second's is added. Below, the world changes half way: which fading follows it best?</p>`,
  first: () => ({ count: 24, seed: 5, cut: 12, forget: 3, decay: 1, fade: 0.6 }),

  mount(root, page) {
    const { state } = page;
    const chart = new Chart({ title: "Rows of two students: the first has filled marks, the second hollow ones", x: "x", y: "y", view: VIEW });
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    root.append(make("div", { class: "bench" }, make("div", {}, chart.element, legend(["class a", "class b"])), controls), numbers);
    const river = new Chart({ title: "A stream of days: values of x in class a, the truth dashed, what is known after each day with fading solid, without fading dotted", x: "day", y: "x in class a", view: { left: 0.5, right: DAYS + 0.5, bottom: -4, top: 4 }, height: 260 });
    const flow = make("div", {});
    const told = make("div", {});
    root.append(make("h2", {}, "Old rows fading in a stream"), make("div", { class: "bench" }, river.element, make("div", {}, flow, told)));
    let days = [];
    let points = [];
    const files = () => ({
      "first.csv": pointsFile(points.slice(0, state.cut), "ab"), "second.csv": pointsFile(points.slice(state.cut), "ab"), "all.csv": pointsFile(points, "ab"),
      ...Object.fromEntries(days.map((rows, k) => [`day${k + 1}.csv`, pointsFile(rows, "ab")])),
      "row.csv": pointsFile([points[state.forget]], "ab"), "others.csv": pointsFile(points.filter((_, k) => k !== state.forget), "ab"),
    });
    const fit = (name) => ["fit", `${name}.csv`, "--target", "class", "--model", "quadratic_discriminant", "-q", "-o", `${name}.suf`];
    const commands = () => [fit("first"), fit("second"), fit("all"), fit("others"), ["merge", "first.suf", "second.suf", "-o", "merged.suf"], ["forget", "merged.suf", "row.csv", "-o", "forgot.suf"],
      ["merge", "first.suf", "second.suf", "--decay", String(state.decay), "-o", "faded.suf"]];
    const following = () => [["fit", "day1.csv", "--target", "class", "--model", "gaussian_nb", "-q", "-o", "stream.suf"],
      ...days.slice(1).map((_, k) => ["update", "stream.suf", `day${k + 2}.csv`, "--decay", String(state.fade)])];
    const SHOWN = ["first", "second", "merged", "all", "forgot", "others", "faded"];

    function build() {
      const set = (name) => (value) => { state[name] = value; page.changed(); };
      replace(controls,
        slider("rows of the first student", { least: 8, most: state.count - 8, step: 1, value: state.cut }, set("cut")),
        slider("row to forget", { least: 0, most: state.count - 1, step: 1, value: state.forget }, set("forget")),
        slider("what old rows count for", { least: 0.05, most: 1, step: 0.05, value: state.decay }, set("decay")),
        make("p", { class: "row" }, button("Other rows", () => { state.seed += 1; page.changed(); })));
      replace(flow, slider("what is known counts, a day later, for", { least: 0.1, most: 1, step: 0.05, value: state.fade }, set("fade")));
    }

    async function drawStream() {
      const value = (day, label, column) => ({ do: "draw_values", family: "gaussian", parameter: { mean: label === 0 && column === 0 ? truth(day) : [0, 0.5][column] + label, variance: 0.5 }, count: EACH, seed: 1000 * state.seed + 10 * day + 2 * label + column });
      const drawn = await page.ask(Array.from({ length: DAYS }, (_, day) => [0, 1].flatMap((label) => [0, 1].map((column) => value(day, label, column)))).flat());
      days = Array.from({ length: DAYS }, (_, day) => [0, 1].flatMap((label) => Array.from({ length: EACH }, (_, k) => [...[0, 1].map((column) => rounded(drawn[4 * day + 2 * label + column].values[k])), label])));
      const asked = { do: "stream", columns: ["x", "y"], classes: ["a", "b"], model: "gaussian_nb", batch: 2 * EACH };
      const [faded, kept] = await page.ask([{ ...asked, decay: state.fade }, { ...asked, decay: 1 }], rowsOf(days.flat()));
      river.clear();
      days.forEach((rows, day) => rows.slice(0, EACH).forEach(([x], k) => river.point([day + 0.8 + (0.4 * k) / EACH, x], 0, { radius: 2 })));
      river.line(days.flatMap((_, day) => [[day + 0.5, truth(day)], [day + 1.5, truth(day)]]), { dash: "7 4", width: 1.5 });
      const path = (list) => list.map((each, day) => [day + 1, each.means[0][0]]);
      river.line(path(kept), { dash: "2 4", colour: COLOURS[2] });
      river.line(path(faded), { colour: COLOURS[1] });
      path(faded).forEach((place) => river.point(place, 1));
      replace(told, table(["day", "rows it counts for", "mean of x with fading", "without"], faded.map((each, day) => [String(day + 1), shown(`stream.weight.${day}`, each.weights[0]), shown(`stream.mean.${day}`, each.means[0][0]), shown(`kept.mean.${day}`, kept[day].means[0][0])]), "What is known of class a after each day"));
    }

    async function draw() {
      await drawStream();
      const [, drawn] = await page.ask([{ do: "state", given: GIVEN }, { do: "draw", count: state.count, seed: state.seed }]);
      points = drawn.rows.map(([x, y], k) => [rounded(x), rounded(y), k % 2 === 0 ? 0 : drawn.codes[k]]);
      chart.clear();
      points.forEach(([x, y, code], k) => chart.point([x, y], code, { hollow: k >= state.cut, radius: 5 }));
      chart.line([0, 1, 2, 3, 4].map((k) => [points[state.forget][0] + 0.25 * Math.cos((k * Math.PI) / 2), points[state.forget][1] + 0.25 * Math.sin((k * Math.PI) / 2)]), { width: 1.5 });
      let known = files();
      for (const words of commands()) {
        const answer = await page.run(words, known);
        if (answer.code !== 0) throw new Error(answer.stderr.trim());
        known = { ...known, ...answer.files };
      }
      const models = {};
      for (const name of SHOWN) models[name] = JSON.parse((await page.run(["inspect", `${name}.suf`, "--json"], known)).stdout);
      await tell(models);
    }

    async function tell(models) {
      const of = (name, label, column) => models[name].columns[column].parameters[label];
      const weight = (name, label) => models[name].classes.find((each) => each.name === label).weight;
      const lines = (label) => SHOWN.map((name) => [
        { first: "first student", second: "second student", merged: "first + second", all: "fitted to all rows", forgot: "merged \u2212 the row", others: "fitted without the row", faded: "faded first + second" }[name],
        shown(`${name}.${label}.weight`, weight(name, label)), shown(`${name}.${label}.mean.x`, of(name, label, 0).mean), shown(`${name}.${label}.mean.y`, of(name, label, 1).mean),
        shown(`${name}.${label}.variance.x`, of(name, label, 0).variance), shown(`${name}.${label}.variance.y`, of(name, label, 1).variance)]);
      const piles = [points.slice(0, state.cut), points.slice(state.cut), points];
      const sums = await page.ask(piles.map((pile) => ({ do: "family", family: "gaussian", values: pile.filter((point) => point[2] === 0).map((point) => point[0]) })));
      const names = Object.keys(sums[0].sums);
      replace(numbers,
        ...["a", "b"].map((label) => table(["model", "rows", "mean of x", "mean of y", "variance of x", "variance of y"], lines(label), `What is known of class ${label}`)),
        table(["statistic", "first", "second", "all rows"], names.map((name) => [name, ...sums.map((each, k) => shown(`sum.${name}.${k}`, each.sums[name]))]), "The statistic of x in class a, as it is kept"));
    }

    build();
    return {
      draw,
      reproduce: () => ({
        files: points.length ? files() : {},
        commands: [...commands(), ["inspect", "merged.suf", "--json"], ...following(), ["inspect", "stream.suf", "--json"]],
        python: `import suffice\nfirst = suffice.fit_files("first.csv", target="class", model="quadratic_discriminant")\nsecond = suffice.fit_files("second.csv", target="class", model="quadratic_discriminant")\nmerged = first + second\nfaded = first.decay(${state.decay}) + second`,
      }),
    };
  },
};
