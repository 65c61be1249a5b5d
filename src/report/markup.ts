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

/** Light and dark by the reader's own setting, and for paper. Colours keep a contrast of 4.5 and more in both. */
export const STYLE = `:root{color-scheme:light dark;--b:#fff;--f:#1b1f24;--m:#545d68;--l:#d0d7de;--s:#f3f5f7;--a:#0b5cad;--g:#0a6b2d;--r:#b3261e;--y:#8a5a00}
@media(prefers-color-scheme:dark){:root{--b:#14181d;--f:#e4e8ec;--m:#a3adb8;--l:#3a424c;--s:#1e242b;--a:#79b8ff;--g:#6fd08c;--r:#ff9a94;--y:#e3b341}}
*{box-sizing:border-box}body{margin:0 auto;max-width:68rem;padding:1.5rem;font:15px/1.5 system-ui,sans-serif;background:var(--b);color:var(--f)}
h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid var(--l)}h3{margin:1rem 0 .2rem;font-size:1rem}
p{margin:.3rem 0}small,.m{color:var(--m);font-size:.9em}.g{color:var(--g)}.r{color:var(--r)}a{color:var(--a)}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--l);vertical-align:top}
.o{overflow-x:auto}td.w,td:has(code){min-width:11rem}td.w{overflow-wrap:anywhere}p,li,h1,h3,summary{overflow-wrap:anywhere}td.n,th.n{text-align:right;white-space:nowrap}ol,ul{padding-left:1.4rem;margin:.3rem 0}
pre{background:var(--s);padding:.6rem;overflow-x:auto;font:12.5px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.t{list-style:none;padding:0}.t li{margin:.35rem 0}.t div{background:var(--s);height:.6rem}.t i{display:block;height:100%;min-width:2px;background:var(--a)}.t i.y{background:var(--y)}.t i.r{background:var(--r)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.6rem;margin:1rem 0 0}dl div{background:var(--s);padding:.5rem .7rem;overflow-wrap:anywhere}dt{color:var(--m);font-size:.85em}dd{margin:0;font-weight:600}
.o+.o{margin-top:1rem}td.n{width:14%}@media(max-width:40rem){body{padding:1rem;font-size:14px}dl{grid-template-columns:1fr 1fr}table{font-size:13px}td.w,td:has(code){min-width:8rem}}
summary{cursor:pointer}pre b{font-weight:400}
@media print{.o{overflow:visible}body{max-width:none;padding:0}h2,h3{break-after:avoid}.t div,.t i{print-color-adjust:exact}details::details-content{content-visibility:visible}}`;
