import { entryKey as keyOfText, type JudgedEntry } from "../../record/knowledge.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, listOf, recordOf, textOf } from "../../lib/json.ts";
import type { UnreadDocument } from "../../record/workspace.ts";

const MAX_TOLD = 500;
/** All that two folders hold: what is forgotten would be told again. */
const MAX_KNOWN = 10_000;
const MOST = 3;
const MAX_TEXT = 160;
/** Of a proposal that one key accepts: all of it stands in one line. */
const MAX_SHOWN = 300;
const MAX_LINE = 360;

export interface KnownRecord {
  readonly told: readonly string[];
  /** The status that each entry's file had; null before the first look. */
  readonly known: Readonly<Record<string, string>> | null;
}

export interface NoticeFacts {
  readonly entries: readonly Pick<
    JudgedEntry,
    "slug" | "scope" | "id" | "kind" | "body" | "status" | "standing" | "by" | "reason"
  >[];
  /** What looks like an entry of knowledge and is none, each with the reason. */
  readonly unread: readonly string[];
  readonly misread: readonly UnreadDocument[];
  /** The user's name: their own verdicts are no news to them. */
  readonly me: string;
}

interface Notices {
  readonly lines: readonly string[];
  readonly seen: KnownRecord;
  /** Proposed entries that the user has been shown whole, now or before, by scope and file. */
  readonly shown: readonly string[];
  /** One line for the panel on what waits; empty for nothing. */
  readonly waits: string;
}

export function readSeen(saved: unknown): KnownRecord {
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
export function decideNotices(seen: KnownRecord, { entries, unread, misread, me }: NoticeFacts): Notices {
  const told = new Set(seen.told);
  const open = entries.filter(({ standing }) => standing === "proposed" || standing === "unconfirmed");
  const short = open.filter(isShownWhole);
  const fresh = [
    ...short.map((entry) => ({ key: keyOf(entry), line: `Noticed: ${entry.kind}: ${entry.body}${KEEPS}` })),
    ...misread.map(({ where, error, hint, count }) => ({
      // By no number: lines move.
      key: `misread:${where.replace(/:\d+$/, "")}:${error}:${count}`,
      line: `Not read: ${where}: ${error} ${hint}${count === 1 ? "" : ` · ${count} such lines`}`,
    })),
    ...unread.map((each) => ({ key: `unread:${each}`, line: `Not read as knowledge: ${each}` })),
  ].filter(({ key }) => !told.has(key));
  const now = fresh.slice(0, MOST);
  const verdicts = entries.flatMap((entry) => verdictOn(entry, seen.known, me));
  const known = entries.map((entry) => [noticeName(entry), entry.status] as const).slice(-MAX_KNOWN);
  const all = [...seen.told, ...now.map(({ key }) => key)].slice(-MAX_TOLD);
  const kept = new Set(all);
  return {
    lines: [...firstOf(verdicts), ...now.map(({ line }) => excerpt(line, MAX_LINE))],
    seen: { told: all, known: Object.fromEntries(known) },
    shown: short.filter((entry) => kept.has(keyOf(entry))).map(noticeName),
    waits: renderWaiting(open.length, open.length - short.length),
  };
}

const KEEPS = " · ctrl+x k keeps it";

function renderWaiting(sum: number, long: number): string {
  if (sum === 0) return "";
  return `${sum} ${sum === 1 ? "proposal waits" : "proposals wait"}: ${long === 0 ? "ctrl+x k" : "/gaia-init"}`;
}

/** A yes by a key is to what one line has shown: proposals of the project's, in one short line. */
function isShownWhole({ scope, standing, body }: NoticeFacts["entries"][number]): boolean {
  return scope === "project" && standing === "proposed" && body.length <= MAX_SHOWN && !body.includes("\n");
}

/** Another text of the same entry is another thing to say yes to. */
function keyOf({ slug, body }: Pick<JudgedEntry, "slug" | "body">): string {
  return `learning:${slug}:${keyOfText(body)}`;
}

/** A pull may bring hundreds: nobody reads them in a toast. */
function firstOf(verdicts: readonly string[]): string[] {
  const more = verdicts.length - MOST;
  const rest = `Knowledge: ${more} more changed · opencode-gaia knowledge lists all`;
  return [...verdicts.slice(0, MOST), ...(more > 0 ? [rest] : [])];
}

function verdictOn(entry: NoticeFacts["entries"][number], known: KnownRecord["known"], me: string): string[] {
  const { id, slug, scope, status, standing, by, reason } = entry;
  if (known === null || known[noticeName(entry)] === status || scope === "user" || (by !== "" && by === me))
    return [];
  if (isShownWhole(entry)) return [];
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
  return [`Knowledge ${status}${who}: ${id}${excerpt(why, MAX_TEXT)} · ${next}`];
}

export function noticeName({ scope, slug }: Pick<JudgedEntry, "scope" | "slug">): string {
  return `${scope}/${slug}`;
}
