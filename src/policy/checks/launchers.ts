import { launchersOf, runners } from "../programs/runners.ts";
import { type Arg, textOf } from "../shell/arg.ts";
import { isCheckTool } from "./tool.ts";

/** Folders in which a project's own tools stand. */
const TOOL_FOLDER =
  /^(?:\.\/)?(?:(?:[\w@.-]+\/){0,4}(?:node_modules\/\.bin|vendor\/bin|\.?v?env\/(?:bin|Scripts)|\.venv[\w.-]*\/bin|\.tox\/[\w.-]+\/bin)|bin|\.bin)\/([\w.-]+?)(?:\.exe|\.cmd)?$/u;
const PYTHON = /^(?:python|pypy)\d?(?:\.\d+)?$/u;
/** Options of Python that say how it runs, the last ones with a value. */
const PYTHON_OPTION = /^-(?:[bBdEIOPqsSuv]+|[WX].*)$/u;
/** A test among a project's own modules. */
const TEST_MODULE = /^(?:\w+\.)+test_\w+$/u;

/** Tools whose packages have other names. */
const ALIASES: Readonly<Record<string, string>> = {
  "@angular/cli": "ng",
  "@11ty/eleventy": "eleventy",
  "@biomejs/biome": "biome",
  "@commitlint/cli": "commitlint",
  "@lhci/cli": "lhci",
  "@openapitools/openapi-generator-cli": "openapi-generator-cli",
  "@playwright/test": "playwright",
  "@redocly/cli": "redocly",
  "@stoplight/spectral-cli": "spectral",
  "markdownlint-cli": "markdownlint",
};

/** Beginnings behind which a command stands as it is, with the words that take their place; NUL stands between words. */
const BEGINNINGS: readonly (readonly [RegExp, string?])[] = [
  [/^direnv\0exec\0[^\0]+\0/u],
  [/^uv\0tool\0run\0/u, "uvx\0"],
  [/^dotnet\0tool\0run\0/u, "dotnet\0"],
  [/^nvm\0exec\0[\w./*-]+\0/u],
  [/^nix\0(?:develop|shell)\0(?:[^-\0][^\0]*\0)?(?:-c|--command)\0/u],
  [/^node\0--run\0/u, "npm\0run\0"],
  [
    /^go\0tool\0(?!(?:asm|buildid|c\w+|doc|fix|link|nm|objdump|pack|pprof|test2json|trace|vet|addr2line|dist|-n)\0)(?=[a-z])/u,
  ],
  // What is fetched goes by the last part of its path.
  [/^go\0run\0(?:[\w.-]+\/)+([\w-]+)@[\w.+-]+(?=\0|$)/u, "$1"],
  [/^mise\0(?:x|exec)\0(?:[\w:./-]+@[\w.-]+\0)+--\0/u],
  [/^dart\0(?:pub\0)?run\0(?=melos\0)/u],
  [/^symfony\0(?=(?:php|composer)\0)/u],
  [
    /^(?:docker\0|podman\0)?(?:docker-|podman-)?compose\0(?:-f\0[\w.][\w./-]*\0)*(?:run|exec)\0(?:(?:--rm|-T|--no-deps|-it?|--quiet-pull|-e\0(?:CI|[A-Z]+_ENV|TZ|DEBUG)=[\w.-]*)\0)*[a-z][\w-]*\0/u,
  ],
  // A program of the project's, by its path.
  [/^go\0run\0(?=\.\/)/u],
  [
    /^php\0(?:-d\0(?:memory_limit|xdebug\.mode|pcov\.enabled|error_reporting|display_errors|zend\.assertions|date\.timezone|opcache\.enable(?:_cli)?)=[\w-]+\0)+/u,
    "php\0",
  ],
  [/^deno\0run\0(?:(?:-A|--allow-\w+|-q|--no-check)\0)*(?=[^-])/u, "deno\0"],
];

function behindBeginning(words: readonly string[]): readonly string[] | undefined {
  const line = words.join("\0");
  const found = BEGINNINGS.find(([beginning]) => beginning.test(line));
  return found === undefined ? undefined : line.replace(found[0], found[1] ?? "").split("\0");
}

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
  if (words[index] === "-m")
    return words
      .slice(index + 1)
      .map((word, at) => (at === 0 && TEST_MODULE.test(word) ? `${word.replaceAll(".", "/")}.py` : word));
  const [file, ...args] = words.slice(index);
  if (file === undefined || file.startsWith("-")) return undefined;
  return [file.includes("/") ? file : `./${file}`, ...args];
}

function once(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  const name = TOOL_FOLDER.exec(first)?.[1];
  if (name !== undefined && (isCheckTool(name) || PYTHON.test(name))) return [name, ...words.slice(1)];
  if (PYTHON.test(first)) return pythonModule(words) ?? words;
  if (first === "php" && /(?:^|\/)(?:bin\/[\w-]+|artisan)$/u.test(second)) return words.slice(1);
  const behind = behindBeginning(words);
  if (behind !== undefined) return behind;
  for (const { verbs, valued } of launchersOf(first)) {
    const verb = words.findIndex(
      (word, index) => index > 0 && !word.startsWith("-") && !valued.has(words[index - 1] ?? ""),
    );
    if (verbs !== null && !verbs.includes(words[verb] ?? "")) continue;
    const rest = afterOptions(words, verbs === null ? 1 : verb + 1, valued);
    return rest.length > 0 ? rest : words;
  }
  return words;
}

/** What a command starts in the place of itself, the same words where it starts nothing else. */
export function launched(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = once(words);
  const unversioned = first.replace(/^\.\//u, "").replace(/(?<=.)@[\w.^~-]+$/u, "");
  const plain = ALIASES[unversioned] ?? unversioned;
  return plain !== first && isCheckTool(plain) ? [plain, ...rest] : once(words);
}

/** True for a program whose words begin with another one's, which is judged with them. */
export function isLauncher(argv: readonly Arg[]): boolean {
  return runners.has(textOf(argv[0]) ?? "");
}
