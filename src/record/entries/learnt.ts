import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../vcs/git-command.ts";
import { describeError } from "../../lib/error.ts";
import { idOfLearning, type Learning, parseLearning } from "../documents/learning.ts";
import { GAIA_FOLDER } from "../gaia-path.ts";
import { type Committed, LEARNINGS as FILE } from "./committed.ts";
import { blobNames } from "./entry.ts";
import type { KnowledgePlace } from "./open.ts";
import { BY_AGENT, type Said } from "./said.ts";
import { readTextSync } from "../../lib/read-source.ts";

const MAX_BYTES = 4_000_000;
/** In the user's own data, in front of the id of a line that an agent may have written. */
const LEFT = "learnt:";
/** The same of one that came while a call ran, or with an agent's commit: no commit of a person's on top makes it theirs. */
const FIRM = "learnt by agent:";
/** The same of one that a person has kept, in whatever process. */
const KEPT = "kept:";
/** Lines that are kept in mind; of more that come at once, the rest is as unknown as those, in this process. */
const MAX_KEPT = 500;

/** A line of `learnings.md` that counts for nothing until a person says so. */
export interface LeftLine extends Pick<Learning, "kind" | "text"> {
  readonly id: string;
  /** As it stands in the file. */
  readonly line: string;
}

/**
 * Which lines of `learnings.md` agents may have written behind the host's back: those that came while a call of theirs ran, or
 * after one that nothing contained, which may have left something at work. What a person wrote at such a moment is taken for
 * that as well, until they keep it; between calls, or with what was pulled, until it is committed.
 */
export type Learnt = ReturnType<typeof createLearnt>;

export function createLearnt(
  place: KnowledgePlace,
  committed: Pick<Committed, "now" | "head">,
  said: () => Said,
) {
  const { directory, clock } = place;
  const { logger } = place.host;
  const store = () => said().stores.project;
  const path = join(directory, GAIA_FOLDER, FILE);
  /** Lines that were there before any agent could have written them. */
  let known: ReadonlySet<string> | null = null;
  /** Lines that nobody answers for, by their ids. */
  let suspects = new Map<string, LeftLine>();
  let signature = "";
  let lines: readonly string[] = [];
  let running = 0;
  let isDoubted = false;
  let released: string | null = null;
  let saving: Promise<unknown> = Promise.resolve();

  const look = (): void => {
    try {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      const now = found?.isFile() === true ? `${found.ino}-${found.size}-${found.mtimeNs}` : "none";
      if (now === signature && known !== null) return;
      signature = now;
      lines = now === "none" || Number(found?.size) > MAX_BYTES ? [] : linesOf(readTextSync(path, MAX_BYTES));
    } catch (error) {
      // Who cannot read it now is told nothing of it either.
      logger.log("debug", "knowledge", describeError(error));
      [signature, lines] = ["", []];
    }
    const before = known;
    if (before === null || (running === 0 && !isDoubted)) known = new Set([...(before ?? []), ...lines]);
    else remember(lines.filter((line) => !before.has(line)).map(leftLine));
  };
  const remember = (found: readonly LeftLine[]): void => {
    const fresh = found.filter(({ id }) => !suspects.has(id));
    if (fresh.length === 0) return;
    for (const left of fresh) suspects.set(left.id, left);
    released = null;
    const ids = fresh.slice(0, MAX_KEPT).map(({ id }) => `${LEFT}${id}`);
    saving = saving
      .then(async () => store().grant(ids))
      .catch((error: unknown) => {
        logger.log("error", "knowledge", describeError(error));
      });
  };
  const trust = async (ids: readonly string[]): Promise<void> => {
    known = new Set([...(known ?? []), ...lines.filter((line) => ids.includes(leftLine(line).id))]);
    suspects = new Map([...suspects].filter(([id]) => !ids.includes(id)));
    await saving;
    await store().revoke(ids.flatMap((id) => [`${LEFT}${id}`, `${FIRM}${id}`]));
  };
  const linesAt = async (
    commit: string | null,
  ): Promise<{ ids: ReadonlySet<string>; names: string[] } | null> => {
    if (commit === null) return null;
    const args = ["cat-file", "blob", `${commit}:./${GAIA_FOLDER}/${FILE}`];
    const { ok, text } = await runGit({ directory, clock }, args, MAX_BYTES);
    if (!ok) return null;
    const ids = new Set(linesOf(text).map((line) => leftLine(line).id));
    return { ids, names: [...blobNames(text, 40), ...blobNames(text, 64)] };
  };
  /** What came since, and with no commit, is the call's, whoever commits it. */
  const firm = async (before: ReadonlySet<string>): Promise<void> => {
    const fresh = [...suspects.keys()].filter((id) => !before.has(id)).slice(0, MAX_KEPT);
    if (fresh.length === 0) return;
    try {
      const held = (await linesAt(committed.head()))?.ids ?? new Set();
      await saving;
      await store().grant(fresh.filter((id) => !held.has(id)).map((id) => `${FIRM}${id}`));
    } catch (error) {
      logger.log("error", "knowledge", describeError(error));
    }
  };
  /** What a person has committed needs no other yes. */
  const release = async (hashes: ReadonlySet<string>, ids: readonly string[]): Promise<readonly string[]> => {
    const commit = committed.now();
    if (commit === null || commit === released) return [];
    released = commit;
    const there = await linesAt(commit);
    if (there === null || there.names.some((name) => hashes.has(`${BY_AGENT}${name}`))) return [];
    return ids.filter((id) => there.ids.has(id) && !hashes.has(`${FIRM}${id}`));
  };

  return {
    /** A call of an agent's runs until the result is called, with whether it came to run; that never rejects. */
    begins(): (ran: boolean) => Promise<void> {
      look();
      const before = new Set(suspects.keys());
      running += 1;
      let isOver = false;
      return async (ran) => {
        if (isOver) return;
        isOver = true;
        look();
        running -= 1;
        if (ran) await firm(before);
      };
    },
    /** From here on something that agents had run may be at work by itself. */
    doubt(): void {
      look();
      isDoubted = true;
    },
    /** An agent has committed: what came of its lines by now waits for a yes and for no commit. */
    async recorded(): Promise<void> {
      look();
      if (suspects.size === 0) return;
      await saving;
      await store().grant([...suspects.keys()].slice(0, MAX_KEPT).map((id) => `${FIRM}${id}`));
    },
    /** Those lines, as the file is now. Never rejects. */
    async left(): Promise<readonly LeftLine[]> {
      try {
        look();
        if (suspects.size === 0 && !existsSync(said().path)) return [];
        await saving;
        const { hashes } = await store().read();
        const left = [...hashes].flatMap((hash) => (hash.startsWith(LEFT) ? [hash.slice(LEFT.length)] : []));
        const ids = new Set([...suspects.keys(), ...left].filter((id) => !hashes.has(`${KEPT}${id}`)));
        if (ids.size === 0) return [];
        const free = await release(hashes, [...ids]);
        if (free.length > 0) await trust(free);
        for (const id of free) ids.delete(id);
        return lines.map(leftLine).filter(({ id }) => ids.has(id));
      } catch (error) {
        logger.log("error", "knowledge", describeError(error));
        return [...suspects.values()];
      }
    },
    /** A person said yes to these. */
    async keep(texts: readonly string[]): Promise<void> {
      look();
      const ids = texts.map(idOfLearning);
      await trust(ids);
      // Another process may take them for lines that came while a call of its own ran.
      await store().grant(ids.map((id) => `${KEPT}${id}`));
    },
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => /^\s*[-*+]\s/.test(line));
}

function leftLine(line: string): LeftLine {
  const { kind, text } = parseLearning(line);
  return { id: idOfLearning(text), kind, text, line };
}
