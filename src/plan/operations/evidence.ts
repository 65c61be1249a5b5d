import { agentName } from "../../agents/registry.ts";
import { describeCheckFailure } from "../../checks/completion.ts";
import type { DefinitionOfDoneReport } from "../../checks/definition-of-done/report.ts";
import { modelView } from "../../checks/definition-of-done/render.ts";
import { unproven, type Claim, type JudgedClaim, evidenceView } from "../../checks/evidence/claims.ts";
import { ask, type Called, type PlanCall } from "./ask.ts";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import type { Runtime } from "../../runtime.ts";

type EvidenceCall = PlanCall & { readonly unit: string };
/** Work that is checked, with its unit or without one. */
export type Checking = PlanCall & { readonly unit: string | null };

interface FailedChecks {
  /** What does not pass, in a few words. */
  readonly why: string;
  /** Null where they could not be run. */
  readonly report: DefinitionOfDoneReport | null;
}

/** Runs the project's checks on the files as they are; null where they pass. */
export async function runChecks({
  conversation,
  call,
  unit,
}: Checking): Promise<FailedChecks | "unconfigured" | null> {
  const { checks } = conversation.parts;
  const scope = await checks.scopeOfWork(call.abort);
  const verification = await checks.run(unit, { scope, by: "gaia", signal: call.abort });
  if (verification.kind === "none") return "unconfigured";
  if (verification.kind === "broken") return { why: verification.problem, report: null };
  const { report } = verification;
  return report.passed ? null : { why: describeCheckFailure(report), report };
}

/** Claims that the host has just seen fail, and why; empty for none. */
export function renderRefuted(
  claims: readonly JudgedClaim[],
  isMeant: (claim: JudgedClaim) => boolean,
): string {
  const refuted = claims.filter((claim) => claim.isRefuted && isMeant(claim));
  return refuted.map(({ id, why }) => `${id}: ${why}`).join("; ");
}

const BESIDE = {
  kind: "condition",
  wave: null,
  isTicked: false,
  command: null,
  files: [],
  standing: "claimed",
  isRefuted: false,
} as const;
const EMPTY: JudgedClaim = { ...BESIDE, id: "plan", text: "The plan", why: "it has no tasks" };
const everything = (): boolean => true;
const ticked = ({ kind, isTicked }: Claim): boolean => kind === "task" && isTicked;

/** The project's checks that each candidate for a task has to pass; none where not all of them have to. */
export async function judgingChecks({
  config,
  verifier,
}: Pick<Runtime, "config" | "verifier">): Promise<readonly CheckDefinition[]> {
  const definition = config.wavePolicy.boundaryRule === "manual" ? null : await verifier.definition();
  return definition?.gate === "all" ? definition.checks : [];
}

/** Runs what shows the ticked tasks, and the conditions once no task is open; how a model is told of it. */
export async function showEvidence({ conversation, call, unit }: EvidenceCall): Promise<object> {
  const { checks } = conversation.parts;
  const known = await checks.claims(unit);
  if (known.length === 0) return {};
  const isOver = known.every(({ kind, isTicked }) => kind === "condition" || isTicked);
  return { evidence: evidenceView(await checks.prove(unit, isOver ? everything : ticked, call.abort)) };
}

/** Why a wave is not complete: the host ran what shows its ticked tasks on the files as they are, and it fails. */
export async function refuseRefuted(
  { conversation, call, unit }: EvidenceCall,
  wave: string,
): Promise<Refusal | null> {
  const isOwn = (claim: Claim): boolean => ticked(claim) && claim.wave === wave;
  const claims = await conversation.parts.checks.prove(unit, isOwn, call.abort);
  const named = renderRefuted(claims, isOwn);
  if (named === "") return null;
  return refuse(
    `The wave stays open: what is ticked does not hold (${named}).`,
    "Have it fixed, or take the tick back.",
  );
}

/** Runs what shows a unit's work as far as it is not proven. @returns where all of it stands, with the checks where they did not pass */
async function proveAll({ conversation, call, unit }: EvidenceCall): Promise<readonly JudgedClaim[]> {
  const { checks } = conversation.parts;
  const claims = await checks.prove(unit, everything, call.abort);
  const standing = await checks.standing(call.abort);
  const known = claims.some(({ kind }) => kind === "task") ? claims : [...claims, EMPTY];
  if (standing === "passed" || standing === "unconfigured") return known;
  const why = { failed: "they fail", stale: "files changed since they passed", never: "they were not run" }[
    standing
  ];
  const stands = standing === "never" ? "claimed" : standing;
  const said = { id: "checks", text: "Definition of Done", why, isRefuted: standing === "failed" };
  return [...known, { ...BESIDE, ...said, standing: stands }];
}

/** Has the user decide on checks whose own files are not what they were when the work began. */
export async function settleChangedChecks(request: Checking): Promise<void> {
  const { conversation, unit } = request;
  const changed = await conversation.parts.checks.changedChecks(unit);
  if (changed.length === 0) return;
  const title = changed.map(({ command }) => command).join(", ");
  const approval = await ask(request, { kind: "checks", workUnit: unit ?? "", title }, [
    "Checks were changed during the work:",
    ...changed.map(({ command, how }) => `- ${command}: ${how}`),
  ]);
  if (approval.kind === "granted") await conversation.parts.checks.acceptChecks(unit);
}

/** Runs the project's checks in the host and writes what they said into the log of the conversation's unit (SPEC 11). */
export async function verify({
  runtime: { verifier },
  scene,
  input: { scope },
  call,
}: Called): Promise<object> {
  const unit = scene?.conversation.state.workUnit ?? null;
  if (scene !== null) await settleChangedChecks({ ...scene, unit });
  const options = { scope, by: "gaia", signal: call.abort } as const;
  const verification = await (scene === null
    ? verifier.open().verify(options)
    : scene.conversation.parts.checks.run(unit, options));
  if (verification.kind === "broken") return refuse(verification.problem, "Tell the user.");
  const shown = scene === null || unit === null ? {} : await showEvidence({ ...scene, unit });
  if (verification.kind === "none") {
    return refuse(
      "No Definition of Done is configured.",
      `Ask the user which checks to put into .gaia/config.jsonc as definitionOfDone; run them through ${agentName("checker")} now.`,
      { suggestions: verification.suggestions, ...shown },
    );
  }
  const { report, next } = verification;
  return { ok: report.passed, report: modelView(report), next, ...shown };
}

/** Archives a unit; as complete only where that is proven, or the user has said so. */
export async function archive({
  runtime: { workspace, treeOf },
  scene,
  input: { slug },
}: Called): Promise<object> {
  if (scene === null || slug === undefined)
    return workspace.archiveWorkUnit({ ...(slug === undefined ? {} : { slug }), isProven: false });
  const { conversation } = scene;
  const { workRecord, waves, spending, report } = conversation.parts;
  const unit = await workspace.readWorkUnit({ slug });
  const earlier = spending.archivedAt(slug);
  if (!unit.ok) return earlier === null ? unit : { ok: true, slug, archived_path: earlier };
  // What is still to be written belongs into the unit before it goes.
  await workRecord.settled();
  const settled = (await waves.refuseArchive(slug)) ?? (await settle({ ...scene, unit: slug }));
  if (isRefusal(settled)) return settled;
  await spending.writeReceipt(slug, true);
  // From what stands in the unit, before it goes.
  await report.tell(slug);
  const result = await workspace.archiveWorkUnit({ slug, isProven: settled.isComplete });
  if (!result.ok) return result;
  spending.archived(result.slug, result.archived_path);
  if (conversation.state.workUnit === slug)
    conversation.dispatch({ type: "work-unit-changed", workUnit: null });
  if (treeOf(slug).place.unit === null) return result;
  const { leaveHome } = await import("../lanes/place.ts");
  const work = await leaveHome({ ...scene, unit: slug });
  return work === null ? result : { ...result, work };
}

/** Archived as complete where all is proven or accepted; the user is asked where the rest is open, or the unit was never unified. */
async function settle(request: EvidenceCall): Promise<{ isComplete: boolean } | Refusal> {
  const { conversation, unit } = request;
  const { state, parts } = conversation;
  const claims = await proveAll(request);
  const open = state.wave?.workUnit === unit ? state.wave.id : null;
  const isComplete = parts.checks.isAccepted(unit, claims);
  const isPlanned = claims.some(({ kind }) => kind === "task");
  const isUnified = parts.planning.isUnified(unit);
  // Where something fails it may never be complete, and the user closes the unit all the same.
  if (open !== null && (isComplete || !isUnified))
    return refuse(`Refused: wave ${open} of ${unit} is open.`, `complete_wave ${open} first.`);
  if (!isPlanned || (isUnified && isComplete)) return { isComplete };
  const doubts = unproven(claims).map(({ id, standing, why }) => `${id} ${standing}${why && `: ${why}`}`);
  const missing = [...doubts, ...(open === null ? [] : [`wave ${open} open`])];
  const title = `${isUnified ? "" : "without /gaia-unify, "}${missing.length} not done or not proven`;
  const unseen = `${unit} was never unified (/gaia-unify): planned is not held against delivered.`;
  const approval = await ask(
    request,
    // Whoever unifies it wants to see how it ends.
    { kind: isUnified ? "exception" : "archive", workUnit: unit, title },
    [
      ...(isUnified ? [`${unit} is to be archived as it is:`] : [unseen]),
      ...missing.map((each) => `- ${each}`),
    ],
  );
  if (!isRefusal(approval)) return { isComplete: isUnified };
  return refuse(
    `The unit stays open: ${missing.join("; ") || "it was never unified"}. ${approval.reason}`,
    "The user closes it with /gaia-unify; tell them.",
  );
}
