import { join } from "node:path";
import { uriOf } from "../../src/extras/language-servers/documents.ts";
import { connect } from "../../src/extras/language-servers/connection.ts";
import { steadyClock } from "../../src/lib/clock.ts";
import { createCodeProject, openServers } from "../code/project.ts";

/**
 * Prints how long the errors of an edit take, and the server for TypeScript alone when it is asked for the errors of the same
 * files, in milliseconds: `npx tsx test/bench/code.bench.ts`. Medians of rounds taken in turns, of edits that break nothing and of
 * edits that break their callers, of which the server is asked three times: now, as it was before, and once more. Fails above 1.2
 * times for edits that break nothing.
 */
const IMPORTERS = 20;
const FILES = 200;
const ROUNDS = 25;
const MOST = 1.2;
const LIMIT_MS = 60_000;

const body = (index: number): string =>
  Array.from(
    { length: 60 },
    (_, at) => `export function f${index}_${at}(a: number): number {\n  return a + ${at};\n}\n`,
  ).join("");
const nameOf = (index: number): string => `src/file${index}.ts`;
const shared = (type: string, round: number): string =>
  `export function total(list: ${type}): number {\n  return list.length + ${round};\n}\n${body(0)}`;
const fine = (round: number): string => shared("readonly number[]", round);
const broken = (round: number): string => shared("string", round);

const files: Record<string, string> = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true } }),
  [nameOf(0)]: fine(0),
};
for (let index = 1; index < FILES; index++) {
  const uses =
    index <= IMPORTERS ? 'import { total } from "./file0.js";\nexport const sum = total([1]);\n' : "";
  files[nameOf(index)] = uses + body(index);
}
const asked = Array.from({ length: IMPORTERS + 1 }, (_, index) => nameOf(index));

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
const [ours, theirs] = [await createCodeProject(files), await createCodeProject(files)];
const servers = openServers(ours);
const { environment } = theirs.input.limits;
const wire = connect(
  {
    command: ["typescript-language-server", "--stdio"],
    folder: theirs.directory,
    environment,
    clock: steadyClock,
  },
  { notified: () => undefined, asked: () => null },
);
const pathOf = (name: string): string => join(theirs.directory, name);
const open = (name: string, text: string): void =>
  wire.notify("textDocument/didOpen", {
    textDocument: { uri: uriOf(pathOf(name)), languageId: "typescript", version: 1, text },
  });
const errorsOf = async (name: string): Promise<number> => {
  const asks = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"].map(async (command) => {
    const params = { command: "typescript.tsserverRequest", arguments: [command, { file: pathOf(name) }] };
    const answer = await wire.request<{ body?: unknown[] }>("workspace/executeCommand", params, LIMIT_MS);
    return answer.body?.length ?? 0;
  });
  return sum(await Promise.all(asks));
};

// Clocks' timers keep no process alive: what fails is told.
const hold = setInterval(() => undefined, LIMIT_MS);
try {
  await wire.request(
    "initialize",
    { processId: process.pid, rootUri: uriOf(theirs.directory), capabilities: {} },
    LIMIT_MS,
  );
  wire.notify("initialized", {});
  for (const name of asked) open(name, files[name] ?? "");
  // However long it takes to read the project in.
  await servers.ask({ op: "diagnostics", file: nameOf(0) });
  let version = 1;
  const alone = async (text: string): Promise<number> => {
    version += 1;
    const textDocument = { uri: uriOf(pathOf(nameOf(0))), version };
    wire.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    return sum(await Promise.all(asked.map(errorsOf)));
  };
  let before = fine(0);
  const edit = async (text: string): Promise<number> => {
    const edited = [{ path: nameOf(0), before }];
    await ours.write(nameOf(0), text);
    before = text;
    return (await servers.newErrors(edited)).length;
  };
  const times = new Map<string, number[]>();
  const run = async (round: number, kind: "fine" | "broken", who: "alone" | "ours"): Promise<void> => {
    const text = kind === "fine" ? fine(round) : broken(round);
    const start = performance.now();
    const used = process.cpuUsage();
    const found = await (who === "alone" ? alone : edit)(text);
    const { user, system } = process.cpuUsage(used);
    const taken = { [`${kind} ${who}`]: performance.now() - start, [`cpu ${who}`]: (user + system) / 1_000 };
    // The first round has both read the project.
    for (const [key, time] of round > 0 ? Object.entries(taken) : [])
      times.set(key, [...(times.get(key) ?? []), time]);
    if (found > 0 !== (kind === "broken")) throw new Error(`${who} saw another thing in a ${kind} edit.`);
  };
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of ["broken", "fine"] as const) {
      await run(round, kind, "alone");
      await run(round, kind, "ours");
    }
  for (const kind of ["fine", "broken"] as const) {
    const [least = 0, own = 0] = ["alone", "ours"].map((who) => median(times.get(`${kind} ${who}`) ?? []));
    console.log(
      `${kind} edit, ${asked.length} files asked: the server alone ${least.toFixed(0)} ms, with the plugin ${own.toFixed(0)} ms, ${(own / least).toFixed(2)} times`,
    );
    if (kind === "fine" && own / least > MOST) process.exitCode = 1;
  }
  const [least, own] = ["cpu alone", "cpu ours"].map((key) => median(times.get(key) ?? []).toFixed(0));
  console.log(
    `Processor time of this process for it: speaking to the server alone ${least} ms, with the plugin ${own} ms`,
  );
} finally {
  await servers.dispose();
  await wire.end();
  await Promise.all([ours.remove(), theirs.remove()]);
  clearInterval(hold);
}
