import { join } from "node:path";
import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import type { Task } from "../../delegation/task.ts";
import { knownIssuesIn } from "../../record/documents.ts";
import { textOf } from "../../lib/json.ts";
import { SCOPES } from "../../spending/totals.ts";
import type { Changes } from "../../snapshot/vcs.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Checks } from "../checks/checks.ts";
import type { Learnings } from "../learnings/learnings.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { ConversationServices } from "../services.ts";
import { knownIssuesOf } from "./piece-of-work.ts";
import { decideVerdict, renderEndVerdict } from "./verdict.ts";

export interface UnitSources {
  readonly checks: Pick<Checks, "claims">;
  readonly learnings: Pick<Learnings, "waiting">;
  readonly workRecord: Pick<WorkRecord, "debtOf">;
  readonly ownWork: Pick<OwnWork, "withoutUsers" | "beginPiece" | "linesOfPiece">;
}

export type Left = Awaited<ReturnType<typeof readLeft>>;
export type UnitFacts = Awaited<ReturnType<typeof readUnitFacts>>;

/** What a report of finished work is made of; nothing of it is what a model says of its own work. */
export async function readUnitFacts(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: UnitSources,
  unit: string,
) {
  const { workspace, host, clock, ledger } = services;
  const [plan, claims] = await Promise.all([
    workspace.planStanding({ slug: unit }),
    parts.checks.claims(unit),
  ]);
  const { pause, verdicts: all } = conversation.state;
  const tasks = conversation.tasks().filter(({ workUnit }) => workUnit === unit);
  const verdicts = all.filter(({ workUnit }) => workUnit === unit);
  const changes = await changesOf(services, parts, unit, plan.ok ? plan.base : null);
  const verdict = decideVerdict({
    claims,
    pause: pause?.reason === "blocked" ? pause : null,
    objections: openObjections(verdicts, unit),
    edits: changes.files.length > 0 || !changes.known ? "changed" : "unchanged",
  });
  const paths = changes.files.map(({ path }) => path);
  return {
    ...(await readLeft(conversation, services, parts, { unit, claims, paths, tasks })),
    unit,
    title: plan.ok ? plan.title : "",
    changes,
    /** The last line; empty where it stands elsewhere: `opencode run` ends with it. */
    verdict: host.oneShot === null ? renderEndVerdict(verdict) : "",
    verdicts,
    tasks,
    /** Since its first delegation. */
    ms: Math.max(0, ...tasks.map(({ queuedAt }) => clock.now() - queuedAt)),
    /** What the unit came to, GAIA's own requests included. */
    spent: ledger.totals.of(SCOPES.unit({ unit, root: conversation.rootId })),
  };
}

/** What a piece of work leaves to its user, in a unit or outside of any. @param work `paths`: what it changed */
export async function readLeft(
  conversation: ConversationCore,
  { treeOf, workspace }: ConversationServices,
  { learnings, workRecord }: Pick<UnitSources, "learnings" | "workRecord">,
  work: {
    readonly unit: string | null;
    readonly claims: readonly JudgedClaim[];
    readonly paths: readonly string[];
    readonly tasks: readonly Task[];
  },
) {
  const { unit, claims, paths, tasks } = work;
  const { vcs, verifier, place } = treeOf(unit);
  // Waits for what makers and reviewers noted to be written.
  const debt = await workRecord.debtOf(unit);
  const [read, waits, uncommitted, checks] = await Promise.all([
    unit === null ? null : workspace.readWorkUnit({ slug: unit }),
    learnings.waiting(),
    paths.length === 0 ? null : vcs.uncommitted(),
    unit === null || paths.length === 0 ? null : verifier.definition(),
  ]);
  const open = new Set(uncommitted ?? []);
  const verdicts = conversation.state.verdicts.filter(({ workUnit }) => workUnit === unit);
  const known = verifier.last()?.known ?? [];
  const red = known.length === 0 ? "" : `failing no worse than before the work: ${known.join(", ")}`;
  const issues = read?.ok === true ? knownIssuesIn(read.content.log_md) : knownIssuesOf(tasks);
  return {
    claims,
    uncommitted: paths.filter((path) => open.has(join(place.project, path))),
    hasChecks: (checks?.checks.length ?? 0) > 0,
    checks: verifier.last()?.summary ?? "",
    findings: [...verdicts.flatMap(({ findings }) => findings), ...debt],
    left: [...new Set([...conversation.left, ...issues, waits, red])].filter(Boolean),
  };
}

/** Remembers the files as they are when a unit is new: what was changed before is none of its work. */
export async function noteBegin(
  { workspace, treeOf, workStore }: ConversationServices,
  unit: string,
): Promise<void> {
  const plan = await workspace.planStanding({ slug: unit });
  if (plan.ok && plan.by !== null) return;
  const tree = await treeOf(unit).workWatch.trees.take();
  workStore.save(`unit-${unit}`, () => ({ tree }));
}

/** Without what only the user has changed. */
export async function changesOf(
  { treeOf, workStore }: Pick<ConversationServices, "treeOf" | "workStore">,
  { ownWork }: { readonly ownWork: Pick<OwnWork, "withoutUsers"> },
  unit: string,
  base: string | null,
): Promise<Changes> {
  const tree = textOf((await workStore.load(`unit-${unit}`))["tree"]);
  const changes = await treeOf(unit).vcs.changesSince(base, undefined, tree);
  return { ...changes, files: await ownWork.withoutUsers(changes.files) };
}
