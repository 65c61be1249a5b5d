import { join } from "node:path";
import { isRecord, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../../src/scripted-model/request.ts";
import { call, say, type Turn } from "../../../src/scripted-model/turn.ts";
import type { Contender, Job } from "./contenders.ts";
import { callAll } from "../../support/scripted-model.ts";

/** Files that one delegation edits, and delegations that run at once. */
const PER_WRITER = 5;
const PER_WAVE = 2 * PER_WRITER;

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
  const parts = Array.from({ length: count }, (_, number) => [
    part(number),
    `${before(number)}\n${filler}\n`,
  ]);
  const manifest = { name: "feature", private: true, type: "module", scripts: { test: "node check.js" } };
  return {
    ...(Object.fromEntries(parts) as Record<string, string>),
    "package.json": JSON.stringify(manifest),
    "check.js": 'console.log("all checks passed");\n',
  };
}

/** What the user asks for; the words in brackets tell the scripted model which part of the feature it plays. */
export const askToDelegate = (count: number): string =>
  `[feature ${count}] Let every part of src check its input, and keep npm test green.`;
export const askToWorkAlone = (count: number): string =>
  `[alone ${count}] Let every part of src check its input, and keep npm test green.`;
export const ASK_FOR_ONE_DELEGATION = "[delegate] Look at the project.";

/**
 * The model's answer, told from the request alone: its first bracket says the part, the number of answers so far the
 * turn. Everybody works file by file, a look and then an edit, so only what is around the work differs.
 */
export function createPlaybook(contender: Contender, directory: string): (request: RecordedRequest) => Turn {
  return (request) => {
    const messages = messagesOf(request.body).filter(({ role }) => role !== "system");
    const at = messages.findIndex((message) => message["role"] === "user" && MARK.test(textIn(message)));
    const [, what = "", from = "", to = ""] = MARK.exec(textIn(messages[at])) ?? [];
    const turns = turnsOf(what, Number(from), Number(to), contender, directory);
    const done = messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
    return (at < 0 ? undefined : turns[done]) ?? say("Done.");
  };
}

const MARK = /\[(feature|alone|delegate|answer|read|write|check|record)(?: (\d+))?(?: (\d+))?\]/;

function textIn(message: JsonRecord | undefined): string {
  const content = message?.["content"];
  if (!Array.isArray(content)) return textOf(content) ?? "";
  return content
    .filter(isRecord)
    .map((piece) => textOf(piece["text"]) ?? "")
    .join("\n");
}

function turnsOf(what: string, from: number, to: number, contender: Contender, directory: string): Turn[] {
  switch (what) {
    case "feature":
      return orchestrate(from, contender);
    case "alone":
      return [...look(directory), ...edits(0, from, directory), say(summarise(0, from))];
    case "delegate":
      return [contender.delegate("read", "TASK: [answer] Look at the project.", 0), say("Done.")];
    case "read":
      return [...look(directory), contender.finish("read", FINDINGS)];
    case "write":
      return [...edits(from, to, directory), contender.finish("write", summarise(from, to))];
    case "check":
      return [check(), contender.finish("check", "npm test passes.")];
    case "answer":
      return [contender.finish("read", FINDINGS)];
    default:
      return [contender.finish("record", "The feature is built and checked.")];
  }
}

/** Recon by two, then waves of two writers and a checker, as GAIA's routing table has it for a feature. */
function orchestrate(count: number, contender: Contender): Turn[] {
  const { ceremony } = contender;
  const waves = Array.from({ length: Math.ceil(count / PER_WAVE) }, (_, wave) => wave);
  const record = give(contender, "record", 0, "[record]", `Write down what was done: ${summarise(0, count)}`);
  return [
    ...ceremony.begin,
    callAll(
      give(
        contender,
        "read",
        0,
        "[read]",
        "Find out how the parts of src are built and what depends on them.",
      ),
      give(contender, "read", 1, "[read]", "Find out which conventions the parts of src follow."),
    ),
    ...waves.flatMap((wave) => workThrough(wave, count, contender)),
    ...(ceremony.recordsAtEnd ? [record] : []),
    say(summarise(0, count)),
  ];
}

function workThrough(wave: number, count: number, contender: Contender): Turn[] {
  const { ceremony } = contender;
  const first = wave * PER_WAVE;
  const starts = [first, first + PER_WRITER].filter((start) => start < count);
  const writers = starts.map((start) => {
    const end = Math.min(start + PER_WRITER, count);
    const task = `Let ${filesFrom(start, end)} check their input.`;
    return give(contender, "write", wave * 100 + start, `[write ${start} ${end}]`, task);
  });
  return [
    ...ceremony.openWave(wave),
    callAll(...writers),
    give(contender, "check", wave * 100 + 99, "[check]", "Run npm test and report."),
    ...ceremony.closeWave(wave),
  ];
}

function give(contender: Contender, job: Job, number: number, mark: string, task: string): Turn {
  return contender.delegate(job, brief(mark, task), number);
}

const look = (directory: string): Turn[] => [
  call("glob", { pattern: "src/*.js", path: directory }),
  callAll(...[0, 1].map((number) => call("read", { filePath: join(directory, part(number)) }))),
];

/** Each file is read, then edited; the check runs once per ten files. */
function edits(from: number, to: number, directory: string): Turn[] {
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((number) => {
    const filePath = join(directory, part(number));
    const isLast = number === to - 1 || number % PER_WAVE === PER_WAVE - 1;
    return [
      call("read", { filePath }),
      call("edit", { filePath, oldString: before(number), newString: after(number) }),
      ...(isLast ? [check()] : []),
    ];
  });
}

const check = (): Turn => call("bash", { command: "npm test", description: "Runs the checks" });

const filesFrom = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => part(from + index)).join(", ");

const summarise = (from: number, to: number): string =>
  `Changed ${filesFrom(from, to)}: each refuses input that is no text with a TypeError that names the part, and trims ` +
  "what it returns. npm test passes. Nothing else was touched; the exports have their old names and arguments.";

const FINDINGS =
  "src holds one module per part, each with one exported function of one argument that returns it unchanged. Nothing " +
  "imports the parts but the check. House rules: ES modules, JSDoc above exports, errors name the part and the type " +
  "that came. npm test runs check.js. No part is generated. Risk: callers that pass numbers will see a TypeError.";

function brief(mark: string, task: string): string {
  return [
    `TASK: ${mark} ${task}`,
    `CONTEXT: ${FINDINGS}`,
    "MUST DO: read a file before you change it; keep names and arguments of exports; run npm test at the end.",
    "MUST NOT: touch other files, add dependencies, commit.",
    "EXPECTED: every named file refuses input that is no text, npm test passes, a summary of what changed and why.",
  ].join("\n");
}
