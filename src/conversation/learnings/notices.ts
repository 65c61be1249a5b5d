import { entryKey as keyOfText, type JudgedEntry } from "../../record/knowledge.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, textOf } from "../../lib/json.ts";
import type { UnreadDocument } from "../../record/workspace.ts";

/** All that two folders hold: what is forgotten would be told again. */
const MAX_SEEN = 10_000;
const MOST = 3;
const MAX_TEXT = 160;
/** Of a proposal that one key accepts: all of it stands in one line. */
const MAX_SHOWN = 300;
const MAX_LINE = 360;

/** By entry or document, how it was when it was told, or when it was seen first. */
export type Seen = Readonly<Record<string, string>>;

type Entry = Pick<JudgedEntry, "slug" | "id" | "kind" | "body" | "status" | "standing" | "by" | "reason">;

interface Notice {
  readonly key: string;
  readonly state: string;
  readonly line: string;
}

export interface NoticeFacts {
  readonly entries: readonly Entry[];
  /** What looks like an entry of knowledge and is none, each with the reason. */
  readonly unread: readonly string[];
  readonly misread: readonly UnreadDocument[];
  /** The user's name: their own verdicts are no news to them. */
  readonly me: string;
  readonly tellsVerdicts: boolean;
}

/** What was kept of earlier looks; null before the first. */
export function readSeen(saved: unknown): Seen | null {
  if (!isRecord(saved)) return null;
  const known = Object.entries(saved).map(([key, state]) => [key, textOf(state) ?? ""] as const);
  return Object.fromEntries(known);
}

/** Decides what is told now; each thing is told once, and again where it has changed. Pure. */
export function decideNotices(seen: Seen | null, facts: NoticeFacts) {
  const { entries, unread, misread, me, tellsVerdicts } = facts;
  const now = new Map(Object.entries(seen ?? {}));
  const isFresh = ({ key, state }: Notice): boolean => now.get(key) !== state;
  const open = entries.filter(({ standing }) => standing === "proposed" || standing === "unconfirmed");
  const short = open.filter(isShownWhole).map((entry) => ({
    key: noticeName(entry),
    // Another text of the same entry is another thing to say yes to.
    state: `proposed ${keyOfText(entry.body)}`,
    line: `Noticed: ${entry.kind}: ${entry.body} · ctrl+x k keeps it`,
  }));
  const documents = [
    ...misread.map(({ where, error, hint, count }) => ({
      // By no number: lines move.
      key: `${where.replace(/:\d+$/, "")}: ${error}`,
      state: `${count}`,
      line: `Not read: ${where}: ${error} ${hint}${count === 1 ? "" : ` · ${count} such lines`}`,
    })),
    ...unread.map((each) => ({ key: each, state: "", line: `Not read as knowledge: ${each}` })),
  ];
  const verdicts = entries
    .filter((entry) => !isShownWhole(entry))
    .map((entry) => ({
      key: noticeName(entry),
      state: entry.status,
      line: entry.by !== "" && entry.by === me ? "" : renderVerdict(entry),
    }))
    .filter(isFresh);
  const told = [...short, ...documents].filter(isFresh).slice(0, MOST);
  for (const { key, state } of [...told, ...verdicts]) now.set(key, state);
  // What was there before the first look is no news.
  const news = seen === null || !tellsVerdicts ? [] : verdicts.flatMap(({ line }) => line || []);
  return {
    lines: [...firstOf(news), ...told.map(({ line }) => excerpt(line, MAX_LINE))],
    seen: Object.fromEntries([...now].slice(-MAX_SEEN)) as Seen,
    /** Proposed entries that the user has been shown whole, now or before, by file. */
    shown: short.filter((each) => !isFresh(each)).map(({ key }) => key),
    /** One line for the panel on what waits; empty for nothing. */
    waits: renderWaiting(open.length, open.length - short.length),
  };
}

function renderWaiting(sum: number, long: number): string {
  if (sum === 0) return "";
  return `${sum} ${sum === 1 ? "proposal waits" : "proposals wait"}: ${long === 0 ? "ctrl+x k" : "/gaia-init"}`;
}

/** A yes by a key is to what one line has shown: proposals of the project's, in one short line. */
function isShownWhole({ standing, body }: Entry): boolean {
  return standing === "proposed" && body.length <= MAX_SHOWN && !body.includes("\n");
}

/** A pull may bring hundreds: nobody reads them in a toast. */
function firstOf(verdicts: readonly string[]): string[] {
  const more = verdicts.length - MOST;
  const rest = `Knowledge: ${more} more changed · opencode-gaia knowledge lists all`;
  return [...verdicts.slice(0, MOST), ...(more > 0 ? [rest] : [])];
}

function renderVerdict({ id, slug, status, standing, by, reason }: Entry): string {
  const who = by === "" ? "" : ` by ${excerpt(by, 40)}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const next = {
    accepted: "models are told it from now on",
    unconfirmed:
      "/gaia-init has you confirm it; what you wrote yourself counts once you commit it, from OpenCode's next start at the latest",
    rejected: `propose it anew with that in mind, or delete .gaia/knowledge/${slug}.md`,
    replaced: "another one holds in its place",
    proposed: "/gaia-init asks you about it",
  }[standing];
  return `Knowledge ${status}${who}: ${id}${excerpt(why, MAX_TEXT)} · ${next}`;
}

export function noticeName({ slug }: Pick<JudgedEntry, "slug">): string {
  return `project/${slug}`;
}
