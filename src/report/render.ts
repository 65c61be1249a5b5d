import {
  addAmounts,
  type Amount,
  NO_AMOUNT,
  renderMoney,
  counted,
  renderDelta,
  tokensOf,
  renderDuration,
  renderExactDuration,
  shortCount,
  listed,
} from "../lib/figures.ts";
import { excerpt, head } from "../lib/text.ts";
import { renderTally, unproven } from "../checks/evidence/claims.ts";
import { plainText } from "../lib/markdown.ts";
import type { Redactor } from "../lib/redaction.ts";
import type { PlanTask } from "../plan/task.ts";
import type { PageFacts } from "./gather.ts";

type Glance = readonly [name: string, value: string, isGood: boolean | null];

/** What one wants to know first: how far it is, what it changed, what shows that it holds, what it took. Pure. */
function glance({ plan, tasks, claims }: PageFacts, all: Amount): Glance[] {
  const done = plan.tasks.filter((task) => task.done).length;
  const whole = plan.tasks.length;
  const proof = renderTally(claims);
  const hasFailed = claims.some(({ standing }) => standing === "failed");
  const last = new Map(tasks.flatMap(({ agent, verdict }) => (verdict === "" ? [] : [[agent, verdict]])));
  const approving = [...last.values()].filter((verdict) => verdict.startsWith("APPROVE")).length;
  const files = tasks.flatMap((task) => task.files);
  const paths = new Set(files.map(({ path }) => path)).size;
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  const lines = `${counted(paths, "file")}, +${sum("added")} −${sum("removed")}`;
  const cost = `${renderMoney(all.cost)}, ${shortCount(tokensOf(all))} tokens, ${counted(all.requests, "request")}`;
  const facts: (Glance | false)[] = [
    whole > 0 && ["Tasks", `${done} of ${whole} done`, null],
    ["Changed", paths === 0 ? "nothing" : lines, null],
    proof !== "" && ["Proof", proof, hasFailed ? false : unproven(claims).length === 0 || null],
    last.size > 0 && [
      "Reviews, last of each",
      `${approving} of ${last.size} approve`,
      approving === last.size,
    ],
    ["Cost", cost, null],
  ];
  return facts.filter((fact) => fact !== false);
}

/** Markup that is safe to stand in the page: written here, with everything from outside escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template; a text is taken as text, whatever it holds. */
type Content = Markup | string | number | null | readonly Content[];

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
type Build = (strings: TemplateStringsArray, ...values: Content[]) => Markup;

function createMarkup(redact: Redactor): Build {
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
const STYLE = `:root{color-scheme:light dark;--b:#fff;--f:#1b1f24;--m:#545d68;--l:#d0d7de;--s:#f3f5f7;--g:#0a6b2d;--r:#b3261e}
@media(prefers-color-scheme:dark){:root{--b:#14181d;--f:#e4e8ec;--m:#a3adb8;--l:#3a424c;--s:#1e242b;--g:#6fd08c;--r:#ff9a94}}
*{box-sizing:border-box}body{margin:0 auto;max-width:68rem;padding:clamp(.8rem,4vw,1.5rem);font:15px/1.5 system-ui,sans-serif;background:var(--b);color:var(--f)}
h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid var(--l)}h1,p,td,dd{overflow-wrap:anywhere}p{margin:.3rem 0}
small,.m{color:var(--m);font-size:.9em}.g{color:var(--g)}.r{color:var(--r)}
.o{overflow-x:auto}.o+.o{margin-top:1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--l);vertical-align:top;min-width:6.5rem}:is(th,td):first-child{min-width:1.5rem;overflow-wrap:break-word}td:has(code){min-width:11rem}.n{text-align:right;white-space:nowrap}
pre{background:var(--s);padding:.6rem;overflow-x:auto;font:12.5px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;margin:1rem 0 0}dl div{background:var(--s);padding:.5rem .7rem}dt{color:var(--m);font-size:.85em}dd{margin:0;font-weight:600}
@media print{.o{overflow:visible}body{max-width:none;padding:0}h2{break-after:avoid}}`;

/** Of each kind of what stands at the top; the rest is below. */
const MAX_LISTED = 8;
const MAX_LINE = 400;
const MAX_ROWS = 300;
const MAX_LOG = 60;
const MAX_FILES = 20;
/** The whole page, in bytes. */
const MAX_PAGE = 430_000;

const UNSEALED =
  "Not sealed by your own plugin: another user or machine wrote this down, and it proves nothing here.";

/** `2026-11-24T10:10:56.521Z` as a person reads it. */
const renderTime = (at: string): string => at.slice(0, 19).replace("T", " ");

/** A plan that is under way says so until its unit is closed, also when nothing of it is left to do. */
function renderStatus({ status, tasks, errors }: PageFacts["plan"]): string {
  if (errors.length > 0)
    return `its plan is not in the grammar (line ${errors.map(({ line }) => line).join(", ")})`;
  const isDone = tasks.length > 0 && tasks.every(({ done }) => done);
  if (isDone && (status === "in-progress" || status === "approved")) return "all tasks done, not closed yet";
  return status ?? "without a status";
}

/** A unit as one page without script, font or address. Every text in it is escaped, redacted and bounded. */
export function renderPage(facts: PageFacts, redact: Redactor): string {
  const markup = createMarkup(redact);
  const { plan, tasks, spent } = facts;
  let used = 0;
  const section = (title: string, body: Content): Content => {
    if (body === "" || (Array.isArray(body) && body.every((each) => each === ""))) return "";
    const made = markup`<section><h2>${title}</h2>${body}</section>`;
    const bytes = Buffer.byteLength(made.text);
    if (used + bytes > MAX_PAGE)
      return markup`<section><h2>${title}</h2><p>Too long for this page.</p></section>`;
    used += bytes;
    return made;
  };
  /** @param texts so many columns are texts, those behind them figures */
  const table = (
    heads: readonly string[],
    rows: readonly (readonly Content[])[],
    texts = heads.length,
  ): Content => {
    if (rows.length === 0) return "";
    const kind = (at: number): string => (at < texts ? "" : "n");
    const head = heads.map((name, at) => markup`<th scope="col" class="${kind(at)}">${name}</th>`);
    const cells = (row: readonly Content[]): Markup[] =>
      row.map((cell, at) => markup`<td class="${kind(at)}">${cell}</td>`);
    const body = rows.slice(0, MAX_ROWS).map((row) => markup`<tr>${cells(row)}</tr>`);
    const more = rows.length - body.length;
    const rest = more > 0 ? markup`<p class="m">… and ${more} more</p>` : "";
    return markup`<div class="o" tabindex="0" role="region" aria-label="${heads.join(", ")}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${rest}`;
  };
  const result = (status: string): Markup =>
    markup`<span class="${facts.isSealed ? (status === "passed" ? "g" : "r") : "m"}">${status === "passed" ? "passes" : status}</span>`;
  const doubt = facts.checks.length === 0 || facts.isSealed ? "" : UNSEALED;

  const sum = (amounts: readonly Amount[]): Amount => amounts.reduce(addAmounts, NO_AMOUNT);
  const all = sum(spent);
  const money = (head: string, name: (each: (typeof spent)[number]) => string | null): Content => {
    const sums = new Map<string, Amount>();
    for (const each of spent) {
      const key = name(each);
      if (key !== null) sums.set(key, addAmounts(sums.get(key) ?? NO_AMOUNT, each));
    }
    const rows = [...sums].toSorted(([, a], [, b]) => b.cost - a.cost || tokensOf(b) - tokensOf(a));
    return table(
      [head, "Requests", "Input", "Output", "Cached", "Cost"],
      rows.map(([key, { requests, input, output, cached, cost }]) => [
        key,
        requests,
        ...[input, output, cached].map(shortCount),
        renderMoney(cost),
      ]),
      1,
    );
  };

  /** The standing of a task in the words of the terminal, and what shows it. */
  const shown = ({ number, verify: command }: PlanTask): Content => {
    const { standing = "open", why = "" } = facts.claims.find(({ id }) => id === `task ${number}`) ?? {};
    const kind = standing === "failed" ? "r" : standing === "proven" || standing === "passes" ? "g" : "m";
    const { agent = "", verdict = "" } = tasks.findLast(({ task }) => task === number) ?? {};
    const by = command === undefined ? verdict && `${agent}: ${verdict}` : markup`<code>${command}</code>`;
    return markup`<span class="${kind}">${standing}</span> ${by} <small>${facts.isSealed ? why : ""}</small>`;
  };
  const planned = plan.tasks.map((task) => [
    task.number,
    task.done ? "✓ done" : "○ open",
    task.text,
    task.agent ?? "",
    shown(task),
  ]);
  const begun = tasks.toSorted((one, other) => one.at - other.at);
  const work = begun.map(({ at, end, agent, model, title, status, verdict, files, session }) => {
    const { cost, ...tokens } = sum(spent.filter((each) => each.session === session));
    return [
      new Date(at).toISOString().slice(11, 19),
      markup`${title} <small>${status}</small>`,
      markup`${agent} <small>${model ?? "model unknown"}</small>`,
      verdict,
      listed(files.map(renderDelta), MAX_FILES),
      renderDuration(end - at),
      shortCount(tokensOf(tokens)),
      renderMoney(cost),
    ];
  });
  const decisions = facts.decisions.map((row) => [row.date, row.question, row.choice, row.rationale]);
  const checks = facts.checks.map(({ at, command, status, exit_code: code, duration_ms: took }) => [
    renderTime(at),
    command,
    result(status),
    code,
    renderExactDuration(took),
  ]);
  // In pieces, for a long text is cut; the file's own title is none.
  const log = facts.log
    .split(/\n(?=## )/)
    .filter((part) => !/^\s*# .*\s*$/u.test(part))
    .slice(-MAX_LOG)
    .map((part) => plainText(redact(part)).trim());
  const title = plan.title || facts.unit;
  const [first] = begun;
  const date = first === undefined ? "" : ` Begun ${new Date(first.at).toISOString().slice(0, 10)}.`;
  const summary = `Work unit ${facts.unit}, ${renderStatus(plan)}.${date} Times are UTC.`;
  const glances = glance(facts, all).map(([name, value, isGood]) => {
    const kind = isGood === null ? "" : isGood ? "g" : "r";
    return markup`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>`;
  });
  const line = (name: string, texts: readonly string[], kind = ""): Content => {
    const more = texts.length > MAX_LISTED ? [`and ${texts.length - MAX_LISTED} more, below`] : [];
    const shown = texts.slice(0, MAX_LISTED).map((text) => excerpt(redact(text), MAX_LINE));
    if (shown.join("") === "") return "";
    return markup`<p><span class="m">${name}:</span> <span class="${kind}">${[...shown, ...more].join("; ")}</span></p>`;
  };
  const above = [
    line("Asked", [facts.request]),
    line("Goal", [plainText(redact(facts.goal))]),
    line("Not fixed", facts.unfixed, "r"),
    facts.left.length === 0 ? line("Left for you", ["nothing"]) : line("Left for you", facts.left, "r"),
  ];
  const sections = [
    section("Plan", table(["#", "State", "Task", "Agent", "What shows it"], planned)),
    section(
      "Work",
      table(["At", "Task", "By", "Verdict", "Files", "Took", "Tokens of its session", "Cost"], work, 5),
    ),
    section("Requests, tokens, money", [
      money("Agent", ({ agent }) => agent),
      money("Model", ({ model }) => model),
    ]),
    section("Decisions", table(["Date", "Question", "Choice", "Reason"], decisions)),
    section("Checks as they ran", [
      doubt && markup`<p>${doubt}</p>`,
      table(["When", "Command", "Result", "Exit", "Took"], checks, 3),
    ]),
    section(
      "Log",
      log.map((part) => (part === "" ? "" : markup`<pre>${part}</pre>`)),
    ),
  ];
  const policy = "default-src 'none';style-src 'unsafe-inline'";
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}"><title>${title}</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1><p class="m">${summary}</p>
${above}
<dl>${glances}</dl>
${sections}
</main></body></html>
`.text;
}
