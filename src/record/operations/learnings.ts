import { describeError, createError } from "../../lib/error.ts";
import { parseLearning, titleOf } from "../entries/entry.ts";
import { readActive, type OperationContext } from "./context.ts";
import type { JudgedEntry } from "../entries/judge.ts";
import { exists } from "../../lib/find-below.ts";
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

type Pattern = Pick<JudgedEntry, "id" | "slug" | "kind" | "body" | "about">;

/** Finds an accepted pattern by its first line or id. @throws GaiaError that names the patterns there are */
async function findPattern(entries: readonly Pattern[], directory: string, type: string) {
  const patterns = entries.filter(({ kind }) => kind === "pattern");
  const wanted = type.trim().toLowerCase();
  const found = patterns.find((each) =>
    [titleOf(each), each.id, each.slug].some((name) => name.toLowerCase() === wanted),
  );
  if (found === undefined) {
    const hint = `There are: ${patterns.map(titleOf).join(", ") || "none"}.`;
    throw createError("workspace", `There is no pattern "${type}".`, { hint });
  }
  // A tag has neither.
  const files = found.about.filter((each) => /[./]/.test(each));
  const there = await Promise.all(files.map(async (path) => exists(join(directory, path))));
  const [, ...lines] = found.body.trimStart().split("\n");
  return { files, hint: lines.join("\n").trim(), missing: files.filter((_path, at) => !there[at]) };
}
