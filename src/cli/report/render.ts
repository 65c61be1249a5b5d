import { addAmounts, NO_AMOUNT, renderMoney, renderTokens, tokensOf, type Amount } from "../../lib/amount.ts";
import { renderDuration, renderExactDuration } from "../../lib/duration.ts";
import type { Redactor } from "../../lib/redaction.ts";
import type { TaskEntry } from "../../spending/entry.ts";
import type { DiffFile } from "../../vcs/unified-diff.ts";
import type { ReportFacts } from "./gather.ts";
import { createHtml, Html, type Content } from "./html.ts";
import { STYLE } from "./style.ts";

const MAX_ROWS = 300;
const MAX_LOG = 60;
/** Lines of one file's diff, and characters of one line; of all diffs together the markup. */
const MAX_LINES = 200;
const MAX_LINE = 300;
const MAX_DIFFS = 250_000;

/**
 * A unit as one page that needs nothing else: no script, no font, no address. Every text in it is escaped, free of known secrets
 * and bounded.
 */
export function renderPage(facts: ReportFacts, redact: Redactor): string {
  const html = createHtml(redact);
  const { plan, tasks, spent } = facts;
  const time = (at: number): string => new Date(at).toISOString().slice(11, 19);
  const section = (title: string, body: Content): Html | "" =>
    body === "" || (Array.isArray(body) && body.length === 0)
      ? ""
      : html`<section>
          <h2>${title}</h2>
          ${body}
        </section>`;
  const table = (
    heads: readonly string[],
    rows: readonly (readonly Content[])[],
    numbers = heads.length,
  ): Html | "" =>
    rows.length === 0
      ? ""
      : html`<table>
            <thead>
              <tr>
                ${heads.map((head, at) => html`<th scope="col" class="${at < numbers ? "" : "n"}">${head}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${rows.slice(0, MAX_ROWS).map(
                (row) =>
                  html`<tr>
                    ${row.map((cell, at) => html`<td class="${at < numbers ? "" : "n"}">${cell}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
          ${rows.length > MAX_ROWS ? html`<p class="m">… and ${rows.length - MAX_ROWS} more</p>` : ""}`;

  const sum = (amounts: readonly Amount[]): Amount => amounts.reduce(addAmounts, NO_AMOUNT);
  const all = sum(spent);
  const by = (name: (each: (typeof spent)[number]) => string | null): [string, Amount][] => {
    const sums = new Map<string, Amount>();
    for (const each of spent) {
      const key = name(each);
      if (key !== null) sums.set(key, addAmounts(sums.get(key) ?? NO_AMOUNT, each));
    }
    return [...sums].toSorted(([, a], [, b]) => b.cost - a.cost || tokensOf(b) - tokensOf(a));
  };
  const money = (head: string, rows: [string, Amount][]): Html | "" =>
    table(
      [head, "Requests", "Input", "Output", "Cached", "Cost"],
      rows.map(([name, { requests, input, output, cached, cost }]) => [
        name,
        requests,
        renderTokens(input),
        renderTokens(output),
        renderTokens(cached),
        renderMoney(cost),
      ]),
      1,
    );

  const begin = Math.min(...tasks.map(({ at }) => at));
  const length = Math.max(1, Math.max(...tasks.map(({ end }) => end)) - begin);
  const percent = (ms: number): string => Math.max(0, Math.min(100, (ms / length) * 100)).toFixed(2);
  const timeline = tasks.slice(0, MAX_ROWS).map(
    ({ at, end, agent, title, status }) =>
      html`<li>
        ${agent}: ${title} <small>${time(at)} to ${time(end)}, ${renderDuration(end - at)}, ${status}</small>
        <div>
          <i
            style="margin-left:${percent(at - begin)}%;width:${percent(Math.min(end - at, begin + length - at))}%"
          ></i>
        </div>
      </li>`,
  );

  const statusOf = (command: string | undefined): Content => {
    const seen = facts.checks.findLast((each) => each.command === command);
    if (command === undefined) return html`<span class="m">nothing shows it</span>`;
    if (seen === undefined) return html`<code>${command}</code> <span class="m">was not run</span>`;
    return html`<code>${command}</code>
      <span class="${seen.status === "passed" ? "g" : "r"}">${seen.status}</span> <small>${seen.at}</small>`;
  };
  const planned = plan.tasks
    .slice(0, MAX_ROWS)
    .map(({ number, text, done, agent, verify }) => [
      number,
      done ? html`<span class="g">✓ done</span>` : "○ open",
      text,
      agent ?? "",
      statusOf(verify),
    ]);

  const diffs = new Map(facts.diff.map((file) => [file.path, file]));
  const lastOf = new Map(tasks.flatMap((task) => task.files.map(({ path }) => [path, task] as const)));
  let room = MAX_DIFFS;
  const renderDiff = ({ path, hunks, added, removed }: DiffFile): Html => {
    const lines = hunks.flatMap((hunk) => [
      { sign: "", text: `@@ ${hunk.header}` },
      ...hunk.lines.map(({ kind, text }) => ({
        sign: kind === "added" ? "+" : kind === "removed" ? "-" : " ",
        text,
      })),
    ]);
    const shown = lines.slice(0, MAX_LINES).map(({ sign, text }) => {
      // As a whole first, for a secret that is cut is not known any more.
      const line = `${sign}${redact(text)}`;
      const short = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
      return html`<b class="${sign === "+" ? "g" : sign === "-" ? "r" : ""}">${short} </b>`;
    });
    const more = lines.length - shown.length;
    const markup = html`<details>
      <summary>${path} +${added} −${removed}</summary>
      <pre>${shown}${more > 0 ? `… and ${more} more lines` : ""}</pre>
    </details>`;
    room -= markup.markup.length;
    return room < 0
      ? html`<p>${path} +${added} −${removed} <small>too long for this page</small></p>`
      : markup;
  };
  const renderFile = (task: TaskEntry, { path, added, removed }: TaskEntry["files"][number]): Html => {
    const diff = diffs.get(path);
    return diff !== undefined && lastOf.get(path) === task
      ? renderDiff(diff)
      : html`<p>${path} +${added} −${removed}</p>`;
  };
  const work = tasks.slice(0, MAX_ROWS).map((task) => {
    const cost = sum(spent.filter(({ session }) => session === task.session));
    return html`<h3>${task.task === null ? "" : `${task.task}. `}${task.title}</h3>
      <p class="m">
        ${task.agent}, ${task.model ?? "model unknown"}, ${task.status},
        ${renderDuration(task.end - task.at)}; its session: ${cost.requests} requests,
        ${renderTokens(tokensOf(cost))} tokens, ${renderMoney(cost.cost)}
      </p>
      ${task.verdict === "" ? "" : html`<p>Verdict: ${task.verdict}</p>`}${task.files.map((file) => renderFile(task, file))}`;
  });
  const verdicts = tasks
    .filter(({ verdict }) => verdict !== "")
    .map(({ end, agent, verdict }) => [time(end), agent, verdict]);
  const done = plan.tasks.filter((task) => task.done).length;
  // In pieces, for a long text is cut.
  const log = facts.log.split(/\n(?=## )/).slice(-MAX_LOG);
  const title = plan.title || facts.unit;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p class="m">
            Work unit ${facts.unit}, ${plan.status ?? "without a status"}. ${done} of ${plan.tasks.length}
            tasks done, ${tasks.length} delegations, ${all.requests} requests, ${renderTokens(tokensOf(all))}
            tokens, ${renderMoney(all.cost)}. Times are UTC.
          </p>
          ${section("Plan", table(["#", "State", "Task", "Agent", "Evidence"], planned))}
          ${section(
            "Who worked when",
            timeline.length === 0
              ? ""
              : html`<ol class="t">
                  ${timeline}
                </ol>`,
          )}
          ${section(
            "Requests, tokens, money",
            [
              money(
                "Agent",
                by(({ agent }) => agent),
              ),
              money(
                "Wave",
                by(({ wave }) => wave),
              ),
              money(
                "Model",
                by(({ model }) => model),
              ),
            ].filter(Boolean),
          )}
          ${section("Work by task", work)} ${section("Verdicts", table(["Time", "By", "Verdict"], verdicts))}
          ${section(
            "Decisions",
            table(
              ["Date", "Question", "Choice", "Reason"],
              facts.decisions.map(({ date, question, choice, rationale }) => [
                date,
                question,
                choice,
                rationale,
              ]),
            ),
          )}
          ${section(
            "Checks as they ran",
            table(
              ["When", "Command", "Result", "Exit", "Took"],
              facts.checks.map(({ at, command, status, exit_code: code, duration_ms: took }) => [
                at,
                command,
                html`<span class="${status === "passed" ? "g" : "r"}">${status}</span>`,
                code,
                renderExactDuration(took),
              ]),
              3,
            ),
          )}
          ${section(
            "Log",
            log.map((part) => html`<pre>${part}</pre>`),
          )}
        </main>
      </body>
    </html> `;
  return page.markup;
}
