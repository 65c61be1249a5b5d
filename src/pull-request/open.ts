import { readFile, writeFile } from "node:fs/promises";
import { excerpt } from "../lib/excerpt.ts";
import { listOf, numberOf, parseJson, recordOf, textOf } from "../lib/json.ts";
import { visible } from "../lib/visible.ts";
import { mergeBody } from "./body.ts";
import { run, type Answer, type Surroundings } from "./run.ts";
import { creating, type Open, projectOf, type WayFacts } from "./way.ts";

/** What came of it. */
export interface Opened {
  readonly ok: boolean;
  /** In one or more sentences. */
  readonly text: string;
  /** The user does the rest by their own commands. */
  readonly isLeft?: boolean;
}

const NOTHING = "Nothing was pushed.";
const ASK_MS = 60_000;
/** Hooks of the user's run as usual, and some run the tests. */
const PUSH_MS = 600_000;
const MAX_URL = 500;

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
  const ask = async (...args: string[]): Promise<Answer> => run(at, [program, ...args], ASK_MS, signal);
  const git = async (ms: number, ...args: string[]): Promise<Answer> => run(at, ["git", ...args], ms, signal);
  const left = (text: string, { why }: Answer, who: string = forge): Opened => {
    return { ok: false, text: `${text} ${who} says: ${why}`, isLeft: true };
  };
  const listed = await ask(...listing(way));
  const known = parseJson(listed.out);
  if (listed.code !== 0) return left(NOTHING, listed);
  // Who does not know what is open would open it twice.
  if (!Array.isArray(known) && listed.out.trim() !== "")
    return left(NOTHING, { ...listed, why: "no list of requests" });
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
  if (pushed.code !== 0) return { ok: false, text: refusedPush(pushed) };
  const fresh = await readFile(bodyFile, "utf8");
  const [open] = listOf(known).flatMap((each) => readExisting(each, way) ?? []);
  const body = mergeBody(open?.body ?? "", fresh);
  await writeFile(bodyFile, body);
  const becomesDraft = isDraft && open?.isDraft === false;
  const steps =
    open === undefined
      ? [creating(way, { ...request, body })]
      : updating(way, open.id, { body, bodyFile, isDraft: becomesDraft });
  let url = open?.url;
  for (const step of steps) {
    const done = await ask(...step);
    const pushedAlone = "The branch is pushed, its request is not as it should be";
    if (done.code !== 0)
      return left(`${pushedAlone}${done.code === null ? ", or is on its way" : ""}.`, done);
    url ??= /https?:\/\/[^\s"]+/.exec(done.out)?.[0];
  }
  return {
    ok: true,
    // What the forge prints beside an address is for nobody here.
    text: `The pull request is ${open === undefined ? "open" : "up to date"}: ${at.redact(visible(excerpt(url ?? way.where, MAX_URL)))}`,
  };
}

/** A request that is open. */
interface Existing {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly isDraft: boolean;
}

function listing(way: Open): string[] {
  const fields = "--json=number,url,body,isDraft,headRepositoryOwner";
  return way.forge === "gh"
    ? ["pr", "list", ...projectOf(way), `--head=${way.branch}`, "--state=open", fields]
    : ["mr", "list", ...projectOf(way), `--source-branch=${way.branch}`, "--output=json"];
}

/** gh and glab name the same in other words. Branches of the same name in other people's forks are listed as well. */
function readExisting(value: unknown, { owner, base }: Open): Existing | null {
  const each = recordOf(value);
  const text = (...names: string[]): string => names.flatMap((name) => textOf(each[name]) ?? [])[0] ?? "";
  const id = numberOf(each["number"]) ?? numberOf(each["iid"]);
  const login = textOf(recordOf(each["headRepositoryOwner"])["login"]);
  const whose = owner || (base?.path.split("/")[0] ?? "");
  const isTheirs = login !== undefined && whose !== "" && login.toLowerCase() !== whose.toLowerCase();
  if (id === undefined || isTheirs) return null;
  const isDraft = each["isDraft"] === true || each["draft"] === true;
  return { id: String(id), url: text("url", "web_url"), body: text("body", "description"), isDraft };
}

function updating(
  way: Open,
  id: string,
  { body, bodyFile, isDraft }: { body: string; bodyFile: string; isDraft: boolean },
): string[][] {
  const at = [...projectOf(way), "--", id];
  if (way.forge === "glab")
    return [["mr", "update", `--description=${body}`, ...(isDraft ? ["--draft"] : []), ...at]];
  return [
    ["pr", "edit", `--body-file=${bodyFile}`, ...at],
    ...(isDraft ? [["pr", "ready", "--undo", ...at]] : []),
  ];
}

function refusedPush({ code, why }: Answer): string {
  if (code === null) return `The push was cut off, and may have arrived: ${why}`;
  const isBehind = /non-fast-forward|fetch first/.test(why);
  return `${NOTHING} ${why}${isBehind ? ". Nothing is forced: git fetch, bring its commits in, /gaia-pr again." : ""}`;
}
