import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultConfig } from "../../src/config/defaults.ts";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { parseLearning } from "../../src/record/entries/entry.ts";
import { openKnowledge, type Knowledge, type KnowledgePlace } from "../../src/record/knowledge.ts";
import { createTrustStore } from "../../src/trust/store.ts";

/** Where a project's entries are, for the process in which agents work. The user's own data lie in `.home` of it. */
export function entriesPlace(directory: string): KnowledgePlace {
  const home = join(directory, ".home");
  return {
    ...defaultConfig().knowledge,
    timeoutMs: 20_000,
    directory,
    environment: { XDG_CONFIG_HOME: join(home, "config"), XDG_DATA_HOME: join(home, "data") },
    clock: systemClock,
    host: { worktree: directory, logger: silentLogger },
    redact: (text) => text,
    openStore: createTrustStore,
    isWatching: true,
  };
}

export function openEntries(directory: string, given: Partial<KnowledgePlace> = {}): Knowledge {
  return openKnowledge({ ...entriesPlace(directory), ...given });
}

/** Puts learnings into the record the way that a person does: proposed, and accepted. */
export async function acceptLearnings(
  knowledge: Pick<Knowledge, "propose" | "settle">,
  ...texts: readonly string[]
): Promise<void> {
  for (const each of texts) {
    const { kind, text: body } = parseLearning(each);
    const entry = await knowledge.propose({ kind, body, reason: "seen", by: "GAIA" });
    await knowledge.settle({ entry, status: "accepted", reason: "", by: "ann" });
  }
}

/** Files of accepted entries, by their paths, from lines such as `- **kind** text — unit, 2026-01-31`. */
export function learnt(markdown: string): Record<string, string> {
  const found = markdown.matchAll(/^- \*\*(\w+)\*\* (.+?) — (?:([\w-]+), )?([\d-]+)$/gm);
  return Object.fromEntries(
    [...found].map(([, kind = "", body = "", source = "", date = ""], at) => [
      `.gaia/knowledge/learnt-${at + 1}.md`,
      `---\nkind: ${kind}\nsource: "${source}"\nstatus: accepted\nat: "${date}"\n---\n\n${body}\n`,
    ]),
  );
}

/** Every entry's file, one after the other. */
export async function entryTexts(directory: string): Promise<string> {
  const folder = join(directory, ".gaia/knowledge");
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  const names = found.filter((name) => name.endsWith(".md"));
  const texts = names.toSorted().map(async (name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(texts)).join("\n");
}
