import { pathIn } from "../../lib/path-in.ts";
import { isGaiaError, isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import type { StandingPlan } from "../../record/workspace.ts";
import { isNamed, normalisePath } from "../files.ts";
import type { PlanArgs } from "../operations/args.ts";
import { type PlanCall, ask } from "../operations/ask.ts";
import { proveAgain } from "../run/send-back.ts";
import { elsewhere, needsDecision, planNow, type Halt, type Run } from "../run/run.ts";
import type { Approval } from "../../conversation/approvals/ask-approval.ts";
import { whyPaused } from "../../conversation/collaboration/gate.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { excerpt } from "../../lib/text.ts";
import { examination as examinationOf } from "../../policy/examination.ts";
import { excerptOutput, screenText } from "../../process/output.ts";
import { type CommitEnd, type Draft, openDraft } from "../../commit/commit.ts";
import { reviewsOf } from "../operations/approvals.ts";
import { refuseObjected } from "../operations/decide-approval.ts";
import type { ProofStanding } from "../../checks/verifier.ts";

/** Commits the work of a conversation, in a unit or without one: `plan_gaia commit`. */
export async function commit(
  scene: PlanCall,
  { slug, commit: message = "", files }: Pick<PlanArgs, "slug" | "commit" | "files">,
): Promise<object> {
  const { runtime, conversation } = scene;
  const plan = slug === undefined ? null : await runtime.workspace.planStanding({ slug });
  const { project, directory } = conversation.tree.place;
  const only =
    files && (await Promise.all(files.map(async (name) => (await pathIn(project, directory, name)) ?? name)));
  const planned = plan?.ok === true ? plannedBy(plan) : [];
  const end = await commitFiles({ ...scene, unit: slug ?? null, message, planned, only });
  if (end.kind === "none") return { ok: true, revision: null, why: end.why };
  return end.kind === "refused" ? end : { ok: true, revision: end.id, notes: end.notes };
}

export async function commitWork(run: Run): Promise<Halt | null> {
  const away = elsewhere(run);
  if (away !== null) return away;
  const plan = await planNow(run);
  const message = run.commit?.message.trim() || plan.title;
  const end = await commitFiles({ ...run, message, planned: plannedBy(plan), only: undefined });
  if (end.kind === "refused") return end;
  if (end.kind === "made") run.notes.push(`revision: ${end.id}`, ...end.notes);
  else run.notes.push(`revision: none, ${end.why}`);
  return null;
}

function plannedBy({ tasks }: StandingPlan): readonly string[] {
  return tasks.flatMap(({ files = [] }) => files.map(normalisePath));
}

interface CommitOrder extends Whose, PlanCall {
  readonly unit: string | null;
  readonly message: string;
}

type CommitResult =
  | { readonly kind: "made"; readonly id: string; readonly notes: readonly string[] }
  | { readonly kind: "none"; readonly why: string }
  | Halt;

const MAX_MESSAGE = 8_000;
/** So often hooks may change what they are given, as those that format it do, before it is told. */
const MAX_FORMATTED = 2;
const MAX_SAID = 1_500;
const MAX_SUBJECT = 100;
const MAX_NAMES = 300;
const CHANGED = "hooks of the repository changed files: checked and committed again";
const SETTLE = "Tell the user: once that is settled, commit again.";

interface Looked {
  readonly draft: Draft;
  readonly files: WorkFiles;
}

/**
 * The only commit that is made for a conversation (SPEC 9): of the work's files as the checks passed on them, with the
 * repository's own hooks, after the user's word where they decide.
 */
async function commitFiles(order: CommitOrder): Promise<CommitResult> {
  const message = order.message.replaceAll("\r\n", "\n").trim();
  if (message === "" || message.length > MAX_MESSAGE || message.includes("\0"))
    return needsDecision(`A message has 1 to ${MAX_MESSAGE} characters.`, "Commit again with one.");
  const given = { ...order, message: order.runtime.memory.redact(message) };
  if (given.conversation.tree.vcs.kind === "none") {
    const why = "the project is under no version control";
    given.conversation.leave(`not committed: ${why}`, false);
    return { kind: "none", why };
  }
  const notes: string[] = [];
  for (let left = MAX_FORMATTED; ; left -= 1) {
    const end = await tryCommit(given, notes, left > 0).catch((error: unknown) => {
      if (isGaiaError(error)) return refuse(error.message, SETTLE);
      throw error;
    });
    if (end !== "again") return end;
    if (!notes.includes(CHANGED)) notes.push(CHANGED);
  }
}

async function tryCommit(
  order: CommitOrder,
  notes: readonly string[],
  mayFormat: boolean,
): Promise<CommitResult | "again"> {
  const { conversation, call } = order;
  const { vcs } = conversation.tree;
  const first = await look(order);
  if (isRefusal(first)) return first;
  await first.draft.dispose();
  const early = refuseNow(order, first);
  if (early !== null) return early;
  const theirs = namesOf(first.files.users);
  if (first.files.paths.length === 0)
    return { kind: "none", why: `nothing ${theirs && `but the user's own (${theirs}) `}is uncommitted` };
  // What changed since the checks passed is proven again.
  const unproven = await proveAgain(order);
  if (unproven !== null) return unproven;

  // Checks may have written files that belong to the work.
  const seen = await vcs.fingerprint(call.abort);
  const looked = await look(order);
  if (isRefusal(looked)) return looked;
  const { draft, files } = looked;
  try {
    const asked = await askFor(order, files);
    if (asked.kind === "refused") return asked;
    // A dialog may have stood open for hours.
    const late =
      refuseNow(order, looked) ?? refuseUnproven(await conversation.parts.checks.standing(call.abort));
    if (late !== null) return late;
    await draft.stage(files.paths);
    const isSame = seen !== null && (await vcs.fingerprint(call.abort)) === seen;
    if (!isSame) return needsDecision("Files changed while the commit was prepared.", "Commit again.");
    const end = await make(order, looked);
    const left = files.users.length === 0 ? [] : [`left out, the user's own: ${namesOf(files.users)}`];
    if (end.kind === "made") return { ...end, notes: [...notes, ...left] };
    const isChanged = end.kind === "other-tree" || (await vcs.fingerprint(call.abort)) !== seen;
    if (isChanged && mayFormat && !call.abort.aborted) return "again";
    return refusalOf(end, order.runtime.memory.redact);
  } finally {
    await draft.dispose();
  }
}

/** @returns what may be committed; the draft is the caller's to dispose */
async function look(order: Omit<CommitOrder, "message">): Promise<Looked | Refusal> {
  const { conversation, call } = order;
  const { vcs, place, commitHooks } = conversation.tree;
  if (vcs.kind === "none") return refuse("The project is under no version control.");
  const at = { directory: place.project, signal: call.abort };
  const draft = await openDraft(vcs.kind, at, commitHooks);
  const files = await sortFiles(
    conversation,
    draft.changed.map(({ path }) => path),
    order,
  );
  if (!isRefusal(files)) return { draft, files };
  await draft.dispose();
  return files;
}

/** Why work is not committed as things stand, before its proof and the user's word are asked for (SPEC 9); null where it may be. */
function refuseNow(
  { conversation, unit }: Pick<CommitOrder, "conversation" | "unit">,
  { draft: { unfinished, changed }, files: { paths, usersAlso, isUnknown } }: Looked,
): Refusal | null {
  const { state, parts } = conversation;
  const { mode } = state.knobs;
  if (mode === "locked")
    return refuse("The session is locked.", "The user unlocks with /supervised or /autopilot.");
  if (state.pause !== null)
    return refuse(whyPaused(state.pause), "Tell the user; their answer opens the work again.");
  if (unfinished !== null) return refuseUnfinished(unfinished);
  const objected = refuseObjected({ objection: parts.reviews.closing(unit) });
  if (objected !== null) return objected;
  const nested = changed.flatMap(({ path, isNested }) => (isNested && paths.includes(path) ? [path] : []));
  if (nested.length > 0)
    return refuse(
      `${namesOf(nested)} is a repository of its own, so that a commit would hold none of its files.`,
      "Move its .git away, have it ignored, or tell the user to make it a submodule.",
    );
  if (mode !== "autopilot") return null;
  if (isUnknown)
    return refuse(
      "It cannot be told now which changes are the user's, and autopilot asks nobody.",
      "Try again; else tell the user to commit, or to say /supervised.",
    );
  if (usersAlso.length === 0) return null;
  return refuse(
    `${namesOf(usersAlso)} holds uncommitted changes of the user's own, and autopilot asks nobody.`,
    "Pass files without it, or tell the user: they commit it themselves, or say /supervised and are asked.",
  );
}

function refuseUnfinished(what: string): Refusal {
  if (what === "conflict")
    return refuse(
      "The index holds conflicts of the user's: the work stands uncommitted beside them.",
      "Tell the user: once they are resolved, commit again.",
    );
  const article = /^[aeiou]/u.test(what) ? "An" : "A";
  return refuse(
    `${what.startsWith("git ") ? what : `${article} ${what} of the user's`} is under way: the work stands uncommitted beside it.`,
    "Tell the user: once they have ended it, commit again.",
  );
}

/** A revision needs checks that passed on these very files, in every mode. */
function refuseUnproven(proof: ProofStanding): Refusal | null {
  if (proof === "passed" || proof === "unconfigured") return null;
  const reasons = {
    failed: "The Definition of Done does not pass.",
    stale: "Files changed after the checks last passed.",
    never: "The Definition of Done was not verified yet.",
  };
  return refuse(reasons[proof], "Run plan_gaia verify; a revision is made once it passes.");
}

/** What the user is asked where they decide stands above the dialog. */
async function askFor(order: CommitOrder, files: WorkFiles): Promise<Approval> {
  const { conversation, unit, message } = order;
  const { paths, usersAlso, isUnknown } = files;
  const above = [
    `To be committed${unit === null ? "" : ` for ${unit}`}:`,
    message,
    `Files: ${namesOf(paths)}`,
    await proofOf(order),
    usersAlso.length === 0 ? "" : `With changes of your own in it: ${namesOf(usersAlso)}.`,
    isUnknown ? "Which of these changes are your own cannot be told now." : "",
    files.users.length === 0 ? "" : `Left out, for it is yours: ${namesOf(files.users)}.`,
  ];
  const yours = usersAlso.length === 0 ? "" : `WITH YOUR OWN CHANGES: ${namesOf(usersAlso)}`;
  const covers = [yours, isUnknown ? "YOURS CANNOT BE TOLD" : "", namesOf(paths)].filter(Boolean).join("; ");
  const reviews = reviewsOf(conversation, unit ?? "", "revision");
  const title = subjectOf(message);
  const asked = { kind: "revision", workUnit: unit ?? "this work", title, covers, ...reviews } as const;
  return ask(order, asked, above.filter(Boolean));
}

async function make(order: CommitOrder, { draft, files }: Looked): Promise<CommitEnd> {
  const { conversation, call, unit, message } = order;
  const { ownWork } = conversation.parts;
  const callId = `${call.callId} commits`;
  const count = `${files.paths.length} ${files.paths.length === 1 ? "file" : "files"}`;
  const what = `${subjectOf(message)} (${count})`;
  const proof = await proofOf(order);
  const { branch, from } = draft;
  const examination = examinationOf("project", "");
  await ownWork.begins(callId, examination, true, true);
  try {
    return await draft.make(message, async (id) => {
      const move = `${branch} ${short(from) || "(new)"} → ${short(id)}`;
      await conversation.log("Commit", `- ${what}: ${move}\n- ${proof}`, unit, `: ${move}`);
      conversation.show({ kind: "milestone", line: `committed ${short(id)}: ${subjectOf(message)}` });
    });
  } finally {
    const { files: own, shared } = await ownWork.ends({ callId, examination, what: "commit", told: [] });
    const changed = [...own, ...shared];
    if (changed.length > 0) conversation.dispatch({ type: "files-changed", files: changed });
  }
}

async function proofOf({ conversation, call }: CommitOrder): Promise<string> {
  const standing = await conversation.parts.checks.standing(call.abort);
  if (standing === "unconfigured") return "Not proven: no Definition of Done is configured.";
  return `Proven: ${conversation.tree.verifier.last()?.summary ?? "the checks had passed"}`;
}

function refusalOf(end: Exclude<CommitEnd, { kind: "made" }>, redact: (text: string) => string): Halt {
  if (end.kind === "hook")
    return needsDecision(
      `The repository's ${end.name} hook refused the commit: ${excerptOutput(redact(screenText(end.said)), { maxCharacters: MAX_SAID })}`,
      "Have fixed what it finds, then commit again; or tell the user.",
    );
  return needsDecision(
    `Hooks of the repository stage something else than what was proven, again and again, so nothing was committed: ${namesOf(end.paths)}`,
    "Tell the user.",
  );
}

function subjectOf(message: string): string {
  return excerpt(message.split("\n")[0] ?? "", MAX_SUBJECT);
}

function short(id: string | null): string {
  return (id ?? "").slice(0, 8);
}

interface WorkFiles {
  readonly paths: readonly string[];
  readonly usersAlso: readonly string[];
  readonly users: readonly string[];
  readonly isUnknown: boolean;
}

interface Whose {
  /** Paths of the plan: what it names may have been made by something that no call is known for. */
  readonly planned: readonly string[];
  readonly only: readonly string[] | undefined;
}

async function sortFiles(
  { tree, parts }: Pick<Conversation, "tree" | "parts">,
  changed: readonly string[],
  { planned, only }: Whose,
): Promise<WorkFiles | Refusal> {
  const isWanted = (path: string): boolean => only === undefined || only.some((name) => isIn(path, name));
  const unmet = only?.find((name) => !changed.some((path) => isIn(path, name)));
  if (unmet !== undefined)
    return refuse(`${unmet} holds nothing that is uncommitted.`, "Call again with the files as they are.");
  // In a unit's own tree there is nothing of the user's.
  const theirs = tree.place.unit === null ? await parts.ownWork.usersOwnAmong(changed) : [];
  const users = new Map((theirs ?? []).map((file) => [file.path, file.isMixed]));
  const isMeant = (path: string): boolean =>
    users.get(path) !== false || only !== undefined || isNamed(planned, path);
  const paths = changed.filter((path) => isWanted(path) && isMeant(path));
  return {
    paths,
    usersAlso: paths.filter((path) => users.has(path)),
    users: changed.filter((path) => users.get(path) === false && !paths.includes(path)),
    isUnknown: theirs === null,
  };
}

function isIn(path: string, name: string): boolean {
  return name === "" || name === "." || path === name || path.startsWith(`${name.replace(/\/$/u, "")}/`);
}

function namesOf(paths: readonly string[]): string {
  return excerpt(paths.join(", "), MAX_NAMES);
}
