import type { JudgedEntry } from "./entries/judge.ts";
import { excerpt } from "../lib/excerpt.ts";
import { isRecord, listOf, recordOf, textOf } from "../lib/json.ts";
import type { Proposal } from "./documents/proposals.ts";
import type { UnreadDocument } from "./operations/records.ts";

/** What is remembered of what was told; the oldest is forgotten. */
const MAX_TOLD = 500;
/** All that two folders hold: what is forgotten would be told again. */
const MAX_KNOWN = 10_000;
/** Told at once; the rest comes with the next look. */
const MOST = 3;
const MAX_TEXT = 160;

/** What the user was told before, and how knowledge stood then. */
export interface Seen {
  readonly told: readonly string[];
  /** The status that each entry's file had; null before the first look. */
  readonly known: Readonly<Record<string, string>> | null;
}

/** What there is now. */
export interface NoticeFacts {
  readonly proposals: readonly Proposal[];
  readonly entries: readonly Pick<
    JudgedEntry,
    "slug" | "scope" | "id" | "status" | "standing" | "by" | "reason"
  >[];
  /** What looks like an entry of knowledge and is none, each with the reason. */
  readonly unread: readonly string[];
  /** What of the record is not read as people wrote it. */
  readonly misread: readonly UnreadDocument[];
  /** The user's name: their own verdicts are no news to them. */
  readonly me: string;
}

/** What the user is told: what it is, and what they can do about it. */
interface Notices {
  readonly lines: readonly string[];
  readonly seen: Seen;
  /** Ids of proposed learnings that the user has been shown, now or before. */
  readonly shown: readonly string[];
  /** One line for the panel on what waits; empty for nothing. */
  readonly waits: string;
}

/** Reads what an earlier process remembered; never fails. */
export function readSeen(saved: unknown): Seen {
  const { told, known } = recordOf(saved);
  const texts = Object.entries(isRecord(known) ? known : {}).flatMap(([name, status]) => {
    const text = textOf(status);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    told: listOf(told).flatMap((each) => textOf(each) ?? []),
    known: isRecord(known) ? Object.fromEntries(texts) : null,
  };
}

/** Decides what is told now; each thing is told once. Pure. */
export function decideNotices(seen: Seen, { proposals, entries, unread, misread, me }: NoticeFacts): Notices {
  const told = new Set(seen.told);
  const fresh = [
    ...proposals.map(({ id, kind, text }) => ({
      key: `learning:${id}`,
      line: `Noticed: ${kind}: ${text}${KEEPS}`,
    })),
    ...misread.map(({ where, error, hint, count }) => ({
      // By no number: lines move.
      key: `misread:${where.replace(/:\d+$/, "")}:${error}:${count}`,
      line: `Not read: ${where}: ${error} ${hint}${count === 1 ? "" : ` · ${count} such lines`}`,
    })),
    ...unread.map((each) => ({ key: `unread:${each}`, line: `Not read as knowledge: ${each}` })),
  ].filter(({ key }) => !told.has(key));
  const now = fresh.slice(0, MOST);
  const verdicts = entries.flatMap((entry) => verdictOn(entry, seen.known, me));
  const known = entries.map((entry) => [nameOf(entry), entry.status] as const).slice(-MAX_KNOWN);
  const all = [...seen.told, ...now.map(({ key }) => key)].slice(-MAX_TOLD);
  const kept = new Set(all);
  const open = entries.filter(({ standing }) => standing === "proposed" || standing === "unconfirmed").length;
  return {
    lines: [...firstOf(verdicts), ...now.map(({ line }) => excerpt(line, MAX_TEXT + KEEPS.length))],
    seen: { told: all, known: Object.fromEntries(known) },
    shown: proposals.map(({ id }) => id).filter((id) => kept.has(`learning:${id}`)),
    waits: renderWaiting(proposals.length, open),
  };
}

const KEEPS = " · ctrl+x k keeps it";

function renderWaiting(learnings: number, others: number): string {
  if (learnings + others === 0) return "";
  const sum = learnings + others;
  return `${sum} ${sum === 1 ? "proposal waits" : "proposals wait"}: ${others === 0 ? "ctrl+x k" : "/gaia-init"}`;
}

/** A pull may bring hundreds: nobody reads them in a toast. */
function firstOf(verdicts: readonly string[]): string[] {
  const more = verdicts.length - MOST;
  const rest = `Knowledge: ${more} more changed · opencode-gaia knowledge lists all`;
  return [...verdicts.slice(0, MOST), ...(more > 0 ? [rest] : [])];
}

/** What someone decided on an entry, or proposed, since it was looked at last. */
function verdictOn(entry: NoticeFacts["entries"][number], known: Seen["known"], me: string): string[] {
  const { id, slug, scope, status, standing, by, reason } = entry;
  if (known === null || known[nameOf(entry)] === status || scope === "user" || (by !== "" && by === me))
    return [];
  const who = by === "" ? "" : ` by ${excerpt(by, 40)}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const next = {
    accepted: "models are told it from now on",
    unconfirmed:
      "/gaia-init has you confirm it; what you wrote yourself counts once you commit it, from OpenCode's next start at the latest",
    rejected: `propose it anew with that in mind, or delete .gaia/knowledge/${slug}.md`,
    superseded: "another one holds in its place",
    proposed: "/gaia-init asks you about it",
  }[standing];
  return [`Knowledge ${status}${who}: ${id}${excerpt(why, MAX_TEXT)} · ${next}`];
}

function nameOf({ scope, slug }: Pick<JudgedEntry, "scope" | "slug">): string {
  return `${scope}/${slug}`;
}
