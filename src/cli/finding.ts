import { parseArgs } from "node:util";
import { FINDING_TYPES, readFindingType } from "../config/findings.ts";
import { renderFinding } from "../conversation/findings/render.ts";
import { systemClock } from "../lib/clock.ts";
import { createError, describeError } from "../lib/error.ts";
import { silentLogger } from "../lib/logger.ts";
import { pathIn } from "../lib/path-in.ts";
import { createRedactor } from "../lib/redaction.ts";
import { firstSentence } from "../lib/sentence.ts";
import { isFindingId, type NewFinding } from "../record/documents/finding.ts";
import { createWorkspace, type Workspace } from "../record/workspace.ts";
import type { Command, Print, CommandScene } from "./main.ts";
import { openProjectAround } from "./project.ts";

const HELP = `opencode-gaia finding add --type name --text words [options]

Reports to this project what CI or another program found: a row of .gaia/findings.md, once per id. OpenCode may
run meanwhile.

  --type name        ${Object.keys(FINDING_TYPES).join(", ")}.
  --id name          Its id; by default made from what it says.
  --where path:line  The place.
  --scope name       The part of the project.
  --by name          Who says so; CI by default.
  --json             The result as JSON, with the row as it is there now.

Exit code 0: added, or known already. 1: nothing could be written. 2: the command line is not understood.
3: another finding has that id.`;
const NOT_WRITTEN = 1;
const MISUSED = 2;
const TAKEN = 3;
const OPTIONS = {
  id: { type: "string" },
  type: { type: "string" },
  scope: { type: "string" },
  where: { type: "string" },
  text: { type: "string" },
  by: { type: "string" },
  json: { type: "boolean" },
} as const;

export const finding: Command = {
  name: "finding",
  summary: "report to this project what CI found",
  help: HELP,
  run: runFinding,
};

async function runFinding(
  args: readonly string[],
  { print, from, environment }: CommandScene,
): Promise<number> {
  const read = readArguments(args);
  if (typeof read === "string") {
    print(`opencode-gaia finding: ${read} See: opencode-gaia finding --help`);
    return MISUSED;
  }
  const { report, json } = read;
  const { directory, opened } = await openProjectAround(from, environment);
  if (!opened.loaded.config.findings.enabled) {
    print("Findings are switched off here (findings.enabled).");
    return NOT_WRITTEN;
  }
  const redact = createRedactor(environment);
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact });
  const where = await fromProject(directory, from, report.where);
  return add(workspace, { ...report, where }, json, print);
}

async function add(workspace: Workspace, report: NewFinding, json: boolean, print: Print): Promise<number> {
  const written = await workspace.addFindings([report]);
  if (!written.ok) throw createError("finding", written.error, { hint: written.hint });
  const { added, known, taken, path } = written;
  const [result, found] =
    added[0] !== undefined
      ? (["added", added[0]] as const)
      : known[0] !== undefined
        ? (["known", known[0]] as const)
        : (["taken", taken[0]] as const);
  if (found === undefined) return NOT_WRITTEN;
  print(json ? JSON.stringify({ result, path, finding: found }) : `${result}: ${renderFinding(found)}`);
  return result === "taken" ? TAKEN : 0;
}

/** A place as it is named where CI runs, which may be a folder of the project. */
async function fromProject(directory: string, from: string, where: string): Promise<string> {
  const [, path = where, line = ""] = /^(.*?)((?::\d+){0,2})$/s.exec(where) ?? [];
  const found = path === "" ? null : await pathIn(directory, from, path);
  return found === null || found.startsWith("..") ? where : `${found}${line}`;
}

interface Arguments {
  readonly json: boolean;
  readonly report: NewFinding;
}

function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    const { json = false, id = "", type = "", scope = "", where = "", text = "", by = "CI" } = values;
    if (positionals.join(" ") !== "add") return `"${positionals.join(" ")}" is nothing it does.`;
    if (text.trim() === "") return "Say what was found with --text.";
    if (readFindingType(type) === null) return `--type is one of ${Object.keys(FINDING_TYPES).join(", ")}.`;
    if (id !== "" && !isFindingId(id)) return "--id is 1 to 64 of letters, digits, dot, dash and underscore.";
    return { json, report: { id, type, scope, where, what: text, by } };
  } catch (error) {
    return `${firstSentence(describeError(error))}.`;
  }
}
