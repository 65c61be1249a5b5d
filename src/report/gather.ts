import {
  checkClaim,
  claimName,
  claimsOf,
  judgeClaim,
  type JudgedClaim,
  UNKNOWN,
  unproven,
  withApprovals,
} from "../checks/evidence/claims.ts";
import { commandKey, unitEvidence } from "../checks/evidence/evidence.ts";
import { createError } from "../lib/error.ts";
import { parseJson, recordOf } from "../lib/json.ts";
import { repositoryRoot } from "../lib/folders.ts";
import { parseEntry, type SpendingEntry } from "../spending/entry.ts";
import { openVcs } from "../snapshot/vcs.ts";
import { debtOf, knownIssuesIn, parseDecisions } from "../record/documents.ts";
import { createJournal, slugOfArchived } from "../record/store.ts";
import { parsePlan } from "../plan/grammar.ts";
import { sectionText } from "../plan/update.ts";
import type { Workspace } from "../record/workspace.ts";

interface ReportedProject {
  readonly directory: string;
  /** By default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly workspace: Pick<Workspace, "listWorkUnits" | "readDocument" | "readEvidence">;
}

/** What `.gaia/` knows of a unit. */
export type UnitRecord = Awaited<ReturnType<typeof readUnitRecord>>;
/** What the page shows of it. */
export type PageFacts = Omit<
  Awaited<ReturnType<typeof gatherReport>>,
  "slug" | "place" | "isOpen" | "planText" | "spec" | "redBefore" | "before"
>;

/** Reads what `.gaia/` knows of a unit, by default the active, else the newest archived. @throws GaiaError for no such unit */
export async function readUnitRecord(
  { directory, workspace, environment }: ReportedProject,
  name: string | undefined,
) {
  const list = await workspace.listWorkUnits();
  const { active, units, archived } = list.ok ? list : { active: null, units: [], archived: [] };
  const wanted = name ?? active ?? archived.at(-1);
  const isOpen = units.some(({ slug }) => slug === wanted);
  const folder = isOpen
    ? wanted
    : archived.findLast((each) => each === wanted || namesOf(each).includes(wanted ?? ""));
  if (folder === undefined) {
    const known = [...units.map(({ slug }) => slug), ...archived].slice(-20).join(", ");
    const what = wanted === undefined ? "There is no work unit yet." : `There is no work unit "${wanted}".`;
    throw createError("report", what, {
      hint: known === "" ? "GAIA makes one when it plans." : `There are: ${known}.`,
    });
  }
  const place = `${isOpen ? "" : "archive/"}${folder}`;
  const read = async (file: string): Promise<string> => {
    const found = await workspace.readDocument({ path: `${place}/${file}` });
    return found.ok ? found.text : "";
  };
  const [planText = "", log = "", table = "", written = "", spec = "", sessions = ""] = await Promise.all(
    ["plan.md", "log.md", "decisions.md", "evidence.json", "spec.md", "sessions.md"].map(read),
  );
  const plan = parsePlan(planText);
  const decisions = parseDecisions(table);
  const slugs = isOpen ? [folder] : namesOf(folder);
  const sealed = await Promise.all(
    slugs.map(async (slug) => {
      const each = await workspace.readEvidence({ slug, folder: place });
      return each.ok && each.value !== null ? [{ slug, value: each.value }] : [];
    }),
  );
  const [own] = sealed.flat();
  const evidence = unitEvidence().safeParse(own?.value ?? recordOf(parseJson(written))["value"]).data;
  const lines = await createJournal(directory, () => "", environment).read();
  const entries = entriesOf(
    lines.flatMap((line) => parseEntry(line) ?? []),
    folder,
    isOpen,
  );
  return {
    unit: folder,
    /** What its evidence is sealed for. */
    slug: own?.slug ?? slugs[0] ?? folder,
    place,
    isOpen,
    /** What the user asked for first; empty where that is not known. */
    request: /^- Asked: (.*)$/mu.exec(sessions)?.[1] ?? "",
    goal: sectionText(planText, "Goal"),
    /** What reviewers noted and nobody fixed. */
    unfixed: debtOf(log),
    /** What is left for the user: open tasks, what makers know to be broken, what is not green and what could not be read. */
    left: [
      ...plan.tasks.filter(({ done }) => !done).map(({ number, text }) => `task ${number}: ${text}`),
      ...knownIssuesIn(log),
    ],
    plan,
    planText,
    spec,
    log,
    decisions: decisions.ok ? decisions.rows : [],
    checks: evidence?.evidence ?? [],
    /** Whether this user's plugin saw the checks; what anyone else wrote down proves nothing. */
    isSealed: own !== undefined,
    /** Keys of the checks that failed before the work. */
    redBefore: evidence?.baseline?.red.map(({ key }) => key) ?? [],
    /** How commands ended before the work. */
    before: evidence?.before ?? [],
    tasks: entries.filter((entry) => entry.kind === "task"),
    spent: entries.filter((entry) => entry.kind === "spent"),
  };
}

/** Reads what `.gaia/` and version control know of a unit; runs nothing of the project. @throws GaiaError for no such unit */
export async function gatherReport(project: ReportedProject, name: string | undefined) {
  const record = await readUnitRecord(project, name);
  const { directory } = project;
  /** Fingerprint of the project's files now; null for an archived unit, or where it cannot be taken. */
  const tree = record.isOpen ? await openVcs(repositoryRoot(directory), directory).fingerprint() : null;
  const claims = judgeRecord(record, tree);
  return {
    ...record,
    claims,
    left: [...record.left, ...unreadIn(record, tree), ...doubtsIn(record, claims)],
  };
}

/** What could not be read, without which "nothing is left" would be a guess. */
function unreadIn({ planText, plan, checks, isSealed, isOpen }: UnitRecord, tree: string | null): string[] {
  return [
    planText === "" ? "plan.md could not be read" : "",
    plan.errors.length > 0 ? "plan.md is not in its grammar: its tasks are not known" : "",
    checks.length > 0 && !isSealed ? "evidence.json is not sealed by your own plugin" : "",
    checks.length === 0 ? "checks not run" : "",
    isOpen && tree === null ? "the files as they are could not be read" : "",
  ].filter(Boolean);
}

/** Where stands what the plan says and what else was run: by what this user's plugin saw, of an archived unit on the files that it saw. */
function judgeRecord(
  { plan, checks, isSealed, isOpen, before, redBefore, tasks }: UnitRecord,
  tree: string | null,
): JudgedClaim[] {
  const last = new Map(tasks.flatMap(({ agent, verdict }) => (verdict === "" ? [] : [[agent, verdict]])));
  const approvers = new Set([...last].flatMap(([agent, said]) => (said.startsWith("APPROVE") ? agent : [])));
  const seen = new Map(isSealed ? checks.map((each) => [each.key, each]) : []);
  const planned = claimsOf(plan.tasks, plan.conditions);
  const keys = new Set(planned.map(({ command }) => commandKey(command ?? "")));
  const others = [...seen].flatMap(([key, { command }]) =>
    keys.has(key) ? [] : [{ ...checkClaim("check", command), key }],
  );
  const judged = [...planned.map((claim) => ({ ...claim, key: commandKey(claim.command ?? "") })), ...others];
  return withApprovals(
    judged.map(({ key, ...claim }) => {
      const evidence = seen.get(key) ?? null;
      const then = isSealed && before.find((each) => each.key === key && each.wave === (claim.wave ?? ""));
      const names = evidence?.changed ?? [];
      const changed = names.length === 0 ? null : { command: claim.command ?? "", names, how: "changed" };
      const known = { ...UNKNOWN, evidence, before: then || null, changed };
      const found = judgeClaim(claim, known, isOpen ? tree : (evidence?.tree ?? null));
      const isOld = isSealed && redBefore.includes(key) && unproven([found]).length > 0;
      return isOld ? { ...found, why: `${found.why}; it failed before the work as well` } : found;
    }),
    approvers,
  );
}

/** What is not green; open tasks are named already. */
function doubtsIn({ isSealed }: UnitRecord, claims: readonly JudgedClaim[]): string[] {
  const doubtful = unproven(claims).filter(({ kind, standing }) => kind !== "task" || standing !== "open");
  return doubtful.map(
    ({ standing, why, ...claim }) =>
      `${claimName(claim)} ${standing}${isSealed && why !== "" ? `: ${why}` : ""}`,
  );
}

/** What a folder of the archive may have been called: its date comes first, and a number where that was taken. */
function namesOf(folder: string): string[] {
  const name = slugOfArchived(folder);
  return [name, name.replace(/-\d+$/, "")];
}

/** What was spent and done for a unit, up to its end where it is archived. */
function entriesOf(entries: readonly SpendingEntry[], folder: string, isOpen: boolean): SpendingEntry[] {
  const names = isOpen ? [folder] : namesOf(folder);
  let own: SpendingEntry[] = [];
  for (const entry of entries) {
    if (!("unit" in entry) || entry.unit === null || !names.includes(entry.unit)) continue;
    if (entry.kind !== "end") own.push(entry);
    else if (entry.archived === folder) return own;
    else own = [];
  }
  // Killed before its end was noted, it still has its own name.
  return own;
}
