// Lesson 8: text: each word's log odds by class, the next word, sentences made up by a language model.
import { Chart, COLOURS, legend } from "../chart.js";
import { button, choice, csv, make, replace, shown, table, words } from "../dom.js";
import { CORPUS } from "./corpus.js";

const CLASSES = Object.keys(CORPUS).sort();
const TEXT = csv(["text", "class"], Object.entries(CORPUS).flatMap(([name, lines]) => lines.map((line) => [line, name])));
const fit = (model) => ["fit", "corpus.csv", "--target", "class", "--model", model, "-q", "-o", `${model}.suf`];

export default {
  name: "words",
  title: "Text",
  text: `<p>A document as a bag of words: each word adds its log probability in each class, and the sum decides. A language model also looks at the words before: it says
which word comes next, and makes up sentences. The corpus here is 36 lines about space, sport and the kitchen.</p>`,
  try: `<p>Type a sentence. Which words pull it where? Mix two subjects. Then look at the next words, and let the language model of one class make up sentences.</p>`,
  first: () => ({ sentence: "the team watched the rocket launch", model: "multinomial_nb", of: "space", seed: 1 }),

  mount(root, page) {
    const { state } = page;
    const answerBox = make("div", {});
    const made = make("div", {});
    root.append(
      words("a sentence", state.sentence, (value) => { state.sentence = value; page.changed(); }, { id: "sentence" }),
      choice("model", [["multinomial_nb", "words counted (multinomial)"], ["complement_nb", "by all other classes (complement)"]], state.model, (value) => { state.model = value; page.changed(); }),
      answerBox,
      choice("sentences about", CLASSES, state.of, (value) => { state.of = value; page.changed(); }),
      button("Make up others", () => { state.seed += 1; page.changed(); }), made);
    let models = null;
    const picture = new Chart({ title: "Log odds of each class against the best of the others, word by word", x: "words of the sentence", y: "log odds", view: { left: 0, right: 1, bottom: -1, top: 1 }, height: 240 });

    async function say(words_, files) {
      const answer = await page.run(words_, files);
      if (answer.code !== 0) throw new Error(answer.stderr.trim());
      return answer;
    }

    async function learn() {
      if (models) return;
      let files = { "corpus.csv": TEXT };
      for (const model of ["multinomial_nb", "complement_nb", "ngram"]) files = { ...files, ...(await say(fit(model), files)).files };
      models = files;
    }

    function drawWords(terms, ahead) {
      const most = Math.max(1, ...terms.flatMap((term) => CLASSES.map((name) => Math.abs(ahead(term, name)))));
      picture.see({ left: -0.6, right: Math.max(1, terms.length) - 0.4, bottom: -1.1 * most, top: 1.1 * most });
      picture.clear();
      const width = Math.min(24, 130 / Math.max(1, terms.length));
      terms.forEach((term, k) => {
        CLASSES.forEach((name, c) => picture.bars([k], [ahead(term, name)], { colour: COLOURS[c], width, shift: (c - 1) * width }));
        picture.label([k - 0.3, (k % 2 ? 0.92 : 0.8) * 1.1 * most], term.replace(/^text /, ""));
      });
      picture.line([[-0.6, 0], [terms.length, 0]], { width: 1 });
    }

    async function draw() {
      await learn();
      const files = { ...models, "sentence.csv": csv(["text"], [[`"${state.sentence.replace(/"/g, "")}"`]]) };
      const [told] = JSON.parse((await say(["explain", `${state.model}.suf`, "sentence.csv", "--json"], files)).stdout);
      const [predicted] = JSON.parse((await say(["predict", `${state.model}.suf`, "sentence.csv", "--proba", "--json"], files)).stdout);
      const next = JSON.parse((await say(["predict", "ngram.suf", "--next", state.sentence, "--top", "6", "--json"], files)).stdout);
      const sampled = JSON.parse((await say(["sample", "ngram.suf", "-n", "4", "--class", state.of, "--seed", String(state.seed), "--json"], files)).stdout);
      const terms = [...new Set(CLASSES.flatMap((name) => Object.keys(told.contributions[name] ?? {})))];
      const best = (term) => CLASSES.reduce((a, b) => ((told.contributions[a][term] ?? 0) >= (told.contributions[b][term] ?? 0) ? a : b));
      const ahead = (term, name) => told.contributions[name][term] - Math.max(...CLASSES.filter((other) => other !== name).map((other) => told.contributions[other][term]));
      drawWords(terms, ahead);
      replace(answerBox,
        make("p", {}, ...terms.map((term) => make("span", { class: "word", style: `border-color:${COLOURS[CLASSES.indexOf(best(term))]}` }, term.replace(/^text /, "")))),
        picture.element, legend(CLASSES),
        table(["class", "posterior"], CLASSES.map((name) => [name, shown(`posterior.${name}`, predicted[`p(${name})`])]), "What the sentence is about"),
        table(["word", ...CLASSES], terms.map((term) => [term.replace(/^text /, ""), ...CLASSES.map((name) => shown(`word.${term}.${name}`, told.contributions[name][term]))]), "What each word adds to the log joint of each class"),
        table(["word", ...CLASSES], terms.map((term) => [term.replace(/^text /, ""), ...CLASSES.map((name) => shown(`odds.${term}.${name}`, ahead(term, name)))]), "Log odds of each class against the best of the others"));
      replace(made,
        table(["next word", "probability"], next.map((each) => [each.word, shown(`next.${each.word}`, each.probability)]), "What the language model expects next"),
        make("h2", {}, "Made up"), make("ul", {}, ...sampled.map((each) => make("li", {}, each.text))));
    }

    return {
      draw,
      reproduce: () => ({
        files: { "corpus.csv": TEXT, "sentence.csv": csv(["text"], [[`"${state.sentence.replace(/"/g, "")}"`]]) },
        commands: [fit(state.model), ["predict", `${state.model}.suf`, "sentence.csv", "--proba", "--json"], ["explain", `${state.model}.suf`, "sentence.csv", "--json"], fit("ngram"),
          ["predict", "ngram.suf", "--next", state.sentence, "--top", "6", "--json"], ["sample", "ngram.suf", "-n", "4", "--class", state.of, "--seed", String(state.seed), "--json"]],
        python: `import pandas, suffice\nmodel = suffice.fit_files("corpus.csv", target="class", model="${state.model}")\nmodel.predict_proba(pandas.DataFrame({"text": [${JSON.stringify(state.sentence)}]}))`,
      }),
    };
  },
};
