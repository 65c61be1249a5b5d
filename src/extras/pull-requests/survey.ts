import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import type { Checks } from "../../conversation/checks/checks.ts";
import type { Reviews } from "../../conversation/reviews/reviews.ts";
import type { ConversationServices } from "../../conversation/services.ts";
import { excerpt, visible } from "../../lib/text.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { readUnitRecord } from "../../report/gather.ts";
import { findBranchBase } from "../../commit/history.ts";
import { NOT_REVIEWED } from "../../plan/review/outcome.ts";
import { localFile } from "../../record/store.ts";
import { renderBody } from "./body.ts";
import { askGit, findHookFolder, type GitPlace } from "../../process/git.ts";
import { findProgram } from "../../process/outside-path.ts";
import { decideWay, type RemotePlace, type Way } from "./way.ts";

/** What pull requests of a conversation are made of. */
export interface PullRequestNeeds {
  readonly services: Pick<ConversationServices, "host" | "workspace" | "treeOf" | "clock" | "redact">;
  readonly checks: Pick<Checks, "claims" | "standing">;
  readonly reviews: Pick<Reviews, "closing">;
}

export type Survey = Awaited<ReturnType<typeof surveyPullRequest>>;

const MAX_TITLE = 120;
const MAX_NAMED = 8;

/** Writes the body; asks no remote, runs nothing of the project. @param name by default the active unit, else the newest archived @throws GaiaError for none */
export async function surveyPullRequest(
  { services: { host, workspace, redact, treeOf }, ...needs }: PullRequestNeeds,
  name: string | undefined,
  wantsDraft: boolean,
) {
  const directory = host.project;
  const record = await readUnitRecord({ directory, workspace }, name);
  const { slug: unit, isOpen } = record;
  const { vcs, place: at, verifier } = treeOf(unit);
  // The tree is the same as long as no file is changed and nothing is committed; null where that cannot be told.
  const [place, tree, claims, checks, standing, uncommitted] = await Promise.all([
    vcs.kind === "git" ? readPlace({ folder: at.project }) : null,
    vcs.fingerprint(),
    needs.checks.claims(unit, isOpen ? undefined : record),
    verifier.judged(unit),
    needs.checks.standing(new AbortController().signal),
    vcs.uncommitted(),
  ]);
  const review = needs.reviews.closing(unit);
  const began = await findBranchBase(vcs.kind, { folder: at.project }, null);
  const { base, commits } = began.kind === "found" ? began : { base: null, commits: null };
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
    review === null ? "" : `${review.reviewer}: ${review.verdict ?? NOT_REVIEWED}, ${review.reason}`,
    files?.length === 0 ? "" : `not committed: ${files?.join(", ") ?? "unknown"}`,
    tree === null ? "the files are unknown" : "",
  ].flatMap((doubt) => (doubt === "" ? [] : visible(excerpt(redact(doubt), 240))));
  const title = excerpt(redact(visible(record.plan.title || unit)), MAX_TITLE);
  const isDraft = wantsDraft || doubts.length > 0;
  const bodyFile = await localFile(directory, `pull-requests/${record.unit}.md`);
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
  /** What leaves the project, and where it goes; empty where nothing can. */
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

const MAX_BYTES = 500_000;
const HEADS = "refs/heads/";

/** Where a working tree stands, by what is known here: no remote is asked. Never throws. */
export async function readPlace(git: GitPlace): Promise<RemotePlace> {
  const ask = async (...args: string[]): Promise<string> => {
    const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
    return ok ? text.trim() : "";
  };
  const [ref, commit, list] = await Promise.all([
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
    ask("remote", "-v"),
  ]);
  const rows = [...list.matchAll(/^(.+?)\t(.*) \((fetch|push)\)/gm)];
  const names = [...new Set(rows.map(([, name = ""]) => name))];
  const headOf = (name: string): string => `refs/remotes/${name}/HEAD`;
  const format = "--format=%(refname)%09%(symref)%09%(push:remotename)";
  const known = ref === "" ? "" : await ask("for-each-ref", format, "--", ref, ...names.map(headOf));
  const refs = new Map(known.split("\n").map((row) => [row.split("\t")[0], row.split("\t")]));
  return {
    branch: ref.startsWith(HEADS) ? ref.slice(HEADS.length) : "",
    commit,
    pushTo: refs.get(ref)?.[2] ?? "",
    remotes: names.map((name) => {
      const urls = (kind: string): string[] =>
        rows.flatMap(([, of, url = "", which]) => (of === name && which === kind ? [url] : []));
      return {
        name,
        url: urls("fetch")[0] ?? "",
        push: urls("push"),
        head: refs.get(headOf(name))?.[1]?.slice(headOf(name).length - 4) ?? "",
      };
    }),
  };
}
