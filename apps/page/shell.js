// A small shell over files in memory: lines as they stand in the documentation, with pipes, redirections and the few tools used beside the command.
const bytes = new TextEncoder();
const text = new TextDecoder();
const asText = (content) => (typeof content === "string" ? content : text.decode(content));
const asBytes = (content) => (typeof content === "string" ? bytes.encode(content) : content);

class Unknown extends Error {}
class Failure extends Error {}

// Words and operators of a line. What a small shell has not got (variables, loops) is refused, never guessed.
function tokens(line) {
  const found = [];
  const operator = /^(2>&1|2>|&&|>>|[;|<>()])/;
  for (let at = 0; at < line.length;) {
    const rest = line.slice(at);
    const space = /^(\s+|\\\n)/.exec(rest);
    const sign = operator.exec(rest);
    if (space) at += space[0].length;
    else if (rest[0] === "#") break;
    else if (sign) {
      found.push({ operator: sign[0] });
      at += sign[0].length;
    } else {
      const [word, length] = oneWord(rest);
      found.push({ word });
      at += length;
    }
  }
  return found;
}

function oneWord(rest) {
  let word = "";
  let at = 0;
  while (at < rest.length && !/[\s;|<>()&]/.test(rest[at])) {
    const quote = rest[at];
    if (quote === "'" || quote === '"') {
      const end = rest.indexOf(quote, at + 1);
      if (end < 0) throw new Unknown(`the quote ${quote} is not closed`);
      const inside = rest.slice(at + 1, end);
      if (quote === '"' && /[$`]/.test(inside)) throw new Unknown("variables are not known here");
      word += quote === '"' ? inside.replace(/\\(["\\$`])/g, "$1") : inside;
      at = end + 1;
    } else if (quote === "\\") {
      word += rest[at + 1] ?? "";
      at += 2;
    } else if (quote === "$" || quote === "`") {
      throw new Unknown("variables are not known here");
    } else {
      word += rest[at++];
    }
  }
  if (at === 0) throw new Unknown(`${rest[0]} is not known here`);
  return [word, at];
}

// list: pipelines joined by ; and &&. pipeline: commands joined by |. command: words or a list in brackets, with redirections.
function parse(line) {
  const left = tokens(line);
  const next = () => left[0];
  const take = (sign) => next()?.operator === sign && Boolean(left.shift());
  function list(closed) {
    const found = [];
    while (next() && next().operator !== ")") {
      found.push({ pipeline: pipeline(), ifGood: false });
      if (take("&&")) found.at(-1).ifGood = true;
      else if (!take(";")) break;
    }
    if (next() && !closed) throw new Unknown(`${next().operator} is out of place`);
    return found;
  }
  function pipeline() {
    const found = [command()];
    while (take("|")) found.push(command());
    return found;
  }
  function command() {
    const found = { words: [], group: null, to: null, add: false, from: null, errors: "shown" };
    while (next()) {
      if (next().word !== undefined) found.words.push(left.shift().word);
      else if (take("2>&1")) found.errors = "joined";
      else if (take("2>")) found.errors = left.shift()?.word;
      else if (next().operator === ">" || next().operator === ">>") [found.add, found.to] = [left.shift().operator === ">>", left.shift()?.word];
      else if (take("<")) found.from = left.shift()?.word;
      else if (found.words.length === 0 && take("(")) {
        found.group = list(true);
        if (!take(")")) throw new Unknown("a bracket is not closed");
      } else break;
    }
    if (!found.group && found.words.length === 0) throw new Unknown("a command is missing");
    return found;
  }
  return list(false);
}

const lines = (said) => said.replace(/\n$/, "").split("\n").slice(0, said === "" ? 0 : undefined);
const joined = (list) => list.map((line) => `${line}\n`).join("");
// Options and the rest of a tool's words; `valued` letters take the next characters or word as their value.
function options(words, valued = "") {
  const [flags, rest] = [{}, []];
  for (let k = 0; k < words.length; ++k) {
    if (!/^-./.test(words[k])) rest.push(words[k]);
    else if (/^-\d+$/.test(words[k])) flags.n = words[k].slice(1);
    else {
      for (let at = 1; at < words[k].length; ++at) {
        const letter = words[k][at];
        if (!valued.includes(letter)) flags[letter] = true;
        else {
          flags[letter] = words[k].slice(at + 1) || words[++k];
          break;
        }
      }
    }
  }
  return [flags, rest];
}

function pattern(flags, source) {
  return new RegExp(flags.E ? source : source.replace(/[+?(){}|]/g, "\\$&"), flags.o ? "g" : "");
}

function picked(spec, count) {
  const found = [];
  for (const part of spec.split(",")) {
    const [from, to = from] = part.split("-");
    for (let k = Number(from || 1); k <= Math.min(count, Number(to || count)); ++k) found.push(k - 1);
  }
  return found;
}

const unescaped = (said) => said.replace(/\\(n|t|\\)/g, (_, letter) => ({ n: "\n", t: "\t", "\\": "\\" })[letter]);

// Each: (words after the name, what comes in by the pipe, read a file) => what goes out.
const TOOLS = {
  cat: (words, input, read) => (words.length ? words.map(read).map(asText).join("") : input),
  echo: (words) => `${words.join(" ")}\n`,
  printf: ([form, ...values]) => unescaped(form).replace(/%[sd]/g, () => values.shift() ?? ""),
  head: (words, input, read) => {
    const [flags, [file]] = options(words, "nc");
    const said = file ? asText(read(file)) : input;
    return flags.c ? asBytes(file ? read(file) : input).slice(0, Number(flags.c)) : joined(lines(said).slice(0, Number(flags.n ?? 10)));
  },
  tail: (words, input, read) => {
    const [flags, [file]] = options(words, "n");
    const all = lines(file ? asText(read(file)) : input);
    const count = String(flags.n ?? 10);
    return joined(count.startsWith("+") ? all.slice(Number(count) - 1) : all.slice(-Number(count)));
  },
  grep: (words, input, read) => {
    const [flags, [source, ...files]] = options(words);
    const all = lines(files.length ? files.map(read).map(asText).join("") : input);
    const wanted = pattern(flags, source);
    if (flags.o) return joined(all.flatMap((line) => line.match(wanted) ?? []));
    const kept = all.filter((line) => wanted.test(line) !== Boolean(flags.v));
    return flags.c ? `${kept.length}\n` : joined(kept);
  },
  cut: (words, input, read) => {
    const [flags, [file]] = options(words, "dfc");
    const all = lines(file ? asText(read(file)) : input);
    if (flags.c) return joined(all.map((line) => picked(flags.c, [...line].length).map((k) => [...line][k]).join("")));
    const by = flags.d ?? "\t";
    return joined(all.map((line) => line.split(by)).map((cells) => picked(flags.f, cells.length).map((k) => cells[k]).join(by)));
  },
  sort: (words, input, read) => joined(lines(words[0] ? asText(read(words[0])) : input).sort()),
  uniq: (words, input) => {
    const runs = [];
    for (const line of lines(input)) {
      if (runs.at(-1)?.line === line) ++runs.at(-1).count;
      else runs.push({ line, count: 1 });
    }
    return joined(runs.map(({ line, count }) => (words[0] === "-c" ? `${String(count).padStart(7)} ${line}` : line)));
  },
  wc: (words, input, read) => `${lines(words[1] ? asText(read(words[1])) : input).length}\n`,
  sed: (words, input, read) => {
    const [flags, [program, file]] = options(words);
    const all = lines(file ? asText(read(file)) : input);
    if (program === "1d") return joined(all.slice(1));
    const after = /^\/(.*)\/,\$p$/.exec(program);
    if (flags.n && after) return joined(all.slice(all.findIndex((line) => new RegExp(after[1]).test(line))));
    const wanted = program.split(";").map((each) => /^(\d+)(?:,(\d+))?p$/.exec(each));
    if (!flags.n || wanted.includes(null)) throw new Unknown(`sed ${words.join(" ")} is not known here`);
    return joined(all.filter((_, k) => wanted.some(([, from, to = from]) => k + 1 >= Number(from) && k + 1 <= Number(to))));
  },
  cmp: ([first, second], input, read) => {
    const [a, b] = [asBytes(read(first)), asBytes(read(second))];
    if (a.length !== b.length || a.some((byte, k) => byte !== b[k])) throw new Failure(`${first} ${second} differ`);
    return "";
  },
  mkdir: () => "",  // a folder is there once a file in it is
  true: () => "",
};
const CHANGES = {
  cp: (files, [from, to]) => { files[to] = files[from]; },
  mv: (files, [from, to]) => { files[to] = files[from]; delete files[from]; },
  rm: (files, names) => names.forEach((name) => { delete files[name]; }),
};

// Whether a line can be run here.
export function known(line) {
  const fits = ({ words, group }) => (group ? whole(group) : words[0] === "suffice" || words[0] in TOOLS || words[0] in CHANGES || words[0] === "ls");
  const whole = (list) => list.every(({ pipeline }) => pipeline.every(fits));
  try {
    return whole(parse(line));
  } catch {
    return false;
  }
}

// Runs a line over `files` (changed in place); `run` is the command. Gives what a terminal would show, and the exit code.
export async function runLine(line, files, run) {
  const screen = [];
  const read = (name) => {
    if (!(name in files)) throw new Failure(`there is no file ${name}`);
    return files[name];
  };

  async function one(command, input, shown) {
    if (command.from) input = read(command.from);
    let answer;
    if (command.group) {
      const parts = [];
      answer = { code: await each(command.group, input, (part) => parts.push(part)), out: parts.join("") };
    } else {
      const [name, ...words] = command.words;
      answer = name === "suffice" ? await asked(words, input) : { code: 0, out: used(name, words, asText(input)) };
    }
    if (answer.errors && command.errors === "shown" && answer.both !== undefined && shown && !command.to) return { ...answer, out: "", direct: answer.both };
    if (answer.errors && command.errors === "joined") answer.out = answer.both;
    else if (answer.errors && command.errors === "shown") screen.push(answer.errors);
    if (command.to) {
      if (command.to !== "/dev/null") files[command.to] = command.add && command.to in files ? asText(files[command.to]) + asText(answer.out) : answer.out;
      answer.out = "";
    }
    return answer;
  }

  async function asked(words, input) {
    const said = await run(words, words.includes("-") ? { ...files, "/dev/stdin": asBytes(input) } : files);
    Object.assign(files, said.files);
    return { code: said.code, out: said.stdout, errors: said.stderr, both: said.both ?? said.stdout + said.stderr };
  }

  function used(name, words, input) {
    if (name === "ls") return joined(Object.keys(files).sort());
    if (name in CHANGES) {
      CHANGES[name](files, words);
      return "";
    }
    if (!(name in TOOLS)) throw new Unknown(`there is no ${name} here: the command is suffice, beside it are ${Object.keys({ ...TOOLS, ...CHANGES }).join(", ")}, ls`);
    return TOOLS[name](words.filter((word) => word !== "-p"), input, read);
  }

  async function each(list, input, show) {
    let code = 0;
    let skip = false;
    for (const { pipeline, ifGood } of list) {
      if (!skip) {
        let passed = input;
        for (const [k, command] of pipeline.entries()) {
          const answer = await one(command, passed, k + 1 === pipeline.length);
          [passed, code] = [answer.direct ?? answer.out, answer.code];
        }
        show(asText(passed));
      }
      skip = ifGood && code !== 0;
    }
    return code;
  }

  try {
    return { code: await each(parse(line), "", (part) => screen.push(part)), shown: screen.join("") };
  } catch (problem) {
    if (!(problem instanceof Unknown || problem instanceof Failure)) throw problem;
    return { code: problem instanceof Failure ? 1 : 2, shown: `${screen.join("")}${problem.message}\n` };
  }
}
