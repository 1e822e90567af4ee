// What lesson 1 tells of its model in numbers: the score of a pair of classes, parameters, every structure compared.
import { make, replace, short, shown, table } from "../dom.js";

export const MODELS = [
  ["quadratic_discriminant", "own covariances (QDA)"],
  ["linear_discriminant", "one shared covariance (LDA)"],
  ["gaussian_nb", "own, diagonal (naive Bayes)"],
  ["diagonal_discriminant", "shared, diagonal"],
  ["spherical_discriminant", "shared, spherical (nearest mean)"],
  ["grouped_discriminant", "grouped: a and b share one"],
];

// The score of one class against another, with the numbers in it.
function formula({ of, against, constant, linear, quadratic }) {
  const term = (value, name) => ` ${value < 0 ? "\u2212" : "+"} ${short(Math.abs(value))} ${name}`;
  let text = `log p(${of} | x, y) / p(${against} | x, y) = ${short(constant)}${term(linear[0], "x")}${term(linear[1], "y")}`;
  if (quadratic) text += `${term(quadratic[0], "x\u00b2")}${term(quadratic[1] + quadratic[2], "xy")}${term(quadratic[3], "y\u00b2")}`;
  return text;
}

const formulaOf = (pair) => make("p", { class: "formula", tabindex: 0, role: "region", "aria-label": `The score of ${pair.of} against ${pair.against} with its numbers` }, formula(pair));

// w and w0, and what multiplies the squares, of a pair.
function scoreTable(pair, alone) {
  const named = (name) => (alone ? name : `${name}.${pair.of}${pair.against}`);
  const rows = [["w0", shown(named("w0"), pair.constant)], ["w of x", shown(named("w.x"), pair.linear[0])], ["w of y", shown(named("w.y"), pair.linear[1])]];
  if (pair.quadratic) rows.push(...[["x\u00b2", 0], ["xy and yx, each", 1], ["y\u00b2", 3]].map(([name, k]) => [`coefficient of ${name}`, shown(named(`q.${k}`), pair.quadratic[k])]));
  const of = alone ? "" : ` (${pair.of} against ${pair.against})`;
  return table(["number", "value"], rows, `${pair.quadratic ? "The score: linear and quadratic part" : "The boundary w\u00b7x + w0 = 0"}${of}`);
}

export function tellModel(root, model, pairs, all, learned) {
  replace(root,
    ...pairs.map((pair) => formulaOf(pair)), ...pairs.map((pair) => scoreTable(pair, model.classes.length === 2)),
    table(["parameter", ...model.classes.map((each) => each.name)], [
      ["prior", ...model.classes.map((each) => shown(`prior.${each.name}`, each.prior))],
      ...model.columns.map((column) => [`mean of ${column.name}`, ...model.classes.map((each) => shown(`mean.${column.name}.${each.name}`, column.parameters[each.name].mean))]),
      ...model.columns.map((column) => [`variance of ${column.name}`, ...model.classes.map((each) => shown(`variance.${column.name}.${each.name}`, column.parameters[each.name].variance))]),
    ], "Parameters"),
    ...(model.covariances ?? []).map((each) => table(["column", ...each.columns], each.columns.map((name, row) => [name, ...each.values[row].map((value, column) => shown(`covariance.${each.classes[0]}.${row}${column}`, value))]), `Covariance of ${each.classes.join(", ")}`)),
    make("p", {}, "Free parameters: ", shown("parameter_count", model.parameter_count),
      ...(learned ? [". Log-likelihood ", shown("log_likelihood", model.log_likelihood), ", BIC ", shown("bic", model.bic)] : [])),
    all, ...(model.said ?? []).map((said) => make("p", {}, said)));
}

// Every structure on the same points; one that cannot be had of them says nothing.
export async function structures(ask, requestFor, rows) {
  const found = [];
  for (const [model, name] of MODELS) {
    try {
      const [told, judged] = await ask([requestFor(model), { do: "evaluate", positive: 1 }], rows);
      found.push([name, shown(`count.${model}`, told.parameter_count), shown(`bic.${model}`, told.bic), shown(`accuracy.${model}`, judged.accuracy)]);
    } catch {
      found.push([name, "none", "none", "none"]);
    }
  }
  return table(["covariances", "free parameters", "BIC", "right on these points"], found, "All of them compared: the lowest BIC is best");
}
