import { describeError, createError } from "../../lib/error.ts";
import { listLines, parseLearning, titleOf } from "../entries/entry.ts";
import { readActive, type OperationContext } from "./context.ts";
import type { JudgedEntry } from "../entries/judge.ts";
import { access } from "node:fs/promises";
import { join } from "node:path";

interface Observations {
  readonly learnings: readonly { readonly text: string }[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  readonly by: string;
}

export const learningOperations = ({ files, directory, knowledge, method, clean }: OperationContext) => ({
  /** Proposes each as an entry. `refused`: why others were not taken. */
  observe: clean(async ({ learnings, unit, by }: Observations) => {
    const [proposed, refused]: [string[], string[]] = [[], []];
    if (learnings.length === 0 || knowledge === undefined) return { proposed, refused };
    const source = unit === undefined ? await readActive(files) : unit;
    for (const { kind, text: body } of learnings.map(({ text }) => parseLearning(text))) {
      if (body === "") continue;
      try {
        const draft = { kind, body, source, by, reason: "learnt from the work" };
        proposed.push((await knowledge.propose(draft)).id);
      } catch (error) {
        refused.push(describeError(error));
      }
    }
    return { proposed, refused };
  }),
  findPattern: method(async ({ type }: { type: string }) =>
    findPattern((await knowledge?.accepted()) ?? [], directory, type),
  ),
});

const IS_GLOB = /[*?{]/;

type Pattern = Pick<JudgedEntry, "id" | "slug" | "kind" | "body">;

/** Finds an accepted pattern by its first line or id. @throws GaiaError that names the patterns there are */
async function findPattern(
  entries: readonly Pattern[],
  directory: string,
  type: string,
): Promise<Record<"files" | "missing", readonly string[]> & { readonly hint: string }> {
  const patterns = entries.filter(({ kind }) => kind === "pattern");
  const wanted = type.trim().toLowerCase();
  const found = patterns.find((each) =>
    [titleOf(each), each.id, each.slug].some((name) => name.toLowerCase() === wanted),
  );
  if (found === undefined) {
    const hint = `There are: ${patterns.map(titleOf).join(", ") || "none"}.`;
    throw createError("workspace", `There is no pattern "${type}".`, { hint });
  }
  const isGone = async (path: string): Promise<boolean> =>
    // Behind the name may stand a line; of a glob nothing is known.
    access(join(directory, IS_GLOB.test(path) ? "." : path.replace(/[:#][^/]*$/, "")))
      .then(() => false)
      .catch(() => true);
  const [, ...lines] = listLines(found.body.trimStart());
  const files = lines.flatMap(({ path }) => path ?? []);
  const gone = await Promise.all(files.map(isGone));
  const said = lines.filter(({ path, rest }) => path === null || /\w/.test(rest)).map(({ line }) => line);
  return { files, hint: said.join("\n").trim(), missing: files.filter((_path, at) => gone[at]) };
}
