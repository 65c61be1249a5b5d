import { FINDING_TYPES, readFindingType } from "../config/findings.ts";
import { renderFinding } from "../conversation/findings/render.ts";
import { systemClock } from "../lib/clock.ts";
import { createError } from "../lib/error.ts";
import { silentLogger } from "../lib/logger.ts";
import { pathIn } from "../lib/path-in.ts";
import { createRedactor } from "../lib/redaction.ts";
import { isFindingId, type NewFinding } from "../record/documents.ts";
import { createWorkspace } from "../record/workspace.ts";
import { defineCommand, misuse } from "./main.ts";
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
const TAKEN = 3;

export const finding = defineCommand({
  name: "finding",
  summary: "report to this project what CI found",
  help: HELP,
  options: {
    id: { type: "string" },
    type: { type: "string" },
    scope: { type: "string" },
    where: { type: "string" },
    text: { type: "string" },
    by: { type: "string" },
    json: { type: "boolean" },
  },
  words: Infinity,
  async run(given, { print, from, environment }, words) {
    const { json = false, id = "", type = "", scope = "", where = "", text = "", by = "CI" } = given;
    const wrong = describeMisuse(words.join(" "), { id, type, text });
    if (wrong !== null) throw misuse("finding", wrong);
    const { directory, opened } = await openProjectAround(from, environment);
    if (!opened.loaded.config.findings.enabled) {
      print("Findings are switched off here (findings.enabled).");
      return NOT_WRITTEN;
    }
    const redact = createRedactor(environment);
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact });
    const place = await fromProject(directory, from, where);
    const written = await workspace.addFindings([{ id, type, scope, where: place, what: text, by }]);
    if (!written.ok) throw createError("finding", written.error, { hint: written.hint });
    for (const result of ["added", "known", "taken"] as const) {
      const [found] = written[result];
      if (found === undefined) continue;
      const { path } = written;
      print(json ? JSON.stringify({ result, path, finding: found }) : `${result}: ${renderFinding(found)}`);
      return result === "taken" ? TAKEN : 0;
    }
    return NOT_WRITTEN;
  },
});

function describeMisuse(
  asked: string,
  given: Pick<NewFinding, "id" | "type"> & { text: string },
): string | null {
  const { id, type, text } = given;
  if (asked !== "add") return `"${asked}" is nothing it does.`;
  if (text.trim() === "") return "Say what was found with --text.";
  if (readFindingType(type) === null) return `--type is one of ${Object.keys(FINDING_TYPES).join(", ")}.`;
  const isNamed = id === "" || isFindingId(id);
  return isNamed ? null : "--id is 1 to 64 of letters, digits, dot, dash and underscore.";
}

/** A place as it is named where CI runs, which may be a folder of the project. */
async function fromProject(directory: string, from: string, where: string): Promise<string> {
  const [, path = where, line = ""] = /^(.*?)((?::\d+){0,2})$/s.exec(where) ?? [];
  const found = path === "" ? null : await pathIn(directory, from, path);
  return found === null || found.startsWith("..") ? where : `${found}${line}`;
}
