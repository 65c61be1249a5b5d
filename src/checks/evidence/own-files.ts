import { dirname, join, relative, resolve } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { pathBelow } from "../../lib/folders.ts";
import { excerpt } from "../../lib/text.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { readRegular } from "../../lib/read-source.ts";
import { commandKey, digestOf, type EvidenceLedger, type OwnFile } from "./evidence.ts";

const MAX_WORDS = 60;
const MAX_BYTES = 1_000_000;
const MAX_SHOWN = 200;
/** A script of the manifest may run another one. */
const MAX_DEPTH = 4;
const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const INTERPRETERS = new Set(
  "sh bash dash ksh zsh fish pwsh node tsx ts-node deno bun python python3 ruby perl php".split(" "),
);
/** What these read without being told. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile"],
};
/** Flags behind which a configuration stands. */
const CONFIGURED = new Set(["--config", "--project", "--rcfile", "--settings", "-c", "-p"]);

/**
 * The files by which a check says what it runs: the script that it names, its configuration, and for a package manager the entry
 * of the manifest. They are known by their content; nothing in them is read for its meaning, and what is not there has none.
 * @param folder where the check runs, within `project`
 */
export async function ownFilesOf(command: string, folder: string, project: string): Promise<OwnFile[]> {
  const found = new Map<string, OwnFile>();
  await gather(command, folder, project, found, MAX_DEPTH);
  return [...found.values()];
}

async function gather(
  command: string,
  folder: string,
  project: string,
  found: Map<string, OwnFile>,
  depth: number,
): Promise<void> {
  for (const part of command.split(/[;&|()\n]+/u)) {
    const words = part.split(/[\s"'`<>]+/u).filter(Boolean);
    for (const name of namedIn(words.slice(0, MAX_WORDS))) {
      const path = pathBelow(project, resolve(folder, name)) ?? "";
      const bytes = path === "" ? null : await readRegular(join(project, path), MAX_BYTES);
      if (bytes !== null) found.set(path, { name: path, digest: digestOf(bytes), shown: "" });
    }
    const at = words.findIndex((word) => MANAGERS.has(word));
    if (at !== -1 && depth > 0) await gatherScript(words.slice(at + 1), folder, project, found, depth);
  }
}

/** The program itself, what an interpreter runs, and configurations. */
function namedIn(words: readonly string[]): string[] {
  const program = words.find((word) => !/^\w+=/u.test(word)) ?? "";
  const at = words.findIndex((word) => INTERPRETERS.has(word));
  // Behind it may stand the name of what it does, as in `bun test a.ts`.
  const run = at === -1 ? [] : words.slice(at + 1).filter((word) => !word.startsWith("-"));
  const configured = words.flatMap((word, index) => {
    const [flag = "", value] = word.split("=");
    return CONFIGURED.has(flag) ? [value ?? words[index + 1] ?? ""] : [];
  });
  return [program, ...run.slice(0, 2), ...configured, ...words.flatMap((word) => READ_BY[word] ?? [])];
}

async function gatherScript(
  words: readonly string[],
  folder: string,
  project: string,
  found: Map<string, OwnFile>,
  depth: number,
): Promise<void> {
  const manifest = await nearestManifest(folder, project);
  if (manifest === null) return;
  const [first = "", second = ""] = words.filter((word) => !word.startsWith("-"));
  const script = first === "run" || first === "run-script" ? second : first;
  const entry = textOf(manifest.scripts[script]);
  const lines = [`pre${script}`, script, `post${script}`].map((key) => textOf(manifest.scripts[key]) ?? "");
  // A script that is not found by its name may be any of them.
  const text = JSON.stringify(entry === undefined ? manifest.scripts : lines);
  const name = `${manifest.path} scripts${entry === undefined ? "" : `.${script}`}`;
  if (found.has(name)) return;
  found.set(name, { name, digest: digestOf(text), shown: excerpt(entry ?? "", MAX_SHOWN) });
  for (const line of entry === undefined ? [] : lines)
    await gather(line, manifest.folder, project, found, depth - 1);
}

async function nearestManifest(folder: string, project: string) {
  for (let at = folder; ; at = dirname(at)) {
    const bytes = await readRegular(join(at, "package.json"), MAX_BYTES);
    const path = relative(project, join(at, "package.json")).replaceAll("\\", "/");
    if (bytes !== null)
      return { folder: at, path, scripts: recordOf(recordOf(parseJson(bytes.toString("utf8")))["scripts"]) };
    if (at === project || dirname(at) === at) return null;
  }
}

export type NamedCommand = Pick<CheckDefinition, "command" | "cwd">;

/** A check whose own files are not what they were when the work began. */
export interface ChangedCheck extends NamedCommand {
  readonly names: readonly string[];
  readonly how: string;
}

/**
 * The own files of checks, by their content when the work began. Who may change the files may make `true` of a check, so that
 * one which changed proves nothing until the user agrees.
 */
export function createPins(ledger: EvidenceLedger, project: string) {
  const filesOf = async ({ command, cwd = "." }: NamedCommand): Promise<OwnFile[]> =>
    ownFilesOf(command, join(project, cwd), project);
  const note = async (unit: string | null, commands: readonly NamedCommand[], again: boolean) => {
    const pins = commands.map(async (named) => {
      const key = commandKey(named.command, named.cwd);
      return { key, command: excerpt(named.command, MAX_SHOWN), files: await filesOf(named) };
    });
    await ledger.pin(unit, await Promise.all(pins), again);
  };
  const compare = async (unit: string | null, named: NamedCommand): Promise<ChangedCheck[]> => {
    const { pins } = await ledger.of(unit);
    const before = pins.find(({ key }) => key === commandKey(named.command, named.cwd))?.files ?? [];
    if (before.length === 0) return [];
    const now = new Map((await filesOf(named)).map((file) => [file.name, file]));
    const changed = before.filter(({ name, digest }) => now.get(name)?.digest !== digest);
    if (changed.length === 0) return [];
    const how = changed.map((file) => describe(file, now.get(file.name))).join(", ");
    return [{ ...named, names: changed.map(({ name }) => name), how }];
  };

  return {
    pin: async (unit: string | null, commands: readonly NamedCommand[]): Promise<void> =>
      note(unit, commands, false),
    async listChanged(unit: string | null, commands: readonly NamedCommand[]): Promise<ChangedCheck[]> {
      return (await Promise.all(commands.map(async (each) => compare(unit, each)))).flat();
    },
    /** The user agreed to them as they are now. */
    accept: async (unit: string | null, commands: readonly NamedCommand[]): Promise<void> =>
      note(unit, commands, true),
  };
}

function describe({ name, shown }: OwnFile, now: OwnFile | undefined): string {
  if (now === undefined) return `${name} is gone`;
  return shown === now.shown
    ? `${name} was changed`
    : `${name} was changed from \`${excerpt(shown, 80)}\` to \`${excerpt(now.shown, 80)}\``;
}
