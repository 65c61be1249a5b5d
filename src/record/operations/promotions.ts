import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { appendLines, foreignLine, textIn } from "../../lib/markdown.ts";
import { changeMarkdown, type Updated } from "../documents/document.ts";
import { keyOf, plainOf } from "../entries/entry.ts";
import type { JudgedEntry } from "../entries/judge.ts";
import { changeDocument, GAIA_INIT, type OperationContext } from "./context.ts";
import { defineLocal } from "./local.ts";

/** More at once nobody weighs. */
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
export const settledNotes = defineLocal("proposals.json", (value) => ({
  settled: listOf(recordOf(value)["settled"]).flatMap((each) => textOf(each) ?? []),
}));

/** A learning that may be worth a line of `gaia-init.md`. */
export interface Promotion {
  readonly learning: Pick<JudgedEntry, "kind" | "body">;
  readonly heading: string;
}

const idOf = ({ learning }: Promotion): string => `promote:${keyOf(learning.body)}`;

/** Learnings of one line that hold in every task and that the curated file does not say yet, nor the user has decided on. */
export async function readPromotions({
  files,
  knowledge,
}: OperationContext): Promise<{ promotions: readonly Promotion[] }> {
  const [entries, init] = await Promise.all([knowledge?.accepted() ?? [], files.read(GAIA_INIT)]);
  const { settled } = await settledNotes.read(files);
  const said = plainOf(init ?? "");
  const promotions = entries
    .filter(({ scope, body }) => scope === "project" && !body.includes("\n"))
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .flatMap((learning) => {
      const heading = HEADINGS.get(learning.kind);
      return heading === undefined ? [] : [{ learning, heading }];
    })
    .filter((each) => !said.includes(plainOf(each.learning.body)) && !settled.includes(idOf(each)));
  return { promotions: promotions.slice(-MOST).toReversed() };
}

/** Adds each learning as a line under its heading, which is made where it is missing. */
function addPromotions(text: string, promotions: readonly Promotion[]): Updated<{ promoted: number }> {
  return changeMarkdown(text, (document) => {
    const next = promotions.reduce((before, { heading, learning }) => {
      const line = `- ${foreignLine(learning.body)}`;
      const section = before.sections.find(({ title }) => title === heading);
      if (section === undefined) return appendLines(before, [`## ${heading}`, "", line], true);
      return appendLines(before, textIn(before, section) === "" ? ["", line] : [line], false, section);
    }, document);
    return [next, { promoted: promotions.length }];
  });
}

/** Writes the accepted ones into the curated file, and asks about none of them again. */
export async function settlePromotions(
  { files }: OperationContext,
  { accepted, declined }: Readonly<Record<"accepted" | "declined", readonly Promotion[]>>,
): Promise<{ promoted: number }> {
  return files.exclusive(async (writer) => {
    const counts =
      accepted.length === 0
        ? { promoted: 0 }
        : await changeDocument(writer, GAIA_INIT, (text) => addPromotions(text, accepted));
    const ids = [...accepted, ...declined].map(idOf);
    await settledNotes.change(writer, ({ settled }) => ({
      settled: [...new Set([...settled, ...ids])].slice(-MAX_SETTLED),
    }));
    return counts;
  });
}
