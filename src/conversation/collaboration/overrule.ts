import { excerpt } from "../../lib/excerpt.ts";
import { rowNow } from "./decision-row.ts";
import type { Outcome } from "./outcome.ts";
import { outcome } from "./outcome.ts";
import type { CollaborationState } from "./state.ts";
import { openObjections, overrule, renderVerdict, type StandingVerdict } from "./verdicts.ts";

/** Longer messages are no order of this kind. */
const MAX_MESSAGE = 600;
const MAX_TEXT = 400;

const UNSURE =
  /\b(?:not|never|no|if|unless|until|when|once|after|before|except|without|instead|or|should|would|could|might|maybe|perhaps)\b|n't\b/i;
const VERDICT = String.raw`(?:reject(?:ion|ed)?s?|verdicts?|objections?|veto|blocked|(?:the|this|that|its|his|her|their) (?:review(?:er)?s?|findings?))`;
const CLOSING = String.raw`(?:accept|approve|merge|commit|complete|close|ship|finish|release|land|push)`;
const ANYWAY = String.raw`(?:anyway|anyhow|regardless|nonetheless|nevertheless|all the same|despite (?:it|that|this))`;

/**
 * Whether words of the user's plainly overrule a reviewer: they name the verdict or the reviewer and what becomes of it, or
 * say that the work is to be closed all the same. What asks, denies or depends on something does not (SPEC 2.7).
 * @param reviewers those whose objection stands
 */
export function readsAsOverruling(text: string, reviewers: readonly string[]): boolean {
  if (text.length > MAX_MESSAGE) return false;
  const names = reviewers.map((name) => name.replaceAll(/\W/g, "."));
  const target = `(?:${[VERDICT, ...names].join("|")})`;
  const orders = [
    new RegExp(String.raw`\boverrul(?:e|ed|ing)\b`, "i"),
    new RegExp(String.raw`\b(?:override|ignore|disregard|dismiss|waive)\b[^,;]{0,30}\b${target}\b`, "i"),
    new RegExp(String.raw`\b(?:despite|in spite of|regardless of)\b[^,;]{0,20}\b${target}\b`, "i"),
    new RegExp(String.raw`\b${CLOSING}\b[^,;]{0,40}\b${ANYWAY}\b`, "i"),
    /\bi accept (?:the|this|that|these|those) (?:risks?|findings?)\b/i,
  ];
  return text
    .replaceAll(/\x60{3}[^]*?(?:\x60{3}|$)|"[^"]*"/g, " ")
    .split(/(?<=[.!?;\n])\s*/)
    .filter((sentence) => !sentence.trim().endsWith("?") && !UNSURE.test(sentence))
    .some((sentence) => orders.some((order) => order.test(sentence)));
}

/** Words of the user's, in a message or as the answer to a question, overrule what they name, else all that stands. */
export function overruleByWords(state: CollaborationState, texts: readonly string[]): Outcome {
  const open = openObjections(state.verdicts, null).filter(
    ({ workUnit }) => workUnit === "" || workUnit === state.workUnit,
  );
  const reviewers = open.map(({ reviewer }) => reviewer);
  const said = open.length === 0 ? undefined : texts.find((text) => readsAsOverruling(text, reviewers));
  if (said === undefined) return outcome(state);
  const named = open.filter(({ reviewer }) => said.toLowerCase().includes(reviewer.toLowerCase()));
  return overruleThese(state, named.length > 0 ? named : open, said);
}

/** The user overruled these, in words or in a dialog that named them. */
export function overruleThese(
  state: CollaborationState,
  overruled: readonly StandingVerdict[],
  answer: string,
): Outcome {
  if (overruled.length === 0) return outcome(state);
  const what = overruled.map(renderVerdict).join("; ");
  const row = rowNow(state, {
    key: `overruled:${state.rootSession}:${state.at}`,
    type: "approval",
    question: excerpt(`Does this hold the work up? ${what}`, MAX_TEXT),
    answer: excerpt(answer, MAX_TEXT),
    impact: "It is overruled and holds nothing up any more.",
  });
  const who = [...new Set(overruled.map(({ reviewer }) => reviewer))].join(" and ");
  return outcome(
    { ...state, verdicts: overrule(state.verdicts, overruled) },
    { type: "decision", row },
    {
      type: "note",
      text: `You overruled ${who}: it holds nothing up any more. A new review can object again.`,
    },
    { type: "steer", text: `The user overruled ${who}.` },
  );
}
