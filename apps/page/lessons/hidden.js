// Lesson 6: hidden labels: EM and k-means step by step, bad starts, a few labels, BIC over the number of groups.
import { Chart, COLOURS } from "../chart.js";
import { button, choice, csv, make, replace, shown, table } from "../dom.js";
import { pointsFile, rounded, rowsOf, VIEW } from "./plane.js";

const GIVEN = { priors: { a: 0.4, b: 0.35, c: 0.25 }, columns: ["x", "y"], means: { a: [-2.2, -1], b: [1.8, -0.8], c: [0.2, 2] },
  covariances: { a: [[0.6, 0.3], [0.3, 0.7]], b: [[1.1, -0.5], [-0.5, 0.6]], c: [[0.8, 0.2], [0.2, 0.3]] } };
const GROUPS = Object.keys(GIVEN.means).length;
const STARTS = [[-3, 3], [3, 3], [0, -3], [-3, -3], [3, -3]];
const BAD = [[4.5, -1], [3, -2.4], [-1, 0], [4.2, 0.5], [2.5, 2.6]];  // two of them at a few points far out, where EM stays

export default {
  name: "hidden",
  title: "Hidden labels",
  text: `<p>Nobody says which group a point is of. k-means gives each point to the nearest centre and moves each centre to the mean of its points; EM for a mixture of
Gaussians shares each point out by responsibility and learns the shapes too. No step of k-means raises the sum of squares, and no step of EM lowers the likelihood. Labels of a few points steer EM: such a point belongs to its component alone. Both begin with the points nearest to each ring.</p>`,
  try: `<p>Press &ldquo;Step&rdquo; and watch. Drag the rings where the groups start (or move them by arrow keys), or press &ldquo;A bad start&rdquo;: some starts end badly. Click points to give them a label, then look at BIC over the number of groups.</p>`,
  first: () => ({ method: "em", k: 3, steps: 0, starts: STARTS.slice(0, 3), shape: "full", labels: {}, brush: 0, count: 150, seed: 2 }),

  mount(root, page) {
    const { state } = page;
    const chart = new Chart({ title: "Points without labels; the rings are where the groups start", x: "x", y: "y", view: VIEW });
    const path = new Chart({ title: "What the steps change: log-likelihood of EM, or sum of squares of k-means", x: "step", y: "", view: { left: 0, right: 10, bottom: 0, top: 1 }, height: 220 });
    const controls = make("div", {});
    const numbers = make("div", {});
    const bic = make("div", {});
    root.append(make("div", { class: "bench" }, make("div", {}, chart.element, path.element), make("div", {}, controls, numbers)), bic);
    let points = [];
    let said = {};
    const paint = chart.onPaint(label, "give the nearest point a label: arrows move, Enter labels");

    // The point that was meant gets the chosen label, or loses it.
    function label([x, y]) {
      if (state.method !== "em") return;
      const far = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
      const nearest = far.indexOf(Math.min(...far));
      if (far[nearest] > 0.4) return;
      if (state.labels[nearest] === state.brush) delete state.labels[nearest];
      else state.labels[nearest] = state.brush;
      build();
      page.changed();
    }

    function build() {
      const step = (by) => () => { state.steps = Math.max(0, state.steps + by); build(); page.changed(); };
      const set = (name) => (value) => { state[name] = value; state.steps = 0; build(); page.changed(); };
      replace(controls,
        choice("method", [["em", "EM, mixture of Gaussians"], ["k_means", "k-means"]], state.method, set("method")),
        choice("groups", ["2", "3", "4", "5"], state.k, (value) => { state.k = Number(value); state.starts = STARTS.slice(0, state.k); state.labels = {}; state.brush = 0; state.steps = 0; build(); page.changed(); }),
        state.method === "em" ? choice("covariances", ["full", "tied", "diagonal", "spherical"], state.shape, set("shape")) : null,
        make("p", { class: "row" }, button("Step", step(1)), button("Ten steps", step(10)), button("Back to the start", step(-1e9))),
        state.method === "em" ? choice("a click labels a point as group", Array.from({ length: state.k }, (_, c) => [String(c), String(c + 1)]), state.brush, (value) => { state.brush = Number(value); page.changed(); }) : null,
        make("p", { class: "row" }, state.method === "em" && state.k === GROUPS ? button("Label thirty points truly", labelThirty) : null, Object.keys(state.labels).length ? button("No labels", () => set("labels")({})) : null, button("A bad start", () => set("starts")(BAD.slice(0, state.k))),
          button("Other points", () => { state.seed += 1; set("labels")({}); }), button("BIC over the number of groups", showBic)));
      paint.allow(state.method === "em");
      chart.handles.replaceChildren();
      state.starts.forEach((place, k) => chart.handle(`start of centre ${k + 1}`, place, ([x, y]) => { state.starts[k] = [rounded(x), rounded(y)]; page.changed(); }, { colour: COLOURS[k], ring: true }));
    }

    async function drawn() {
      const [, answer] = await page.ask([{ do: "state", given: GIVEN }, { do: "draw", count: state.count, seed: state.seed }]);
      return answer;
    }

    // Thirty points tell the group they were drawn from.
    async function labelThirty() {
      const { codes } = await drawn();
      state.labels = Object.fromEntries(codes.slice(0, 30).map((code, k) => [k, code]));
      state.steps = 0;
      build();
      page.changed();
    }

    async function draw() {
      points = (await drawn()).rows.map(([x, y], k) => [rounded(x), rounded(y), state.method === "em" ? state.labels[k] ?? -1 : -1]);
      const request = state.method === "em"
        ? { do: "mixture", columns: ["x", "y"], k: state.k, shape: state.shape, centres: state.starts, steps: state.steps, labels: true }
        : { do: "k_means", columns: ["x", "y"], centres: state.starts, steps: state.steps };
      [said] = await page.ask([request], rowsOf(points));
      chart.clear();
      const mixed = (shares) => `rgb(${[1, 3, 5].map((at) => Math.round(shares.reduce((sum, share, c) => sum + share * parseInt(COLOURS[c].slice(at, at + 2), 16), 0))).join(" ")})`;
      points.forEach(([x, y, label], k) => {
        const colour = state.method === "em" ? mixed(said.shares[k]) : COLOURS[said.nearest[k]];
        chart.point([x, y], label < 0 ? 0 : 1, { radius: label < 0 ? 4 : 6, colour });
      });
      (said.outlines ?? []).forEach((line, c) => chart.line(line, { colour: COLOURS[c] }));
      const centres = said.means ?? said.centres;
      centres.forEach((place, c) => chart.point(place, 3, { radius: 8, colour: COLOURS[c] }));
      const now = said.log_likelihood ?? said.inertia;
      const trail = [...said.path.slice(0, state.steps), now];
      const [low, high] = [Math.min(...trail), Math.max(...trail)];
      const room = 0.05 * (high - low) || 1;
      path.names.y = state.method === "em" ? "log-likelihood" : "sum of squares";
      path.see({ left: 0, right: Math.max(10, trail.length - 1), bottom: low - room, top: high + room });
      path.clear();
      path.line(trail.map((value, k) => [k, value]), { colour: COLOURS[0] });
      trail.forEach((value, k) => path.point([k, value], 0));
      const name = state.method === "em" ? "log_likelihood" : "inertia";
      replace(numbers,
        make("p", {}, `After ${Math.min(state.steps, said.steps)} steps: ${state.method === "em" ? "log-likelihood" : "sum of squares"} `, shown(name, now), said.settled ? "; nothing moves any more." : "."),
        table(["group", ...(said.weights ? ["weight"] : []), "x", "y"], centres.map(([x, y], c) => [String(c + 1), ...(said.weights ? [shown(`weight.${c}`, said.weights[c])] : []), shown(`centre.${c}.x`, x), shown(`centre.${c}.y`, y)]), "Groups"));
    }

    async function showBic() {
      const [found] = await page.ask([{ do: "choose_mixture", columns: ["x", "y"], most: 6, shape: state.shape, seed: 0, starts: 0 }], rowsOf(points.map(([x, y]) => [x, y, -1])));
      const best = Math.min(...found.map((each) => each.bic));
      const picture = new Chart({ title: "BIC over the number of groups; the lowest is best", x: "groups", y: "BIC", view: { left: 0.5, right: 6.5, bottom: best - 10, top: 10 + Math.max(...found.map((each) => each.bic)) }, height: 220 });
      picture.line(found.map((each) => [each.k, each.bic]), { colour: COLOURS[0] });
      found.forEach((each) => picture.point([each.k, each.bic], each.bic === best ? 1 : 0, { radius: 6 }));
      replace(bic, make("h2", {}, "How many groups?"), make("div", { class: "bench" }, picture.element,
        table(["groups", "log-likelihood", "BIC"], found.map((each) => [String(each.k), shown(`log_likelihood.${each.k}`, each.log_likelihood), shown(`bic.${each.k}`, each.bic)]), "Mixtures of one to six")));
    }

    // With labels: a component for each class, and rows without a class take part. The command goes on to the end.
    function semiSupervised() {
      return {
        files: { "labelled.csv": csv(["x", "y", "group"], points.map(([x, y, label]) => [x, y, label < 0 ? null : `group ${label + 1}`])) },
        commands: [["fit", "labelled.csv", "--target", "group", "--model", "mixture_discriminant", "--components", "1", "--covariance", state.shape, "--unlabeled", "use", "-o", "model.suf"], ["inspect", "model.suf", "--json"]],
        python: `import suffice\nmodel = suffice.fit_files("labelled.csv", target="group", model="mixture_discriminant", components=1, covariance="${state.shape}", unlabeled="use")\nmodel.predict_proba([[0.0, 0.0]])  # as the page has it when nothing moves any more`,
      };
    }

    build();
    return {
      draw,
      reproduce: () => (Object.keys(state.labels).length > 0 && state.method === "em" ? semiSupervised() : {
        files: { "points.csv": csv(["x", "y"], points.map(([x, y]) => [x, y])), "start.csv": csv(["cluster"], (said.groups ?? []).map((group) => [group])) },
        commands: [["cluster", "points.csv", "-k", String(state.k), ...(state.method === "em" ? ["--covariance", state.shape] : ["--model", "k_means"]),
          "--start", "start.csv", "--steps", String(Math.max(1, state.steps)), "--tolerance", "0", "--trace", "--json", "-o", "groups.csv"], ...(state.method === "em" ? [["cluster", "points.csv", "-k", "1-6", "--covariance", state.shape, "-o", "best.csv"]] : [])],
        python: `import numpy as np, suffice\nX = np.loadtxt("points.csv", delimiter=",", skiprows=1)\nstart = np.loadtxt("start.csv", skiprows=1, dtype=int)\n`
          + `steps = suffice.group_steps(X, ${state.k}, ${state.method === "em" ? `covariance="${state.shape}"` : "model=\"k_means\""}, start=start, max_iter=${Math.max(1, state.steps)})\nsteps[${Math.min(state.steps, said.steps ?? 0)}]["objective"], steps[${Math.min(state.steps, said.steps ?? 0)}]["means"]`,
      }),
    };
  },
};
