import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { call, type Turn } from "../../../src/scripted-model/turn.ts";
import { callAll } from "../../support/project.ts";

/** Files that one delegation edits, and that one wave does. */
export const PER_WRITER = 5;
export const PER_WAVE = 2 * PER_WRITER;

const LINES = 70;
const part = (number: number): string => `src/part-${String(number).padStart(2, "0")}.js`;
const before = (number: number): string => `export function part${number}(input) {\n  return input;\n}\n`;
const after = (number: number): string =>
  `/** Part ${number}: refuses input that is no text. */\nexport function part${number}(input) {\n` +
  `  if (typeof input !== "string") {\n    throw new TypeError(\`part ${number} needs text, not \${typeof input}\`);\n  }\n` +
  `  return input.trim();\n}\n`;

/** The project of the feature: a number of modules of about 4 KB each, and a check. */
export function featureFiles(count: number): Record<string, string> {
  const filler = Array.from(
    { length: LINES },
    (_, line) => `// Rule ${line}: what is handed over is checked where it comes in.`,
  ).join("\n");
  const parts = Array.from({ length: count }, (_, at) => [part(at), `${before(at)}\n${filler}\n`]);
  const manifest = { name: "feature", private: true, type: "module", scripts: { test: "node check.js" } };
  return {
    ...(Object.fromEntries(parts) as Record<string, string>),
    "package.json": JSON.stringify(manifest),
    "check.js": 'console.log("all checks passed");\n',
  };
}

export const look = (directory: string): Turn[] => [
  call("glob", { pattern: "src/*.js", path: directory }),
  callAll(...[0, 1].map((number) => call("read", { filePath: join(directory, part(number)) }))),
];

/** What a task says beside the parts that it is about. */
export interface Given {
  /** Parts whose text it holds, which nobody reads again. */
  readonly shown: ReadonlySet<number>;
  /** The check is run for the one who does it. */
  readonly isChecked: boolean;
}

const NOTHING: Given = { shown: new Set(), isChecked: false };

/** Each file is read, then edited; the check runs once per ten files, where that is not done by someone else. */
export function edits(numbers: readonly number[], directory: string, given: Given = NOTHING): Turn[] {
  return numbers.flatMap((number) => {
    const filePath = join(directory, part(number));
    const isLast = number === numbers.at(-1) || number % PER_WAVE === PER_WAVE - 1;
    return [
      ...(given.shown.has(number) ? [] : [call("read", { filePath })]),
      call("edit", { filePath, oldString: before(number), newString: after(number) }),
      ...(isLast && !given.isChecked ? [check()] : []),
    ];
  });
}

/** Numbers from one up to another exclusively, as shares of a size: where each begins and ends. */
export const sharesOf = (from: number, to: number, size: number): [start: number, end: number][] =>
  Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => {
    const start = from + index * size;
    return [start, Math.min(start + size, to)];
  });

/** Parts that a text names. */
export const partsIn = (text: string): number[] =>
  [...text.matchAll(/\bsrc\/part-(\d+)\.js\b/g)].map(([, number]) => Number(number));

/** How many of the parts were edited as asked. */
export async function editedFiles(directory: string, count: number): Promise<number> {
  const paths = Array.from({ length: count }, (_, number) => join(directory, part(number)));
  const texts = await Promise.all(paths.map(async (path) => readFile(path, "utf8")));
  return texts.filter((text, number) => text.startsWith(after(number))).length;
}

/** One part: a look, then the edit and the check in one answer. */
export function fix(directory: string): Turn[] {
  const filePath = join(directory, part(0));
  const edit = call("edit", { filePath, oldString: before(0), newString: after(0) });
  return [call("read", { filePath }), callAll(edit, check())];
}

export const check = (): Turn => call("bash", { command: "npm test", description: "Runs the checks" });

export const filesFrom = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => part(from + index)).join(", ");

export const summarise = (from: number, to: number): string =>
  `Changed ${filesFrom(from, to)}: each refuses input that is no text with a TypeError that names the part, and trims ` +
  "what it returns. npm test passes. Nothing else was touched; the exports have their old names and arguments.";

export const FINDINGS =
  "src holds one module per part, each with one exported function of one argument that returns it unchanged. Nothing " +
  "imports the parts but the check. House rules: ES modules, JSDoc above exports, errors name the part and the type " +
  "that came. npm test runs check.js. No part is generated. Risk: callers that pass numbers will see a TypeError.";

export const RULES =
  "Read a file before you change it; keep names and arguments of exports; run npm test at the end.";
