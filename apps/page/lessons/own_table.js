// Lesson 10: one's own table: a CSV or a model dropped on the page, which it never leaves.
import { button, choice, download, make, replace, shown, table, words } from "../dom.js";
import IRIS from "../../../data/iris.csv";

const MODELS = ["naive_bayes", "linear_discriminant", "quadratic_discriminant", "regularized_discriminant", "logistic_regression", "kernel_density", "nearest", "mixture_discriminant",
  ["auto", "auto: the best by cross-validation"]];
const PICTURES = [["boundary", "boundaries between the classes"], ["density", "densities of the classes"], ["posterior", "posteriors"], ["roc", "ROC curves"], ["calibration", "calibration"], ["confusion", "confusion matrix"]];
const FEW = 8;  // rows that are shown

// Cells of one line, quoted or not; the command reads the file itself, this only offers names before anything is fitted.
function cells(line) {
  const by = [",", ";", "\t", "|"].map((sign) => [line.split(sign).length, sign]).sort((a, b) => b[0] - a[0])[0][1];
  return [...line.matchAll(new RegExp(`(?:^|\\${by})(?:"((?:[^"]|"")*)"|([^${by === "|" ? "\\|" : by}]*))`, "g"))].map((found) => (found[1]?.replace(/""/g, '"') ?? found[2]).trim());
}
const quoted = (value) => (/[",\n=]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);

export default {
  name: "own_table",
  title: "Your own table",
  text: `<p>Drop a CSV file anywhere on the page, or choose one. It is read here, by the command itself, and never leaves this page: there is no server. Fit a model, compare models by
cross-validation, see pictures, predict, and take the model with you as a <code>.suf</code> file. A <code>.suf</code> dropped here is inspected and asked.</p>`,
  try: `<p>Without a file of your own take the irises. Choose the column to predict, change a column's family or leave it out, and compare. Download the model, drop it again, and ask it about a row.</p>`,
  first: () => ({ target: "species", model: "naive_bayes", families: {}, picture: "boundary" }),

  mount(root, page) {
    const { state } = page;
    const input = make("input", { type: "file", id: "file", accept: ".csv,.tsv,.txt,.jsonl,.ndjson,.gz,.zst,.suf", onchange: () => input.files[0] && take(input.files[0]) });
    const drop = make("div", { class: "drop" }, make("label", { for: "file" }, "Drop a CSV or a .suf file anywhere, or choose one: "), input, " ", button("Take the irises", () => use("iris.csv", new TextEncoder().encode(IRIS))));
    const controls = make("div", { class: "controls" });
    const out = make("div", {});
    const extra = make("div", { id: "extra", role: "status" });
    root.append(drop, controls, out);
    let data = { name: "iris.csv", bytes: new TextEncoder().encode(IRIS) };
    let model = null;
    let columns = [];
    let python = "";  // settings beyond the model, as Python has them

    const over = (on) => (event) => {
      if (!root.isConnected || !drop.isConnected) return;
      event.preventDefault();
      drop.classList.toggle("over", on);
      if (event.type === "drop" && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    };
    document.ondragover = over(true);
    document.ondragleave = over(false);
    document.ondrop = over(false);

    async function take(file) {
      await use(file.name.replace(/[^\w.-]/g, "_"), new Uint8Array(await file.arrayBuffer()));
    }

    async function say(line, files) {
      const answer = await page.run(line, files);
      if (answer.code !== 0) throw new Error(answer.stderr.trim());
      return answer;
    }
    const known = () => ({ "model.suf": model, ...(data ? { [data.name]: data.bytes } : {}) });

    async function use(name, bytes) {
      replace(extra);
      if (name.endsWith(".suf")) {
        model = bytes;
        data = null;
      } else {
        data = { name, bytes };
        model = null;
        state.families = {};
      }
      await page.changed();
    }

    const attempt = (work) => async () => {
      try {
        page.say("Working.");
        await work();
        page.say("");
      } catch (problem) {
        page.say(problem.message, true);
      }
    };

    function fitWords() {
      const chosen = Object.entries(state.families).filter(([, family]) => family && family !== "leave out").map(([name, family]) => `${quoted(name)}=${family}`);
      const left = Object.entries(state.families).filter(([, family]) => family === "leave out").map(([name]) => quoted(name));
      python = [chosen.length ? `, families=${JSON.stringify(Object.fromEntries(Object.entries(state.families).filter(([, family]) => family && family !== "leave out")))}` : "", left.length ? `, exclude=${JSON.stringify(left)}` : ""].join("");
      return ["fit", data.name, "--target", state.target, "--model", state.model, ...(chosen.length ? ["--family", chosen.join(",")] : []), ...(left.length ? ["--exclude", left.join(",")] : []), "--json", "-o", "model.suf"];
    }

    // Columns as `fit` took them, each with the family it may have instead.
    function columnTable(found, families) {
      return table(["column", "family", "why", "change"], found.filter((each) => each.column !== state.target).map((each) => [each.column, each.family ?? "left out", each.why ?? "",
        make("select", { "aria-label": `family of ${each.column}`, onchange: (event) => { state.families = { ...state.families, [each.column]: event.target.value }; page.changed(); } },
          ...[["", "as found"], ...families.map((name) => [name, name]), ["leave out", "leave out"]].map(([value, text]) => make("option", { value, selected: (state.families[each.column] ?? "") === value }, text)))]),
      "Columns and their families");
    }

    function modelParts(told) {
      return [
        make("h2", {}, `A ${told.model} of ${told.target || "classes"}`),
        make("p", {}, "Rows ", shown("rows", told.rows), ", parameters ", shown("parameter_count", told.parameter_count), ", log-likelihood ", shown("log_likelihood", told.log_likelihood), ", BIC ", shown("bic", told.bic), "."),
        table(["class", "rows", "prior"], told.classes.map((each) => [each.name, shown(`weight.${each.name}`, each.weight), shown(`prior.${each.name}`, each.prior)]), "Classes"),
        ...(told.notes ?? []).map((note) => make("p", {}, note)),
      ];
    }

    function askForm(told) {
      const ask = {};
      const answer = make("div", { role: "status" });
      const submit = attempt(async () => {
        const row = `${columns.map((each) => quoted(each.name)).join(",")}\n${columns.map((each) => quoted(ask[each.name] ?? "")).join(",")}\n`;
        const [said] = JSON.parse((await say(["predict", "model.suf", "row.csv", "--proba", "--json", "--allow-missing-columns"], { "model.suf": model, "row.csv": row })).stdout);
        replace(answer, table(["class", "posterior"], told.classes.map((each) => [each.name, shown(`asked.${each.name}`, said[`p(${each.name})`])]), `The answer: ${said.prediction}`));
      });
      return make("form", { onsubmit: (event) => { event.preventDefault(); submit(); } },
        make("fieldset", {}, make("legend", {}, "Ask it about a row (empty: not known)"), ...columns.map((each) => words(each.name, "", (value) => { ask[each.name] = value; })), make("button", { type: "submit" }, "Ask")), answer);
    }

    // Another table is predicted, and judged where it has the target.
    function predictForm() {
      const file = make("input", { type: "file", id: "rows", onchange: () => file.files[0] && attempt(async () => {
        const rows = new Uint8Array(await file.files[0].arrayBuffer());
        await predictions({ "model.suf": model, "rows.csv": rows }, "rows.csv");
      })() });
      return make("p", {}, make("label", { for: "rows" }, "Predict another table: "), file);
    }

    async function predictions(files, name) {
      const said = (await say(["predict", "model.suf", name, "--proba"], files)).stdout;
      const all = said.trimEnd().split("\n");
      replace(extra, table(cells(all[0]), all.slice(1, FEW + 1).map(cells), `The first of ${all.length - 1} predictions`),
        make("p", { class: "row" }, button("Download predictions", () => download("predictions.csv", said))));
    }

    async function showModel(fitted, families) {
      const told = JSON.parse((await say(["inspect", "model.suf", "--json"], known())).stdout);
      columns = told.columns.length ? told.columns : Object.keys(Object.values(told.weights ?? {})[0] ?? {}).map((name) => ({ name }));
      const plot = choice("picture", PICTURES, state.picture, (value) => { state.picture = value; attempt(drawPicture)(); });
      replace(out, ...modelParts(told),
        fitted?.columns ? columnTable(fitted.columns, families) : told.columns.length ? table(["column", "family"], told.columns.map((each) => [each.name, each.family ?? each.kind]), "Columns") : null,
        make("p", { class: "row" }, button("Download model.suf", () => download("model.suf", model)),
          ...(data ? [button("Compare models", attempt(compare)), button("Draw a picture", attempt(drawPicture)), button("Predict its rows", attempt(() => predictions(known(), data.name))), button("Download the report", attempt(report))] : [])),
        data ? plot : null, extra, predictForm(), askForm(told));
    }

    async function compare() {
      const found = JSON.parse((await say(["compare", data.name, "--target", state.target, "--json"], known())).stdout);
      replace(extra, table(["model", "log loss", "\u00b1", "accuracy", "parameters"], found.filter((each) => each.log_loss !== null).map((each) => [`${each.model} ${each.options ?? ""}`.trim(), shown(`compare.${each.model}`, each.log_loss), each.log_loss_se, each.accuracy, each.parameters ?? "none"]), "Compared by cross-validation, best first"));
    }

    async function drawPicture() {
      const drawn = await say(["plot", "model.suf", data.name, "--what", state.picture, "-o", "picture.svg"], known());
      const text = new TextDecoder().decode(drawn.files["picture.svg"]);
      replace(extra, make("img", { id: "picture", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, alt: `${PICTURES.find(([name]) => name === state.picture)[1]}, drawn by suffice plot`, style: "max-width:100%;background:#fff" }),
        make("p", { class: "row" }, button("Download picture.svg", () => download("picture.svg", text))));
    }

    async function report() {
      download("report.html", (await say(["report", "model.suf", data.name, "-o", "report.html"], known())).files["report.html"]);
    }

    async function draw() {
      if (!data) {
        replace(controls);
        await showModel();
        return;
      }
      const names = cells(new TextDecoder().decode(data.bytes.slice(0, 65536)).split(/\r?\n/)[0]);
      if (!names.includes(state.target)) state.target = names[names.length - 1];
      replace(controls, make("p", {}, `${data.name}: ${data.bytes.length} bytes, ${names.length} columns`),
        choice("predict the column", names, state.target, (value) => { state.target = value; state.families = {}; page.changed(); }),
        choice("model", MODELS, state.model, (value) => { state.model = value; page.changed(); }));
      replace(out, make("p", {}, "Fitting."));
      const [[families], fitted] = [await page.ask([{ do: "families" }]), await say(fitWords(), { [data.name]: data.bytes }).catch((problem) => { replace(out); throw problem; })];
      model = fitted.files["model.suf"];
      await showModel(JSON.parse(fitted.stdout), [...families.filter((each) => !each.joint).map((each) => each.name), "tokens"]);
    }

    return {
      draw,
      reproduce: () => (data
        ? {
          linked: "what you chose, but not a file of your own, which stays with you",
          files: { [data.name]: data.bytes },
          commands: [fitWords(), ["inspect", "model.suf", "--json"]],
          python: `import suffice\nmodel = suffice.fit_files(${JSON.stringify(data.name)}, target=${JSON.stringify(state.target)}, model="${state.model}"${python})\nmodel.save("model.suf")`,
        }
        : { linked: "no model, which stays with you", files: model ? { "model.suf": model } : {}, commands: [["inspect", "model.suf", "--json"]], python: `import suffice\nmodel = suffice.load("model.suf")` }),
    };
  },
};
