// Lesson 9: deciding: a threshold through confusion matrix, precision, recall, ROC, costs and refusing to answer.
import { Chart, COLOURS } from "../chart.js";
import { button, make, replace, shown, slider, table } from "../dom.js";
import { pointsFile, rounded, rowsOf } from "./plane.js";

export default {
  name: "deciding",
  title: "Deciding",
  text: `<p>Posteriors are not yet decisions. The threshold says from which posterior on a row is called ill. Low: few are missed, many alarms are false. High: the other way round.
When one row in a hundred is ill, calling everybody healthy is right in 99 % of cases, and worth nothing. What the mistakes cost decides; and one may refuse to answer where the posterior is not sure.</p>`,
  try: `<p>Make the ill rare and look at the accuracy of always saying &ldquo;healthy&rdquo;. Move the threshold along the ROC curve. Let a miss cost 20 and find the cheapest threshold. Refuse where the largest posterior is below 0.8.</p>`,
  first: () => ({ share: 0.1, threshold: 0.5, miss: 5, alarm: 1, reject: 0, count: 800, seed: 6 }),

  mount(root, page) {
    const { state } = page;
    const roc = new Chart({ title: "ROC curve: found among the ill against false alarms among the healthy", x: "false alarms among the healthy", y: "found among the ill", view: { left: 0, right: 1, bottom: 0, top: 1 }, height: 380 });
    const costs = new Chart({ title: "Mean cost of a row by the threshold; the line is the threshold, the square the cheapest", x: "threshold on the posterior of ill", y: "mean cost", view: { left: 0, right: 1, bottom: 0, top: 1 }, height: 230 });
    const controls = make("div", {});
    const numbers = make("div", { class: "numbers" });
    root.append(make("div", { class: "bench" }, make("div", {}, roc.element, costs.element), make("div", {}, controls)), numbers);
    let points = [];
    // One handle for good: a new one would end a drag.
    const handle = costs.handle("threshold, to be dragged", [state.threshold, 0.5], ([x]) => {
      state.threshold = Math.min(0.99, Math.max(0.01, Math.round(x * 100) / 100));
      build();
      page.changed();
    }, { only: "x" });
    const set = (name) => (value) => { state[name] = value; page.changed(); };

    function build() {
      replace(controls,
        slider("share of the ill", { least: 0.01, most: 0.5, step: 0.01, value: state.share }, set("share")),
        slider("threshold", { least: 0.01, most: 0.99, step: 0.01, value: state.threshold }, set("threshold")),
        slider("a miss costs", { least: 0, most: 50, step: 1, value: state.miss }, set("miss")),
        slider("a false alarm costs", { least: 0, most: 50, step: 1, value: state.alarm }, set("alarm")),
        slider("no answer below", { least: 0, most: 0.99, step: 0.01, value: state.reject }, set("reject")),
        make("p", { class: "row" }, button("Other rows", () => { state.seed += 1; page.changed(); })));
    }

    async function draw() {
      const given = { priors: { healthy: 1 - state.share, ill: state.share }, columns: ["x", "y"], means: { healthy: [-0.7, 0], ill: [0.9, 0.5] }, covariance: [[1, 0.2], [0.2, 1]] };
      const [, drawn] = await page.ask([{ do: "state", given }, { do: "draw", count: state.count, seed: state.seed }]);
      points = drawn.rows.map(([x, y], k) => [rounded(x), rounded(y), drawn.codes[k]]);
      const asked = { do: "evaluate", positive: 1, threshold: state.threshold, cost_miss: state.miss, cost_alarm: state.alarm, cost_curve: true, reject: state.reject };
      const [, judged] = await page.ask([{ do: "fit", columns: ["x", "y"], classes: ["healthy", "ill"], model: "linear_discriminant" }, asked], rowsOf(points));
      roc.clear();
      roc.line([[0, 0], [1, 1]], { dash: "4 4", width: 1 });
      roc.line(judged.roc.map(([x, y]) => [x, y]), { colour: COLOURS[0] });
      const here = judged.roc.reduce((kept, point) => (point[2] === null || point[2] >= state.threshold ? point : kept), judged.roc[0]);
      roc.point([here[0], here[1]], 1, { radius: 7 });
      drawCosts(judged);
      replace(numbers,
        table(["truth", "called healthy", "called ill"], judged.confusion.map((row, k) => [["healthy", "ill"][k], ...row.map((count, told) => shown(`confusion.${k}${told}`, count))]), "Confusion matrix"),
        table(["measure", "value"], [["accuracy", shown("accuracy", judged.accuracy)], ["always \u201chealthy\u201d is right", shown("majority", judged.majority)], ["precision", shown("precision", judged.precision)], ["recall", shown("recall", judged.recall)],
          ["F1", shown("f1", judged.f1)], ["area under the ROC curve", shown("roc_auc", judged.roc_auc)], ["answered", shown("coverage", judged.coverage)], ["mean cost", shown("cost", judged.cost)], ["cheapest threshold", shown("cheapest", judged.cheapest?.threshold ?? null)], ["mean cost there", shown("cheapest.cost", judged.cheapest?.cost ?? null)], ["log loss", shown("log_loss", judged.log_loss)]], "What the decisions are worth"));
    }

    function drawCosts(judged) {
      const most = Math.max(0.01, ...judged.cost_curve.map((place) => place[1]));
      costs.see({ left: 0, right: 1, bottom: 0, top: 1.05 * most });
      costs.clear();
      costs.line(judged.cost_curve, { colour: COLOURS[0] });
      costs.line([[state.threshold, 0], [state.threshold, 1.05 * most]], { dash: "5 4" });
      if (judged.cheapest?.threshold <= 1) costs.point([judged.cheapest.threshold, judged.cheapest.cost], 1, { radius: 6 });
      handle.set([state.threshold, 0.06 * most]);
    }

    build();
    return {
      draw,
      reproduce: () => ({
        files: { "rows.csv": pointsFile(points, ["healthy", "ill"]) },
        commands: [["fit", "rows.csv", "--target", "class", "--model", "linear_discriminant", "-o", "model.suf"],
          ["evaluate", "model.suf", "rows.csv", "--positive", "ill", "--thresholds", `ill=${state.threshold}`, ...(state.reject ? ["--reject", String(state.reject)] : []), "--json"],
          ...(state.alarm > 0 ? [["evaluate", "model.suf", "rows.csv", "--threshold", `ill:cost=${state.miss / state.alarm}`, "--json"]] : [])],
        python: `import pandas, suffice\nrows = pandas.read_csv("rows.csv")\nmodel = suffice.fit_files("rows.csv", target="class", model="linear_discriminant")\nsuffice.decide(model.predict_proba(rows[["x", "y"]]), thresholds=[None, ${state.threshold}])`,
      }),
    };
  },
};
