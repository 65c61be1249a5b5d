import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../vcs/git-command.ts";
import { describeError } from "../lib/error.ts";
import { lazy } from "../lib/lazy.ts";
import { idOfLearning, type Learning, parseLearning } from "../workspace/documents/learning.ts";
import { GAIA_FOLDER } from "../workspace/gaia-path.ts";
import { type Committed, LEARNINGS as FILE } from "./committed.ts";
import { blobNames } from "./entry.ts";
import type { KnowledgePlace } from "./open.ts";
import { BY_AGENT, openSaid } from "./said.ts";

const MAX_BYTES = 4_000_000;
/** In the user's own data, in front of the id of a line that an agent may have written. */
const LEFT = "learnt:";
/** The same of one that an agent has committed, which no commit of a person's on top of it makes theirs. */
const FIRM = "learnt by agent:";
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
 * after one that nothing contained, which may have left something at work. What a person wrote or pulled at such a moment is
 * taken for that as well, until they keep it or have committed it.
 */
export interface Learnt {
  /** A call of an agent's runs until the result is called. */
  begins(): () => void;
  /** From here on something that agents had run may be at work by itself. */
  doubt(): void;
  /** An agent has committed: what came of its lines by now waits for a yes and for no commit. */
  recorded(): Promise<void>;
  /** Those lines, as the file is now. Never rejects. */
  left(): Promise<readonly LeftLine[]>;
  /** A person said yes to these. */
  keep(texts: readonly string[]): Promise<void>;
}

export function createLearnt(place: KnowledgePlace, committed: Pick<Committed, "now">): Learnt {
  const { directory, clock } = place;
  const { logger } = place.host;
  const said = lazy(() => openSaid(place));
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
      lines = now === "none" || Number(found?.size) > MAX_BYTES ? [] : linesOf(readFileSync(path, "utf8"));
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
      .then(async () => said().store.grant(ids))
      .catch((error: unknown) => {
        logger.log("error", "knowledge", describeError(error));
      });
  };
  const trust = async (ids: readonly string[]): Promise<void> => {
    known = new Set([...(known ?? []), ...lines.filter((line) => ids.includes(leftLine(line).id))]);
    suspects = new Map([...suspects].filter(([id]) => !ids.includes(id)));
    await saving;
    await said().store.revoke(ids.flatMap((id) => [`${LEFT}${id}`, `${FIRM}${id}`]));
  };
  /** What a person has committed needs no other yes. */
  const release = async (hashes: ReadonlySet<string>, ids: readonly string[]): Promise<readonly string[]> => {
    const commit = committed.now();
    if (commit === null || commit === released) return [];
    released = commit;
    const args = ["cat-file", "blob", `${commit}:./${GAIA_FOLDER}/${FILE}`];
    const { ok, text } = await runGit({ directory, clock }, args, MAX_BYTES);
    const names = ok ? [...blobNames(text, 40), ...blobNames(text, 64)] : [];
    if (!ok || names.some((name) => hashes.has(`${BY_AGENT}${name}`))) return [];
    const sure = new Set(linesOf(text).map((line) => leftLine(line).id));
    return ids.filter((id) => sure.has(id) && !hashes.has(`${FIRM}${id}`));
  };

  return {
    begins() {
      look();
      running += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        look();
        running -= 1;
      };
    },
    doubt() {
      look();
      isDoubted = true;
    },
    async recorded() {
      look();
      if (suspects.size === 0) return;
      await saving;
      await said().store.grant([...suspects.keys()].slice(0, MAX_KEPT).map((id) => `${FIRM}${id}`));
    },
    async left() {
      try {
        look();
        if (suspects.size === 0 && !existsSync(said().path)) return [];
        await saving;
        const { hashes } = await said().store.read();
        const kept = [...hashes].flatMap((hash) => (hash.startsWith(LEFT) ? [hash.slice(LEFT.length)] : []));
        const ids = new Set([...suspects.keys(), ...kept]);
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
    async keep(texts) {
      look();
      const ids = texts.map(idOfLearning);
      if (suspects.size > 0 || existsSync(said().path)) await trust(ids);
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
