import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import type { ArchivedPlan } from "../../checks/evidence/plan-evidence.ts";
import type { ProofStanding } from "../../checks/verifier.ts";
import { excerpt, visible } from "../../lib/text.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { type ReportedProject, readUnitRecord } from "../../report/gather.ts";
import { findBranchBase } from "../../commit/history.ts";
import type { VcsType } from "../../contracts/contract.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import { localFile } from "../../record/store.ts";
import { renderBody } from "./body.ts";
import { readPlace } from "./place.ts";
import { findHookFolder } from "../../process/git.ts";
import { findProgram } from "../../process/outside-path.ts";
import type { Surroundings } from "./run.ts";
import { decideWay, type Way } from "./way.ts";

export interface SurveyInput extends Surroundings, ReportedProject {
  readonly directory: string;
  treeOf(unit: string): {
    readonly place: { readonly project: string; readonly worktree: string };
    readonly vcs: Vcs;
  };
  claims(unit: string, archived?: ArchivedPlan): Promise<readonly JudgedClaim[]>;
  checks(unit: string): Promise<readonly JudgedClaim[]>;
  standing(): Promise<ProofStanding>;
  objection(unit: string): string;
}

export interface Survey {
  readonly unit: string;
  readonly isOpen: boolean;
  readonly title: string;
  readonly bodyFile: string;
  readonly way: Way;
  readonly isDraft: boolean;
  /** The same as long as no file is changed and nothing is committed; null where that cannot be told. */
  readonly tree: string | null;
  /** What leaves the project, and where it goes; empty where nothing can. */
  readonly effect: string;
  readonly shown: string;
}

const MAX_TITLE = 120;
const MAX_NAMED = 8;

/** Writes the body; asks no remote, runs nothing of the project. @param name by default the active unit, else the newest archived @throws GaiaError for none */
export async function surveyPullRequest(
  input: SurveyInput,
  name: string | undefined,
  wantsDraft: boolean,
): Promise<Survey> {
  const { directory, redact } = input;
  const record = await readUnitRecord(input, name);
  const { slug: unit, isOpen } = record;
  const { vcs, place: at } = input.treeOf(unit);
  const [place, tree, claims, checks, standing, uncommitted] = await Promise.all([
    vcs.kind === "git" ? readPlace({ folder: at.project }) : null,
    vcs.fingerprint(),
    input.claims(unit, isOpen ? undefined : record),
    input.checks(unit),
    input.standing(),
    vcs.uncommitted(),
  ]);
  const { base, commits } = await beginning(
    vcs.kind,
    at.project,
    place?.remotes.map((remote) => remote.name) ?? [],
  );
  const changes = await vcs.changesSince(base);
  // What failed before the work began, and in the same way, is held against nobody.
  const passed = standing === "passed" || standing === "unconfigured";
  const isGreen = ({ standing: how }: JudgedClaim): boolean => how === "proven" || how === "passes";
  const settled = (check: JudgedClaim): JudgedClaim =>
    passed && !isGreen(check) ? { ...check, standing: "passes", why: "" } : check;
  const all = [...claims, ...checks.map(settled)];
  const files = uncommitted?.map((path) => relative(at.project, path));
  const doubts = [
    ...all.flatMap((claim) =>
      isGreen(claim) ? [] : [`${claim.id} is ${claim.standing}${claim.why && `: ${claim.why}`}`],
    ),
    all.length === 0 ? "nothing shows that it works" : "",
    checks.length > 0 || passed ? "" : "the checks have not passed",
    input.objection(unit),
    files?.length === 0 ? "" : `not committed: ${files?.join(", ") ?? "unknown"}`,
    tree === null ? "the files are unknown" : "",
  ].flatMap((doubt) => (doubt === "" ? [] : visible(excerpt(redact(doubt), 240))));
  const title = excerpt(redact(visible(record.plan.title || unit)), MAX_TITLE);
  const isDraft = wantsDraft || doubts.length > 0;
  const bodyFile = await localFile(directory, `pull-requests/${record.unit}.md`, "Remove that link.");
  const commit = place?.commit ?? "";
  await mkdir(dirname(bodyFile), { recursive: true });
  // Before anything is cut: half a secret is not known for one any more.
  const facts = redactDeep({ record, claims: all, doubts }, redact);
  await writeFile(bodyFile, redact(renderBody({ ...facts, changes, commit, tree })));
  const program = findProgram("gh", at.worktree);
  const way = decideWay({ place, commits, unit, title, bodyFile, isDraft, program });
  const draft = isDraft ? "draft pull request" : "pull request";
  const count = commits === null ? "" : ` (${commits} ${commits === 1 ? "commit" : "commits"})`;
  const hook = await findPushHook(at.project);
  const hooked = hook === null ? "" : `; its hook ${visible(hook)} runs as it is, outside of the sandbox`;
  const effect =
    way.kind === "open"
      ? `push ${visible(way.branch)}${count} to ${way.where}, outside of the project, and open or update its ${draft}${hooked}`
      : "";
  const shown = [
    `As a ${draft}, ${unit}: ${title}`,
    ...doubts.slice(0, MAX_NAMED).map((doubt) => `- Not proven: ${doubt}`),
    bodyFile,
    way.kind === "open" ? `When you allow it: ${effect}.` : `By hand: ${way.why}.\n${renderCommands(way)}`,
  ].join("\n");
  return { unit, isOpen, title, bodyFile, way, isDraft, tree, effect, shown };
}

/** What git runs before a push; null for nothing. It needs what the push needs, so that the user is asked about both. */
async function findPushHook(project: string): Promise<string | null> {
  const path = join((await findHookFolder(project)) ?? project, "pre-push");
  const entry = await stat(path).catch(() => null);
  return entry?.isFile() === true && (entry.mode & 0o111) !== 0 ? path : null;
}

export function renderCommands({ commands }: Pick<Way, "commands">): string {
  return commands.length === 0 ? "" : ["You can:", ...commands].join("\n    ");
}

/** Where a branch began, by what was fetched last; the likeliest remote first. */
async function beginning(
  kind: VcsType,
  folder: string,
  remotes: readonly string[],
): Promise<{ base: string | null; commits: number | null }> {
  const ranked = ["upstream", "origin", ...remotes].filter((name) => remotes.includes(name));
  const names = ranked.flatMap((name) => ["HEAD", "main", "master"].map((head) => `${name}/${head}`));
  for (const name of [...names, null]) {
    const found = await findBranchBase(kind, { folder }, name);
    if (found.kind === "found") return found;
  }
  return { base: null, commits: null };
}
