import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTrustStore } from "../../src/trust/store.ts";
import { defaultConfig } from "../../src/config/defaults.ts";
import { hashOf } from "../../src/record/entries/entry.ts";
import { openKnowledge } from "../../src/record/entries/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { ownDataFolder } from "../../src/lib/user-folders.ts";
import { createKnownQuery } from "../../src/record/recall/known-query.ts";
import { ALL_KINDS } from "../../src/record/recall/entry.ts";
import { documentsOf } from "../../src/record/recall/known.ts";
import { createRecall } from "../../src/record/recall/recall.ts";
import { createWorkspace } from "../../src/record/workspace.ts";

/**
 * `npx tsx test/bench/knowledge.bench.ts`: how long a question takes over what is known and over the whole record, with
 * entries that a person accepted and learnings beside them; every question is another one, so that no answer is a kept one.
 */
const ENTRIES = 1_000;
const LEARNINGS = 10_000;
const ROUNDS = 60;
const SUBJECTS = "auth upload session billing search export import webhook email cache queue report".split(
  " ",
);
const THINGS = "route table lock retry limit token header schema index migration timeout batch".split(" ");
const ACTS = "keep split move cache drop rename validate stream sort archive encode sign".split(" ");
const pick = (words: readonly string[], at: number): string => words[at % words.length] ?? "";

function sentence(at: number): string {
  const name = `${pick(SUBJECTS, at)}${Math.floor(at / 40)}`;
  return `${pick(ACTS, at * 7)} the ${pick(THINGS, at * 3)} of ${name} before the ${pick(THINGS, at * 11)} ${at % 97}`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function median(work: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) times.push(await timed(async () => work(at)));
  return times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0;
}

const root = await mkdtemp(join(tmpdir(), "knowledge-bench-"));
try {
  const directory = join(root, "project");
  const environment = { XDG_CONFIG_HOME: join(root, "config"), XDG_DATA_HOME: join(root, "data") };
  for (const name of ["knowledge", "notes"]) await mkdir(join(directory, ".gaia", name), { recursive: true });
  const lines = Array.from({ length: LEARNINGS }, (_, at) => `- **pattern** ${sentence(at)} — 2026-01-02`);
  await writeFile(join(directory, ".gaia/notes/log.md"), `# Learnings\n\n${lines.join("\n")}\n`);
  const hashes: string[] = [];
  for (let at = 0; at < ENTRIES; at += 1) {
    const text = `---\nstatus: accepted\ntype: pattern\n---\n${sentence(at * 3)}\n\n${sentence(at * 5)}\n`;
    await writeFile(join(directory, `.gaia/knowledge/e${at}.md`), text);
    hashes.push(hashOf("project", `e${at}`, text));
  }
  await createTrustStore(ownDataFolder(environment), directory, silentLogger, "knowledge.json").grant(hashes);
  const host = { worktree: directory, logger: silentLogger };
  const redact = (text: string): string => text;
  const knowledge = openKnowledge({
    openStore: createTrustStore,
    ...defaultConfig().knowledge,
    directory,
    environment,
    clock: systemClock,
    host,
    redact,
  });
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  const recall = createRecall(workspace, silentLogger, async () => documentsOf(await knowledge.accepted()));
  const ask = createKnownQuery(recall, knowledge, systemClock, 200);
  const word = (at: number): string => `${pick(THINGS, at)} of ${pick(SUBJECTS, at * 5)}${at}`;
  const round = (value: number): number => Math.round(value * 10) / 10;
  const first = await timed(async () => knowledge.all());
  await recall.search("retry", { kinds: ALL_KINDS, prefix: true });
  console.table({
    "read all entries the first time": round(first),
    "what counts now (median)": round(await median(async () => knowledge.accepted())),
    "ask what is known (median)": round(await median(async (at) => ask({ query: word(at) }))),
    "the same again (median)": round(await median(async () => ask({ query: word(1) }))),
    "search all of the record (median)": round(
      await median(async (at) => recall.search(word(at), { kinds: ALL_KINDS, prefix: true })),
    ),
    found: (await ask({ query: word(3) })).answers.length,
  });
} finally {
  await rm(root, { recursive: true, force: true });
}
