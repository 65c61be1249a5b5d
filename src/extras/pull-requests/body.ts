import { type JudgedClaim, renderTally } from "../../checks/evidence/claims.ts";
import { excerpt, head } from "../../lib/text.ts";
import { sectionText } from "../../plan/update.ts";
import { reconcile, debtOf } from "../../record/documents.ts";
import type { UnitRecord } from "../../report/gather.ts";
import type { Changes } from "../../snapshot/vcs.ts";
import { foreignLines, parseMarkdown, renderRow } from "../../lib/markdown.ts";

export interface BodyFacts {
  readonly record: UnitRecord;
  readonly claims: readonly JudgedClaim[];
  readonly changes: Changes;
  readonly commit: string;
  /** Fingerprint of the files that were looked at; null where it could not be taken. */
  readonly tree: string | null;
  readonly doubts: readonly string[];
}

/** What stands between these is the plugin's; everything else in a body is someone's own. */
const BEGIN = "<!-- gaia -->";
const END = "<!-- /gaia -->";

const MAX_SPEC = 6_000;
const MAX_TABLE = 16_000;
const MAX_LINES = 20;
/** GitHub takes no longer body. */
const MAX_BODY = 65_536;
const MIN_PART = 500;
const CUT = `\n\n(cut)\n${END}`;
const MAX_LINE = 240;

/** The body of a pull request, from facts: what was wanted, what came of it, and what shows it. Pure; secrets are not its affair. */
export function renderBody({ record, claims, changes, commit, tree, doubts }: BodyFacts): string {
  const { plan, planText, decisions, tasks, log, spec } = record;
  const what = spec.trim() === "" ? sectionText(planText, "Goal") : spec.replace(/^# .*\n/, "");
  const { markdown, open } = reconcile(plan.tasks, changes, "where this branch began");
  const rows = claims.map(({ id, text, standing, why, command }) => [
    excerpt(`${id}: ${text}`, MAX_LINE),
    standing,
    excerpt(why || `\`${(command ?? "").replaceAll("`", "'")}\``, MAX_LINE),
  ]);
  const table = [["What", "Standing", "By"], ["---", "---", "---"], ...rows].map(renderRow);
  const verdicts = new Map(tasks.map(({ agent, verdict }) => [verdict === "" ? "" : agent, verdict]));
  verdicts.delete("");
  const sections: readonly (readonly [title: string, text: string])[] = [
    ["What it is for", belowTitles(head(what, MAX_SPEC))],
    ["Planned and delivered", head(markdown, MAX_TABLE)],
    [
      "Evidence",
      [
        listed(doubts.map((doubt) => `Not proven: ${doubt}`)),
        `${renderTally(claims) || "Nothing proven"} on commit ${commit.slice(0, 12)}, files ${tree?.slice(0, 12) ?? "unknown"}.`,
        rows.length === 0 ? "" : head(table.join("\n"), MAX_TABLE),
      ]
        .filter(Boolean)
        .join("\n\n"),
    ],
    [
      "Decisions",
      listed(
        decisions.map(
          ({ question, choice, rationale }) => `${question} → ${choice}${rationale && `: ${rationale}`}`,
        ),
      ),
    ],
    ["Reviews", listed([...verdicts].map((each) => each.join(": ")))],
    [
      "Left open",
      listed([
        ...open.map(({ number, text }) => `task ${number}: ${text}`),
        ...debtOf(log).map((note) => `noted in review: ${note}`),
      ]),
    ],
  ];
  const shown = sections.filter(([, text]) => text !== "").map(([title, text]) => `## ${title}\n\n${text}`);
  return `${BEGIN}\n${harmless(shown.join("\n\n"))}\n${END}`;
}

/** A body with our part brought up to date, cut to what a forge takes, and everything that people wrote as it is. Pure. */
export function mergeBody(old: string, fresh: string): string {
  const begin = old.indexOf(BEGIN);
  const end = old.indexOf(END, begin);
  const isThere = begin !== -1 && end !== -1;
  const before = isThere ? old.slice(0, begin) : `${old.trimEnd()}\n\n`.trimStart();
  const after = isThere ? old.slice(end + END.length) : "";
  const room = MAX_BODY - before.length - after.length;
  const cut = room - CUT.length;
  // Where nothing fits beside what people wrote, theirs stays alone.
  const part = fresh.length <= room ? fresh : cut < MIN_PART ? "" : head(fresh, cut) + CUT;
  return part === "" ? old : before + part + after;
}

/** A document of somebody's as part of ours: its titles are deeper than ours, and its code stays as it is. */
function belowTitles(text: string): string {
  const lines = foreignLines(text);
  const { kinds } = parseMarkdown(lines.join("\n"));
  return lines.map((line, at) => (kinds[at] === "heading" ? line.replace(/^#+/, "####") : line)).join("\n");
}

function listed(lines: readonly string[]): string {
  const more = lines.length > MAX_LINES ? ["- …"] : [];
  return [...more, ...lines.slice(-MAX_LINES).map((line) => `- ${excerpt(line, MAX_LINE)}`)].join("\n");
}

/** Words by which GitHub ends an issue that is named behind them. */
const CLOSING =
  /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+(?:issues?:?\s+)?(?:[\w./-]*#\d|gh-\d|https?:))/gi;

/** What models wrote calls nobody by name, closes nothing, and ends no part of ours. */
function harmless(text: string): string {
  return text
    .replaceAll("<!--", "&lt;!--")
    .replaceAll(/(?<![\w`])@(?=\w)/g, "@\u200B")
    .replaceAll(CLOSING, "$1\u200B");
}
