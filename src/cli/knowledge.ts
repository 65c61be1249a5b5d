import {
  titleOf,
  type JudgedEntry,
  renderEntry,
  renderGovernance,
  type Knowledge,
  openKnowledge,
} from "../record/knowledge.ts";
import { systemClock } from "../lib/async.ts";
import { createError, silentLogger } from "../lib/error.ts";
import { personName } from "../lib/person.ts";
import { createRedactor } from "../lib/redaction.ts";
import { visible } from "../lib/text.ts";
import { createTrustStore } from "../trust/store.ts";
import { openVcs } from "../snapshot/vcs.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../record/store.ts";
import { defineCommand, misuse } from "./main.ts";
import { openProjectAround } from "./opencode-files.ts";

export async function openProjectKnowledge(from: string, environment: NodeJS.ProcessEnv) {
  const project = await openProjectAround(from, environment);
  const { directory, top } = project;
  const redact = createRedactor(environment);
  const { config } = project.opened.loaded;
  const knowledge: Knowledge = openKnowledge({
    directory,
    host: { worktree: top, logger: silentLogger },
    environment,
    clock: systemClock,
    redact,
    openStore: createTrustStore,
    ...config.knowledge,
    // Nobody's turn waits for it, and nothing found must mean that there is nothing.
    timeoutMs: 10_000,
  });
  /** Whether git takes no notice of entries, so that nobody commits them. */
  const isIgnored = async (): Promise<boolean> =>
    openVcs(top, directory).isIgnored(`${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/any.md`);
  return { ...project, config, redact, knowledge, isIgnored };
}

const IGNORED =
  "git ignores .gaia/knowledge here, so that no commit ever says that an entry is accepted: say so yourself, by opencode-gaia knowledge accept or /gaia-init.";

export const knowledge = defineCommand({
  name: "knowledge",
  summary: "list what the team knows; accept or reject what is proposed",
  options: { reason: { type: "string" } },
  words: Infinity,
  async run({ reason = "" }, { print, confirm, from, environment }, [action = "list", ...ids]) {
    const { knowledge: opened, config, isIgnored } = await openProjectKnowledge(from, environment);
    if (!config.knowledge.enabled) {
      print("Knowledge is switched off here (knowledge.enabled).");
      return 1;
    }
    const entries = await opened.all();
    if (action === "list" && ids.length === 0) {
      print(renderList(entries));
      for (const each of await opened.unread()) print(`Not read: ${visible(each)}.`);
      if (entries.some(({ standing }) => standing === "unconfirmed") && (await isIgnored())) print(IGNORED);
    } else if (action === "show") for (const entry of choose(entries, ids)) print(renderEntry(entry));
    else if (action === "accept" || action === "reject")
      for (const entry of choose(entries, ids)) {
        print(renderEntry(entry));
        const isAccepted = action === "accept";
        const isSure = await confirm(`\n${isAccepted ? "Is that so" : "Reject that"}? Type yes: `);
        if (!isSure) {
          print("Nothing was decided.");
          continue;
        }
        const status = isAccepted ? "accepted" : "rejected";
        const { path } = await opened.settle({ entry, status, reason, by: personName() });
        print(`${entry.id} is ${status}: ${path}`);
      }
    else throw misuse("knowledge", `There is no "${action}".`);
    return 0;
  },
});

function choose(entries: readonly JudgedEntry[], ids: readonly string[]): readonly JudgedEntry[] {
  if (ids.length === 0) throw createError("knowledge", "Say which: one or more ids.");
  return ids.map((id) => {
    const [only, more] = entries.filter((entry) => entry.id === id || entry.slug === id);
    if (only !== undefined && more === undefined) return only;
    const hint =
      more === undefined ? "See: opencode-gaia knowledge" : `Use a file's name: ${only?.slug}, ${more.slug}`;
    throw createError("knowledge", `"${id}" names ${more === undefined ? "no entry" : "several"}.`, { hint });
  });
}

function renderList(entries: readonly JudgedEntry[]): string {
  if (entries.length === 0) return "Nothing is known here yet.";
  const lines = entries.map((entry) => {
    const { id, slug, kind, standing } = entry;
    const name = slug === id ? id : `${id} (${slug})`;
    return `  ${standing.padEnd(11)}  ${name}, ${kind}: ${visible(titleOf(entry))}`;
  });
  return [...lines, "", renderGovernance(entries)].join("\n");
}
