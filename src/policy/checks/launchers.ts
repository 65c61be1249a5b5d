import { runners } from "../programs/runners.ts";
import { type Arg, textOf } from "../shell/arg.ts";
import { isCheckTool } from "./tool.ts";

/** Programs that start a tool of the project without doing anything else, each with options that take the next word. */
const LAUNCHERS: readonly (readonly [words: string, valued?: string])[] = [
  ["npx|pnpx|bunx|uvx", "-p --package --from --with --python"],
  ["npm exec|x", "-p --package -w --workspace -C --prefix"],
  ["pnpm exec|dlx", "-C --dir -F --filter --package"],
  ["yarn exec|dlx", "--cwd -p --package"],
  ["bun x", "--cwd"],
  [
    "uv run|tool",
    "--extra --group --with --package --python -p --directory --project --env-file --index-url --no-group",
  ],
  ["poetry|pipenv|rye|pixi|pdm run", "-C --directory -p -e --environment"],
  ["hatch run", "-e --env"],
  ["coverage run", "--source --omit --include --rcfile --context"],
  ["bundle|mise|rtx|composer exec"],
  ["dotenv|dotenvx", "-e -c -f"],
  ["cross-env|c8|nyc|time|xvfb-run|valgrind", "-r --reporter --include --exclude"],
];
const BY_NAME = new Map<string, { readonly verbs: readonly string[] | undefined; takes: Set<string> }[]>();
for (const [text, valued = ""] of LAUNCHERS) {
  const [names = "", verbs] = text.split(" ");
  const launcher = { verbs: verbs?.split("|"), takes: new Set(valued.split(" ")) };
  for (const name of names.split("|")) BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), launcher]);
}
/** Folders in which a project's own tools stand. */
const TOOL_FOLDER =
  /^(?:\.\/)?(?:(?:[\w@.-]+\/){0,4}(?:node_modules\/\.bin|vendor\/bin|\.?v?env\/(?:bin|Scripts)|\.venv[\w.-]*\/bin|\.tox\/[\w.-]+\/bin)|bin|\.bin)\/([\w.-]+?)(?:\.exe|\.cmd)?$/u;
const PYTHON = /^(?:python|pypy)\d?(?:\.\d+)?$/u;
/** Options of Python that say how it runs, the last ones with a value. */
const PYTHON_OPTION = /^-(?:[bBdEIOPqsSuv]+|[WX].*)$/u;

/** Tools whose packages have other names. */
const ALIASES: Readonly<Record<string, string>> = {
  "@biomejs/biome": "biome",
  "@playwright/test": "playwright",
  "@stoplight/spectral-cli": "spectral",
};

function afterOptions(
  words: readonly string[],
  from: number,
  valued: ReadonlySet<string>,
): readonly string[] {
  let index = from;
  for (; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") return words.slice(index + 1);
    // An option that runs a text of its own is no launch of a tool.
    if (/^(?:-c|--call|--shell-mode)$/u.test(word) && !valued.has(word)) return [];
    if (!word.startsWith("-") && !/^[A-Z_]\w*=/u.test(word)) break;
    if (valued.has(word)) index++;
  }
  return words.slice(index);
}

function pythonModule(words: readonly string[]): readonly string[] | undefined {
  let index = 1;
  while (PYTHON_OPTION.test(words[index] ?? "")) index += /^-[WX]$/u.test(words[index] ?? "") ? 2 : 1;
  if (words[index] === "-m") return words.slice(index + 1);
  const file = words[index];
  return file === undefined || file.startsWith("-") ? undefined : words.slice(index);
}

function once(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  const name = TOOL_FOLDER.exec(first)?.[1];
  if (name !== undefined && (isCheckTool(name) || PYTHON.test(name))) return [name, ...words.slice(1)];
  if (PYTHON.test(first)) return pythonModule(words) ?? words;
  if (first === "php" && /(?:^|\/)(?:bin\/[\w-]+|artisan)$/u.test(second)) return words.slice(1);
  for (const { verbs, takes } of BY_NAME.get(first) ?? []) {
    const verb = words.findIndex(
      (word, index) => index > 0 && !word.startsWith("-") && !takes.has(words[index - 1] ?? ""),
    );
    if (verbs !== undefined && !verbs.includes(words[verb] ?? "")) continue;
    const rest = afterOptions(words, verbs === undefined ? 1 : verb + 1, takes);
    return rest.length > 0 ? rest : words;
  }
  return words;
}

/** What a command starts in the place of itself, the same words where it starts nothing else. */
export function launched(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = once(words);
  const plain = ALIASES[first] ?? first.replace(/^\.\//u, "").replace(/(?<=.)@[\w.^~-]+$/u, "");
  return plain !== first && isCheckTool(plain) ? [plain, ...rest] : once(words);
}

const STARTS: ReadonlySet<string> = new Set(runners);

/** True for a program whose words begin with another one's, which is judged with them. */
export function isLauncher(argv: readonly Arg[]): boolean {
  return STARTS.has(textOf(argv[0]) ?? "");
}
