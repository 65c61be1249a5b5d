import { excerpt } from "./text.ts";

const MAX_WHY = 220;
/** Names of tools, operations and arguments: what only models call. */
const FOR_MODELS = /\b[a-z]+(?:_[a-z]+)+\b|\breplace: true\b/u;

/** Reasons are written for models: what only they read goes, and the user is spoken to. At most 220 characters. */
export function forPerson(reason: string): string {
  const text = excerpt(reason, MAX_WHY)
    .replace(/^Refused[\w ]*: /, "")
    .replace(/^(?:The (?:wave|unit) stays open|The work is BLOCKED): /, "")
    .replace(/\.$/, "");
  return text === "" ? "no reason was given" : toUser(text);
}

/** What follows "you" in the place of what followed "the user". */
const ENDS: Record<string, string> = { " has": " have", " is": " are", "'s ": "r ", "'s": "rs" };

/** The same words, spoken to the user of whom they tell. */
export function toUser(text: string): string {
  return text.replaceAll(
    /\b([Tt])he user( has\b| is\b|'s |'s\b|\b)/g,
    (_all, first, rest: string) => `${first === "T" ? "You" : "you"}${ENDS[rest] ?? ""}`,
  );
}

/** What went wrong, for the user: with what to do about it, unless that is something that a model would call. */
export function failureForPerson({ error, hint }: { readonly error: string; readonly hint: string }): string {
  return hint === "" || FOR_MODELS.test(hint) ? error : `${error} ${hint}`;
}
