import { parseMarkdown, renderMarkdown } from "../markdown/document.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { appendToEnd, appendWithin, findSection } from "../markdown/section.ts";
import { refuseBroken, type Change } from "./change.ts";
import { keyOfLearning, type Learning } from "./learning.ts";

/** More at once nobody weighs. */
const MOST = 5;
/** Less sure than this is not for every task. */
const SURE = 0.7;

/** Where a kind of learning belongs in the curated file; an insight is no rule, and stays a learning. */
const HEADINGS: Readonly<Record<Learning["kind"], string | null>> = {
  constraint: "Non-Negotiables",
  correction: "Non-Negotiables",
  preference: "Non-Negotiables",
  anti_pattern: "Non-Negotiables",
  decision: "Architecture Anchors",
  pattern: "Architecture Anchors",
  insight: null,
};

/** A learning that may be worth a line of `gaia-init.md`. */
export interface Promotion {
  readonly learning: Learning;
  readonly heading: string;
}

/**
 * The newest learnings that hold in every task and that the curated file does not say yet.
 * @param isSettled whether the user has decided on a learning before
 */
export function findPromotions(
  learnings: readonly Learning[],
  init: string,
  isSettled: (learning: Learning) => boolean,
): Promotion[] {
  const said = keyOfLearning({ kind: "insight", text: init, date: "" });
  return learnings
    .flatMap((learning) => {
      const heading = HEADINGS[learning.kind];
      return heading === null ? [] : [{ learning, heading }];
    })
    .filter(({ learning }) => (learning.confidence ?? 1) >= SURE)
    .filter(({ learning }) => !said.includes(keyOfLearning(learning)) && !isSettled(learning))
    .slice(-MOST)
    .toReversed();
}

/** Adds each learning as a line under its heading, which is made where it is missing. */
export function addPromotions(text: string, promotions: readonly Promotion[]): Change<{ promoted: number }> {
  const broken = refuseBroken(parseMarkdown(text));
  if (broken !== null) return broken;
  const document = promotions.reduce((before, { heading, learning }) => {
    const line = `- ${foreignLine(learning.text)}`;
    const section = findSection(before, heading);
    if (section === null) return appendToEnd(before, [`## ${heading}`, "", line], true);
    const isEmpty = before.lines.slice(section.start, section.end).every((each) => each.text.trim() === "");
    return appendWithin(before, section, isEmpty ? ["", line] : [line], false);
  }, parseMarkdown(text));
  return { ok: true, text: renderMarkdown(document), result: { promoted: promotions.length } };
}
