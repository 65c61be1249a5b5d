import { head } from "../lib/excerpt.ts";
import type { Redactor } from "../lib/redaction.ts";

/** Markup that is safe to stand in the page: written here, with everything from outside escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template; a text is taken as text, whatever it holds. */
export type Content = Markup | string | number | null | readonly Content[];

/** More of one text is not shown, in characters. */
const MAX_TEXT = 4_000;
// Halves of characters, what shows nothing, or turns the direction of writing, would make a text read as another one.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Builds markup: whatever is put in is free of secrets, of bounded length, and text. */
export type Build = (strings: TemplateStringsArray, ...values: Content[]) => Markup;

export function createMarkup(redact: Redactor): Build {
  const render = (value: Content): string => {
    if (value instanceof Markup) return value.text;
    if (typeof value === "object") return (value ?? []).map(render).join("");
    // A secret that is cut in two is not known any more.
    const text = redact(String(value));
    const short = head(text, MAX_TEXT);
    return short.replaceAll(UNSEEN, "\ufffd").replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
  };
  return (strings, ...values) =>
    new Markup(
      strings.map((part, at) => part + (at < values.length ? render(values[at] ?? "") : "")).join(""),
    );
}
