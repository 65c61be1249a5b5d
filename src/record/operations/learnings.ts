import { describeError, createError } from "../../lib/error.ts";
import { appendLines, foreignLine, textIn } from "../../lib/markdown.ts";
import { entryKey, listLines, parseLearning, plainOf, titleOf } from "../entries/entry.ts";
import { readActive, type OperationContext, changeDocument, GAIA_INIT, defineLocal } from "./context.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { changeMarkdown, type Updated } from "../documents/table.ts";
import type { JudgedEntry } from "../entries/judge.ts";
import { access } from "node:fs/promises";
import { join } from "node:path";

interface Observations {
  readonly learnings: readonly { readonly text: string }[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  readonly by: string;
}

const MOST = 5;
const MAX_SETTLED = 300;

/** Where a kind of learning belongs in the curated file; other kinds are no rule, and stay entries. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ["constraint", "Non-Negotiables"],
  ["correction", "Non-Negotiables"],
  ["preference", "Non-Negotiables"],
  ["anti_pattern", "Non-Negotiables"],
  ["decision", "Architecture Anchors"],
]);

/** Ids of what the user has decided on in this checkout, so that it is not asked again. */
const settledNotes = defineLocal("proposals.json", (value) => ({
  settled: listOf(recordOf(value)["settled"]).flatMap((each) => textOf(each) ?? []),
}));

/** A learning that may be worth a line of `gaia-init.md`. */
interface Promotion {
  readonly learning: Pick<JudgedEntry, "kind" | "body">;
  readonly heading: string;
}

const idOf = ({ learning }: Promotion): string => `promote:${entryKey(learning.body)}`;

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
  /** Learnings of one line that hold in every task and that the curated file does not say yet, nor the user has decided on. */
  promotions: method(async () => {
    const [entries, init] = await Promise.all([knowledge?.accepted() ?? [], files.read(GAIA_INIT)]);
    const { settled } = await settledNotes.read(files);
    const said = plainOf(init ?? "");
    const promotions = entries
      .filter(({ scope, body }) => scope === "project" && !body.includes("\n"))
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .flatMap((learning): Promotion[] => {
        const heading = HEADINGS.get(learning.kind);
        return heading === undefined ? [] : [{ learning, heading }];
      })
      .filter((each) => !said.includes(plainOf(each.learning.body)) && !settled.includes(idOf(each)));
    return { promotions: promotions.slice(-MOST).toReversed() };
  }),
  /** Writes the accepted ones into the curated file, and asks about none of them again. */
  settlePromotions: method(
    async ({ accepted, declined }: Readonly<Record<"accepted" | "declined", readonly Promotion[]>>) =>
      files.exclusive(async (writer) => {
        if (accepted.length > 0)
          await changeDocument(writer, GAIA_INIT, (text) => addPromotions(text, accepted));
        const ids = [...accepted, ...declined].map(idOf);
        await settledNotes.change(writer, ({ settled }) => ({
          settled: [...new Set([...settled, ...ids])].slice(-MAX_SETTLED),
        }));
        return { promoted: accepted.length };
      }),
  ),
  findPattern: method(async ({ type }: { type: string }) =>
    findPattern((await knowledge?.accepted()) ?? [], directory, type),
  ),
});

/** Adds each learning as a line under its heading, which is made where it is missing. */
function addPromotions(text: string, promotions: readonly Promotion[]): Updated<object> {
  return changeMarkdown(text, (document) => {
    const next = promotions.reduce((before, { heading, learning }) => {
      const line = `- ${foreignLine(learning.body)}`;
      const section = before.sections.find(({ title }) => title === heading);
      if (section === undefined) return appendLines(before, [`## ${heading}`, "", line], true);
      return appendLines(before, textIn(before, section) === "" ? ["", line] : [line], false, section);
    }, document);
    return [next, {}];
  });
}

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
