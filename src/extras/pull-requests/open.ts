import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../lib/async.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { excerpt, head, tail, visible } from "../../lib/text.ts";
import { runProgram } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";
import { withOutsidePath } from "../../process/outside-path.ts";
import { parseJson } from "../../lib/json.ts";
import { mergeBody } from "./body.ts";
import { creating, type Open, projectOf, quote, repositoryOwner, type WayFacts } from "./way.ts";

export interface Opened {
  readonly ok: boolean;
  readonly text: string;
  /** By which the user does the rest; none where there is nothing to do, or the text says it. */
  readonly commands?: readonly string[];
}

interface Surroundings {
  readonly directory: string;
  readonly clock: Clock;
  readonly redact: Redactor;
}

interface ProgramAnswer {
  /** -1 where it came to no end of its own: nobody knows how far it came. */
  readonly code: number;
  readonly out: string;
  /** What it said, or the beginning and the end of it, on one line and without secrets; or why it came to no end. */
  readonly why: string;
}

const MAX_BYTES = 2_000_000;
const MAX_WHY = 500;
/** Some say first what is wrong, and then at length how they are used. */
const MAX_FIRST = 160;
/** Nothing asks anyone: there is no terminal, and a window of its own would be none of the dialog that was answered. */
const QUIET = {
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  GH_PROMPT_DISABLED: "1",
  NO_PROMPT: "1",
  LC_ALL: "C",
  // Nothing is a terminal: gh would colour its lists.
  GH_FORCE_TTY: undefined,
  CLICOLOR_FORCE: undefined,
};
const NOTHING = "Nothing was pushed.";
const ASK_MS = 60_000;
/** Hooks of the user's run as usual, and some run the tests. */
const PUSH_MS = 600_000;
const MAX_URL = 500;
const MAX_PRINTED = 80;

/** Runs a program as it stands, without a shell and without anyone to ask. Never throws. */
async function run(
  { directory, clock, redact }: Surroundings,
  command: readonly [program: string, ...args: string[]],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProgramAnswer> {
  const [program, ...args] = command;
  const git = hostGit(program === "git" ? args : [], { isAgreed: true });
  const { code, text, words } = await runProgram(
    {
      command: program === "git" ? git.command : command,
      env: { ...withOutsidePath(git.env, directory), ...QUIET },
    },
    directory,
    { timeoutMs, maxBytes: MAX_BYTES, signal, clock, startsProjects: true },
  );
  const said = words.replaceAll(program, basename(program)) || text.trim() || `exit code ${code}`;
  const why = redact(said).replaceAll(/\s+/g, " ");
  const bothEnds = `${head(why, MAX_FIRST)} ${tail(why, MAX_WHY - MAX_FIRST - 1)}`;
  const isStopped = code === -1 && signal.aborted;
  return { code, out: text, why: isStopped ? "it was stopped" : why.length > MAX_WHY ? bothEnds : why };
}

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
  const { program, branch, commit, remote } = way;
  const { bodyFile, isDraft } = request;
  const ask = async (...args: string[]): Promise<ProgramAnswer> =>
    run(at, [program, ...args], ASK_MS, signal);
  const git = async (ms: number, ...args: string[]): Promise<ProgramAnswer> =>
    run(at, ["git", ...args], ms, signal);
  const left = (text: string, { why }: ProgramAnswer, who = "gh"): Opened => {
    return { ok: false, text: `${text} ${who} says: ${why}`, commands: way.commands };
  };
  const show = (text: string, max: number): string => visible(excerpt(at.redact(text), max));
  const fields = `--json=${Object.keys(RequestsSchema.def.element.shape).join(",")}`;
  const listed = await ask("pr", "list", ...projectOf(way), `--head=${branch}`, "--limit=100", fields);
  if (listed.code !== 0) return left(NOTHING, listed);
  const known = readListing(listed.out, way);
  // Who does not know what is open would open it twice.
  if (known === null) {
    const printed = show(listed.out, MAX_PRINTED);
    const instead = printed === "" ? "nothing" : `"${printed}"`;
    const text = `${NOTHING} gh was asked which requests there are of ${visible(branch)}, and printed ${instead} in place of a list.`;
    return { ok: false, text, commands: ["gh auth status", "/gaia-pr"] };
  }
  const [open] = known;
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
  // Of several places one may have it. Nothing is forced: what to do about it is the user's to say.
  if (pushed.code !== 0) return { ok: false, text: `The push failed, or was cut off: ${pushed.why}` };
  const fresh = await readFile(bodyFile, "utf8");
  const body = mergeBody(open?.body ?? "", fresh);
  await writeFile(bodyFile, body);
  const becomesDraft = isDraft && open?.isDraft === false;
  const steps =
    open === undefined
      ? [creating(way, request)]
      : updating(way, open, { body, bodyFile, isDraft: becomesDraft });
  let url = open?.url;
  for (const [index, step] of steps.entries()) {
    const done = await ask(...step);
    const pushedAlone = "The branch is pushed, its request is not as it should be";
    if (done.code !== 0) {
      const told = left(`${pushedAlone}${done.code === -1 ? ", or is on its way" : ""}.`, done);
      // One that is there is not opened once more.
      const rest = steps.slice(index).map((each) => ["gh", ...each.map(quote)].join(" "));
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

function updating(
  way: Open,
  open: Existing,
  { body, bodyFile, isDraft }: { body: string; bodyFile: string; isDraft: boolean },
): string[][] {
  const at = [...projectOf(way), "--", String(open.number)];
  return [
    ...(body === open.body ? [] : [["pr", "edit", `--body-file=${bodyFile}`, ...at]]),
    ...(isDraft ? [["pr", "ready", "--undo", ...at]] : []),
  ];
}

/** What gh tells of a request, as far as it is asked. */
const RequestsSchema = z.array(
  z.object({
    number: z.number(),
    url: z.string(),
    body: z.string(),
    isDraft: z.boolean(),
    headRepositoryOwner: z.nullable(z.object({ login: z.string() })),
  }),
);

type Existing = z.infer<typeof RequestsSchema>[number];

/** The open requests of this very branch in what gh printed, the newest first; null where that is no list. Pure. */
export function readListing(printed: string, { fork }: Pick<Open, "fork">): Existing[] | null {
  const known = RequestsSchema.safeParse(parseJson(printed));
  if (!known.success) return null;
  // Another person's fork may have a branch of the same name.
  return known.data.filter(({ url, headRepositoryOwner }) => {
    const whose = repositoryOwner(fork) || (/^https?:\/\/[^/]+\/([^/]+)\//.exec(url)?.[1] ?? "");
    return headRepositoryOwner?.login.toLowerCase() === whose.toLowerCase();
  });
}
