import { excerpt } from "../../lib/excerpt.ts";
import type { StagingCall } from "../../policy/staging.ts";
import type { Standing } from "./work-watch.ts";
import { takesIn } from "./takes-in.ts";

const MAX_NAMED = 300;
const MAX_WORK = 400;

/**
 * Whether a command may take what it takes into a commit. `ask`: it names files with the user's own work, which only the user
 * may let it do.
 */
export type StagingDecision =
  | { readonly kind: "clear" }
  | { readonly kind: "refuse"; readonly text: string }
  | { readonly kind: "ask"; readonly reason: string; readonly paths: readonly string[] };

/**
 * Keeps the user's own uncommitted work out of commits (SPEC 9): what would take it in with other files is refused with the
 * command that does not, and what names it is the user's to decide.
 * @param standing null where it cannot be told what is the user's
 */
export function decideStaging(
  calls: readonly StagingCall[],
  standing: Standing | null,
  project: string,
): StagingDecision {
  if (calls.length === 0) return { kind: "clear" };
  if (standing === null)
    return { kind: "ask", reason: "may commit work that is not GAIA's, which cannot be told now", paths: [] };
  const { users, tree, work } = standing;
  const taken = calls.map((call) => takesIn(call, { project, users, staged: tree.staged }));
  const inBulk = [...new Set(taken.flatMap((each) => each.inBulk))];
  const byName = [...new Set(taken.flatMap((each) => each.byName))];
  if (inBulk.length > 0) {
    const own = new Set(users.map(({ path }) => path));
    const pure = work.filter((path) => !own.has(path));
    return { kind: "refuse", text: refusalOf(calls, inBulk, pure) };
  }
  if (byName.length === 0) return { kind: "clear" };
  return {
    kind: "ask",
    reason: `takes work that is not GAIA's: ${excerpt(byName.join(", "), 120)}`,
    paths: byName,
  };
}

function refusalOf(calls: readonly StagingCall[], users: readonly string[], work: readonly string[]): string {
  const [{ program, verb } = { program: "git", verb: "add" }] = calls;
  const isStaged = verb === "commit" && program === "git";
  const files = excerpt(work.map(quoted).join(" "), MAX_WORK);
  const command =
    program === "jj"
      ? `jj ${verb} ${files}`
      : isStaged
        ? `git commit -m "…" -- ${files}`
        : `git ${verb === "stash" ? "stash push" : "add"} -- ${files}`;
  const way =
    work.length === 0
      ? "No file is the work's alone."
      : `Take the work's files only: ${command}${isStaged ? " (git add new ones first)" : ""}.`;
  return [
    `Refused: this would take in the user's own uncommitted work: ${excerpt(users.join(", "), MAX_NAMED)}.`,
    way,
    "A file of the user's that belongs in is named by itself, and the user is asked.",
  ].join(" ");
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
