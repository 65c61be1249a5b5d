import { readFile, writeFile } from "node:fs/promises";
import { excerpt } from "../lib/excerpt.ts";
import { visible } from "../lib/visible.ts";
import { mergeBody } from "./body.ts";
import { type Existing, listing, readListing } from "./existing.ts";
import { run, type ProgramAnswer, type Surroundings } from "./run.ts";
import { creating, type Open, projectOf, quote, type WayFacts } from "./way.ts";

export interface Opened {
  readonly ok: boolean;
  readonly text: string;
  /** By which the user does the rest; none where there is nothing to do, or the text says it. */
  readonly commands?: readonly string[];
}

const NOTHING = "Nothing was pushed.";
/** How remotes refuse a push, and what to do then. */
const REFUSALS: readonly (readonly [words: RegExp, next: string])[] = [
  [
    /non-fast-forward|fetch first/,
    "Nothing is forced: git fetch, bring its commits in (or, where you have rewritten your own, git push --force-with-lease), /gaia-pr again.",
  ],
  [
    /\b403\b|permission to .* denied|not allowed to push/i,
    "You may not push there: fork it, name the fork's remote in git config remote.pushDefault, /gaia-pr again.",
  ],
  [
    /\[remote rejected\]|GH0\d\d/,
    "It is a rule of that remote: change what it names, or take a branch of another name by git switch -c, and /gaia-pr again.",
  ],
];
/** What gh up to 2.82 asks for with each edit, and GitHub has given up. */
const BOARDS = /Projects \(classic\)|projectCards/;
const NO_DRAFTS = /draft (?:pull|merge) requests? (?:is|are) not (?:supported|allowed|available)/i;
const ASK_MS = 60_000;
/** Hooks of the user's run as usual, and some run the tests. */
const PUSH_MS = 600_000;
const MAX_URL = 500;
const MAX_PRINTED = 80;
/** So many requests that are over are looked at, the newest first. */
const MAX_OVER = 5;

/**
 * Pushes what the user agreed to, and opens the request or brings the open one up to date. Nothing is forced, and nothing is
 * pushed unless the forge answers. Never throws for what others do.
 * @param bodyFile holds the body, and is what the forge is given
 */
export async function openPullRequest(
  way: Open,
  request: Pick<WayFacts, "title" | "bodyFile" | "isDraft">,
  at: Surroundings,
  signal: AbortSignal,
): Promise<Opened> {
  const { forge, program, branch, commit, remote } = way;
  const { bodyFile, isDraft } = request;
  const ask = async (...args: string[]): Promise<ProgramAnswer> =>
    run(at, [program, ...args], ASK_MS, signal);
  const git = async (ms: number, ...args: string[]): Promise<ProgramAnswer> =>
    run(at, ["git", ...args], ms, signal);
  const left = (text: string, { why }: ProgramAnswer, who: string = forge): Opened => {
    return { ok: false, text: `${text} ${who} says: ${why}`, commands: way.commands };
  };
  const show = (text: string, max: number): string => visible(excerpt(at.redact(text), max));
  const listed = await ask(...listing(way));
  if (listed.code !== 0 && way.otherwise !== undefined) {
    const { otherwise } = way;
    const other = await run(at, [otherwise.program, ...listing(otherwise)], ASK_MS, signal);
    if (other.code === 0) return openPullRequest(otherwise, request, at, signal);
  }
  if (listed.code !== 0) return left(NOTHING, listed);
  const known = readListing(listed.out, way);
  // Who does not know what is open would open it twice.
  if (known === null) {
    const printed = show(listed.out, MAX_PRINTED);
    const instead = printed === "" ? "nothing" : `"${printed}"`;
    const text = `${NOTHING} ${forge} was asked which requests there are of ${visible(branch)}, and printed ${instead} in place of a list.`;
    return { ok: false, text, commands: [`${forge} auth status`, "/gaia-pr"] };
  }
  const open = known.find(({ state }) => state === "open");
  const ended = open === undefined ? known.filter((each) => each.commit !== "").slice(0, MAX_OVER) : [];
  for (const each of ended)
    if (await holdsOurs(each.commit, way, git)) return over(each, show(each.url || way.where, MAX_URL), way);
  const there = await git(ASK_MS, "ls-remote", "--symref", "--", remote, "HEAD", "refs/heads/*");
  if (there.code !== 0) return left(NOTHING, there, remote);
  const isDefault = there.out.includes(`ref: refs/heads/${branch}\tHEAD\n`);
  if (isDefault || !there.out.includes("\trefs/heads/"))
    return {
      ok: false,
      text: `${NOTHING} ${isDefault ? "Others begin at this branch" : "There is no branch yet"} there.`,
    };
  // Just this commit to just this branch: no tags, nothing of submodules, and never over someone else's commits.
  const push = [
    "-c",
    "advice.pushUpdateRejected=false",
    "push",
    "--no-follow-tags",
    "--recurse-submodules=check",
  ];
  const pushed = await git(PUSH_MS, ...push, "--", remote, `${commit}:refs/heads/${branch}`);
  if (pushed.code !== 0) return { ok: false, text: refusedPush(pushed, way) };
  const fresh = await readFile(bodyFile, "utf8");
  const body = mergeBody(open?.body ?? "", fresh, forge);
  await writeFile(bodyFile, body);
  const becomesDraft = isDraft && open?.isDraft === false;
  const steps =
    open === undefined
      ? [creating(way, { ...request, body })]
      : updating(way, open, { body, bodyFile, isDraft: becomesDraft });
  let url = open?.url;
  for (const [index, step] of steps.entries()) {
    let done = await ask(...step);
    if (open !== undefined && step[1] === "edit" && done.code !== 0 && BOARDS.test(done.why))
      done = await ask(...editing(way, open, bodyFile));
    if (done.code !== 0 && NO_DRAFTS.test(done.why)) return undrafted(way, open);
    const pushedAlone = "The branch is pushed, its request is not as it should be";
    if (done.code !== 0) {
      const told = left(`${pushedAlone}${done.code === null ? ", or is on its way" : ""}.`, done);
      // One that is there is not opened once more.
      const rest = steps.slice(index).map((each) => typed(forge, each, { body, bodyFile }));
      return open === undefined ? told : { ...told, commands: rest };
    }
    url ??= /https?:\/\/[^\s"]+/.exec(done.out)?.[0];
  }
  return {
    ok: true,
    // What the forge prints beside an address is for nobody here.
    text: `The pull request is ${open === undefined ? "open" : "up to date"}: ${show(url ?? way.where, MAX_URL)}`,
  };
}

/**
 * Whether a request that is over holds commits of this branch: a name that was used before says nothing. Others may have added to
 * it there, as the forge itself does; what is fetched of that gets no name here.
 */
async function holdsOurs(
  head: string,
  { commit, commits, remote }: Open,
  git: (ms: number, ...args: string[]) => Promise<ProgramAnswer>,
): Promise<boolean> {
  const known = await git(ASK_MS, "cat-file", "-e", `${head}^{commit}`);
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--no-recurse-submodules"];
  if (known.code !== 0) await git(ASK_MS, "fetch", ...quiet, "--refmap=", "--", remote, head);
  if (commits === null) return (await git(ASK_MS, "merge-base", "--is-ancestor", head, commit)).code === 0;
  const others = await git(ASK_MS, "rev-list", "--count", commit, "--not", head, "--");
  return others.code === 0 && Number(others.out) < commits;
}

/** What is left where people have ended the request: it is nobody's wish here to have a second one. */
function over({ id, state, commit }: Existing, url: string, way: Open): Opened {
  const { forge, branch, commands } = way;
  if (state === "closed") {
    const reopen = [forge, forge === "gh" ? "pr" : "mr", "reopen", id, ...projectOf(way)].join(" ");
    const text = `${NOTHING} ${url} was closed without being merged, and no second one is opened. If it cannot be reopened, as where its branch was made anew, a branch of another name (git switch -c) gets one of its own.`;
    return { ok: false, text, commands: [...commands.slice(0, 1), reopen, "/gaia-pr"] };
  }
  if (commit === way.commit)
    return { ok: false, text: `${NOTHING} ${url} is merged, with this very commit.` };
  const text = `${NOTHING} ${url} is merged. What came after it goes on a branch of its own.`;
  return { ok: false, text, commands: [`git switch -c ${quote(`${branch}-2`)}`, "/gaia-pr"] };
}

/** What stands there already is not written again. */
function updating(
  way: Open,
  open: Existing,
  { body, bodyFile, isDraft }: { body: string; bodyFile: string; isDraft: boolean },
): string[][] {
  const at = [...projectOf(way), "--", open.id];
  const isSame = body === open.body;
  if (way.forge === "glab") {
    const changed = [...(isSame ? [] : [`--description=${body}`]), ...(isDraft ? ["--draft"] : [])];
    return changed.length === 0 ? [] : [["mr", "update", ...changed, ...at]];
  }
  return [
    ...(isSame ? [] : [["pr", "edit", `--body-file=${bodyFile}`, ...at]]),
    ...(isDraft ? [["pr", "ready", "--undo", ...at]] : []),
  ];
}

/** A step as the user would type it: a text stands in its file. */
function typed(forge: string, step: readonly string[], text: { body: string; bodyFile: string }): string {
  const words = step.map((word) =>
    word === `--description=${text.body}` ? `--description="$(cat ${quote(text.bodyFile)})"` : quote(word),
  );
  return [forge, ...words].join(" ");
}

/** The same as gh's own `pr edit`, which older ones cannot do any more. */
function editing({ base }: Open, { id }: Existing, bodyFile: string): string[] {
  const [at, path] =
    base?.host.includes(".") === true ? [[`--hostname=${base.host}`], base.path] : [[], "{owner}/{repo}"];
  return [
    "api",
    "--silent",
    "--method=PATCH",
    ...at,
    `--field=body=@${bodyFile}`,
    `repos/${path}/pulls/${id}`,
  ];
}

/** What is left where a repository has no drafts: that it is opened as a finished one is the user's to say. */
function undrafted({ where, commands }: Open, open: Existing | undefined): Opened {
  if (open !== undefined)
    return { ok: false, text: `The request is up to date, and no draft: ${where} has none.` };
  return {
    ok: false,
    text: `The branch is pushed, its request is not open: ${where} has no drafts. /gaia-pr without --draft opens it once everything is proven; as it is it can be opened by hand.`,
    commands: commands.slice(1).map((command) => command.replace(" create --draft ", " create ")),
  };
}

function refusedPush({ code, why }: ProgramAnswer, { urls }: Open): string {
  if (code === null) return `The push was cut off, and may have arrived: ${why}`;
  const next = REFUSALS.find(([words]) => words.test(why))?.[1];
  // Git goes from one to the next.
  const isOne = new Set(urls).size < 3;
  return `${isOne ? NOTHING : "It was not pushed to every place."} ${why}${next === undefined ? "" : `${/[.!?]$/.test(why) ? "" : "."} ${next}`}`;
}
