import { addAmounts, type Amount, NO_AMOUNT, renderMoney, renderRequests, tokensOf } from "../lib/amount.ts";
import { renderDuration, renderExactDuration, shortCount } from "../lib/figures.ts";
import { head } from "../lib/excerpt.ts";
import { plainText } from "../lib/plain-text.ts";
import type { Redactor } from "../lib/redaction.ts";
import { NOT_REVIEWED } from "../plan/review/outcome.ts";
import type { TaskEntry } from "../spending/entry.ts";
import type { DiffFile } from "../lib/line-diff.ts";
import type { PlanTask } from "../plan/task.ts";
import type { PageFacts } from "./gather.ts";

interface Glance {
  readonly name: string;
  readonly value: string;
  /** Whether it is as one would wish; null for what is neither. */
  readonly isGood: boolean | null;
}

type Facts = Pick<PageFacts, "plan" | "tasks" | "diff" | "checks" | "isSealed">;

/** What one wants to know first: how far it is, what it changed, what shows that it holds, what it took. Pure. */
export function glance({ plan, tasks, diff, checks, isSealed }: Facts, all: Amount): Glance[] {
  const done = plan.tasks.filter((task) => task.done).length;
  const whole = plan.tasks.length;
  const runs = new Map(checks.map(({ command, status }) => [command, status]));
  const passed = [...runs.values()].filter((status) => status === "passed").length;
  const verdicts = new Map(
    tasks.flatMap(({ agent, verdict }) => (verdict === "" ? [] : [[agent, verdict] as const])),
  );
  const last = [...verdicts.values()];
  const approving = last.filter((verdict) => verdict.startsWith("APPROVE")).length;
  const unseen = last.filter((verdict) => verdict === NOT_REVIEWED).length;
  const against = last.length - approving - unseen;
  const broken = tasks.filter(({ status }) => status !== "completed").length;
  const facts: (Glance | false)[] = [
    whole > 0 && { name: "Tasks", value: `${done} of ${whole} done`, isGood: done === whole ? true : null },
    { name: "Changed", value: changed(tasks, diff), isGood: null },
    runs.size > 0 && {
      name: "Checks, last run of each",
      value: `${passed} of ${runs.size} passed${isSealed ? "" : " *"}`,
      isGood: isSealed ? passed === runs.size : null,
    },
    verdicts.size > 0 && {
      name: "Reviews, last of each",
      value: [
        against === 0 ? `${approving} of ${verdicts.size} approve` : `${against} of ${verdicts.size} object`,
        unseen === 0 ? "" : `${unseen} ${NOT_REVIEWED}`,
      ]
        .filter(Boolean)
        .join(", "),
      isGood: approving === verdicts.size,
    },
    tasks.length > 0 && {
      name: "Delegations",
      value: broken === 0 ? String(tasks.length) : `${tasks.length}, ${broken} not completed`,
      isGood: broken === 0 ? null : false,
    },
    tasks.length > 0 && {
      name: "From first to last",
      value: renderDuration(
        Math.max(...tasks.map(({ end }) => end)) - Math.min(...tasks.map(({ at }) => at)),
      ),
      isGood: null,
    },
    {
      name: "Cost",
      value: `${renderMoney(all.cost)}, ${shortCount(tokensOf(all))} tokens, ${renderRequests(all.requests)}`,
      isGood: null,
    },
  ];
  return facts.filter((fact) => fact !== false);
}

function changed(tasks: Facts["tasks"], diff: Facts["diff"]): string {
  const lines = diff.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const of = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const files = tasks.flatMap((task) => task.files);
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  const [count, added, removed] =
    diff.length > 0
      ? [diff.length, of("added"), of("removed")]
      : [new Set(files.map(({ path }) => path)).size, sum("added"), sum("removed")];
  return count === 0 ? "nothing" : `${count} ${count === 1 ? "file" : "files"}, +${added} −${removed}`;
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
const STYLE = `:root{color-scheme:light dark;--b:#fff;--f:#1b1f24;--m:#545d68;--l:#d0d7de;--s:#f3f5f7;--a:#0b5cad;--g:#0a6b2d;--r:#b3261e;--y:#8a5a00}
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

const MAX_ROWS = 300;
const MAX_LOG = 60;
/** Of one file's diff: lines, characters that are read, and characters of one line that are shown. */
const MAX_LINES = 200;
const MAX_READ = 100_000;
const MAX_LINE = 300;
/** All diffs, and the whole page, in bytes. */
const MAX_DIFFS = 220_000;
const MAX_PAGE = 430_000;

const UNSEALED =
  "* Not sealed by your own plugin: another user or machine wrote this down, and it proves nothing here.";

/** Whether a cell holds a word that may be broken anywhere: no other is, whatever stands beside it. */
const hasLongWord = ({ text }: Markup): boolean => /\S{25}/.test(text.replaceAll(/<[^>]*>/g, " "));

/** `2026-11-24T10:10:56.521Z` as a person reads it. */
const renderTime = (at: string): string => at.replace(/^([\d-]+)T([\d:]+)(?:\.\d+)?Z$/, "$1 $2");

/** A plan that is under way says so until its unit is closed, also when nothing of it is left to do. */
function renderStatus({ status, tasks, errors = [] }: PageFacts["plan"]): string {
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
  const time = (at: number): string => new Date(at).toISOString().slice(11, 19);
  let used = 0;
  const section = (title: string, body: Content): Content => {
    if (body === "" || (Array.isArray(body) && body.length === 0)) return "";
    const made = markup`<section><h2>${title}</h2>${body}</section>`;
    const bytes = Buffer.byteLength(made.text);
    if (used + bytes > MAX_PAGE)
      return markup`<section><h2>${title}</h2><p>Too long for this page.</p></section>`;
    used += bytes;
    return made;
  };
  const table = (
    heads: readonly string[],
    rows: readonly (readonly Content[])[],
    texts = heads.length,
  ): Content => {
    if (rows.length === 0) return "";
    const kind = (at: number): string => (at < texts ? "" : "n");
    const head = heads.map((name, at) => markup`<th scope="col" class="${kind(at)}">${name}</th>`);
    const renderCell = (content: Content, at: number): Markup => {
      const cell = markup`${content}`;
      return markup`<td class="${hasLongWord(cell) ? "w" : kind(at)}">${cell}</td>`;
    };
    const body = rows.slice(0, MAX_ROWS).map((row) => markup`<tr>${row.map(renderCell)}</tr>`);
    const more = rows.length - body.length;
    const rest = more > 0 ? markup`<p class="m">… and ${more} more</p>` : "";
    return markup`<div class="o" tabindex="0" role="region" aria-label="${heads.join(", ")}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${rest}`;
  };
  const result = (status: string): Markup =>
    markup`<span class="${facts.isSealed ? (status === "passed" ? "g" : "r") : "m"}">${status}</span>`;
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

  const begin = Math.min(...tasks.map(({ at }) => at));
  const length = Math.max(1, Math.max(...tasks.map(({ end }) => end)) - begin);
  const percent = (ms: number): string => Math.max(0, Math.min(100, (ms / length) * 100)).toFixed(2);
  const begun = tasks.toSorted((one, other) => one.at - other.at).slice(0, MAX_ROWS);
  const timeline = begun.map(({ at, end, agent, title, status }) => {
    const when = `${time(at)} to ${time(end)}, ${renderDuration(end - at)}, ${status}`;
    const bar = `margin-left:${percent(at - begin)}%;width:${percent(end - at)}%`;
    const kind = status === "completed" ? "" : status === "partial" ? "y" : "r";
    return markup`<li>${agent}: <bdi>${title}</bdi> <small>${when}</small><div><i class="${kind}" style="${bar}"></i></div></li>`;
  });

  const concluded = (number: number): Content => {
    const { agent = "", verdict = "" } = tasks.findLast(({ task }) => task === number) ?? {};
    if (verdict === "") return markup`<span class="m">nothing shows it</span>`;
    return markup`${agent}: <span class="${verdict.startsWith("APPROVE") ? "g" : "r"}">${verdict}</span>`;
  };
  const shown = ({ number, verify: command }: PlanTask): Content => {
    // What shows a review's task is what it concluded.
    if (command === undefined) return concluded(number);
    const seen = facts.checks.findLast((each) => each.command === command);
    const how = seen === undefined ? markup`<span class="m">was not run</span>` : result(seen.status);
    const isOld = facts.tree !== null && seen?.tree !== facts.tree;
    const when = seen === undefined ? "" : `${renderTime(seen.at)}${isOld ? ", files changed since" : ""}`;
    return markup`<code>${command}</code> ${how} <small>${when}</small>`;
  };
  const planned = plan.tasks.map((task) => [
    task.number,
    task.done ? markup`<span class="g">✓ done</span>` : "○ open",
    task.text,
    task.agent ?? "",
    shown(task),
  ]);

  const diffs = new Map(facts.diff.map((file) => [file.path, file]));
  const lastOf = new Map(tasks.flatMap((task) => task.files.map(({ path }) => [path, task] as const)));
  const signs = { added: "+", removed: "−", context: " " };
  let room = MAX_DIFFS;
  const renderLine = ({ sign, text }: { sign: string; text: string }): Markup => {
    const line = `${sign}${text}`;
    const short = head(line, MAX_LINE);
    const kind = sign === "+" ? "g" : sign === "−" ? "r" : "";
    return kind === "" ? markup`${short}\n` : markup`<b class="${kind}">${short}</b>\n`;
  };
  const renderDiff = ({ hunks }: DiffFile, name: string): Markup => {
    const whole = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    const lines: { sign: string; text: string }[] = [];
    let read = 0;
    let unread = MAX_READ;
    for (const { header, lines: own } of hunks) {
      const some = own
        .slice(0, Math.max(0, MAX_LINES - read))
        .filter(({ text }) => (unread -= text.length) > 0);
      if (some.length === 0) break;
      read += some.length;
      // As a whole first: a secret may take several lines, and one that is cut is not known any more.
      const texts = redact(some.map(({ text }) => text).join("\n")).split("\n");
      const signOf = (at: number): string => (texts.length === some.length ? signs[some[at]!.kind] : "");
      lines.push({ sign: "", text: `@@ ${redact(header)}` });
      lines.push(...texts.map((text, at) => ({ sign: signOf(at), text })));
    }
    const rest = whole > read ? `… and ${whole - read} more lines` : "";
    const made = markup`<details><summary>${name}</summary><pre>${lines.map(renderLine)}${rest}</pre></details>`;
    const bytes = Buffer.byteLength(made.text);
    if (bytes > room) return markup`<p>${name} <small>too long for this page</small></p>`;
    room -= bytes;
    return made;
  };
  const renderFile = (task: TaskEntry, { path, added, removed }: TaskEntry["files"][number]): Markup => {
    const diff = lastOf.get(path) === task ? diffs.get(path) : undefined;
    const name = `${path} +${added} −${removed}`;
    return diff === undefined ? markup`<p>${name}</p>` : renderDiff(diff, name);
  };
  const work = begun.map((task) => {
    const { agent, model, status, title, verdict, files, session } = task;
    const { requests, cost, ...tokens } = sum(spent.filter((each) => each.session === session));
    const paid = `${renderRequests(requests)}, ${shortCount(tokensOf(tokens))} tokens, ${renderMoney(cost)}`;
    const facts = [agent, model ?? "model unknown", status, renderDuration(task.end - task.at)].join(", ");
    const said = verdict === "" ? "" : markup`<p>Verdict: ${verdict}</p>`;
    const name = `${task.task === null ? "" : `${task.task}. `}${title}`;
    return markup`<h3>${name}</h3><p class="m">${facts}; its session: ${paid}</p>${said}${files.map((file) => renderFile(task, file))}`;
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
  const date = tasks.length === 0 ? "" : ` Begun ${new Date(begin).toISOString().slice(0, 10)}.`;
  const summary = `Work unit ${facts.unit}, ${renderStatus(plan)}.${date} Times are UTC.`;
  const first = glance(facts, all).map(({ name, value, isGood }) => {
    const kind = isGood === null ? "" : isGood ? "g" : "r";
    return markup`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>`;
  });
  const sections = [
    section("Plan", table(["#", "State", "Task", "Agent", `What shows it${doubt && " *"}`], planned)),
    section("Who worked when", timeline.length === 0 ? "" : markup`<ol class="t">${timeline}</ol>`),
    section(
      "Requests, tokens, money",
      [
        money("Agent", ({ agent }) => agent),
        money("Wave", ({ wave }) => wave),
        money("Model", ({ model }) => model),
      ].filter((each) => each !== ""),
    ),
    section("Decisions", table(["Date", "Question", "Choice", "Reason"], decisions)),
    section(
      "Checks as they ran",
      [
        doubt && markup`<p>${doubt}</p>`,
        table(["When", "Command", "Result", "Exit", "Took"], checks, 3),
      ].filter((each) => each !== ""),
    ),
    section("Work by task", work),
    section(
      "Log",
      log.flatMap((part) => (part === "" ? [] : [markup`<pre>${part}</pre>`])),
    ),
  ];
  const policy = "default-src 'none';style-src 'unsafe-inline'";
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}"><title>${title}</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1><p class="m">${summary}</p><dl>${first}</dl>
${sections}
</main></body></html>
`.text;
}
