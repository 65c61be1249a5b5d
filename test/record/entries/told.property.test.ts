import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { hashOf } from "../../../src/record/entries/entry.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { ownDataFolder } from "../../../src/lib/folders.ts";
import { createTrustStore } from "../../../src/trust/store.ts";
import { commitAll, git, writeIn } from "../../support/directory.ts";
import { learnt } from "../../support/entries.ts";
import { loadInFakeOpenCode } from "../../support/fake-opencode.ts";

/** Who made a file what it is, and what it says of itself. */
interface Written {
  readonly status: "proposed" | "accepted" | "rejected" | "replaced";
  readonly how: "said yes" | "committed before" | "left uncommitted";
  readonly name: string;
}

const SESSION = "ses_1";
const WORDS = ["retry", "gateway", "timeouts", "zebra", "codecs", "quota"] as const;
const written = fc.record<Written>({
  status: fc.constantFrom("proposed", "accepted", "rejected", "replaced"),
  how: fc.constantFrom("said yes", "committed before", "left uncommitted"),
  name: fc.constantFrom(...WORDS),
});
const counts = ({ status, how }: Written): boolean => status === "accepted" && how !== "left uncommitted";
const mark = (at: number): string => `canary${at}x`;
const textOf = ({ status, name }: Written, at: number): string =>
  `---\nstatus: ${status}\n---\nThe ${name} protocol needs ${mark(at)}.\n`;

const LEARNT = WORDS.map((word) => `- **pattern** the ${word} protocol is learnt ${word}x — 2026-01-02`);
/** Learnings that nobody has accepted, one for each word, and one that stands in the record. */
const FILES = {
  ...learnt(LEARNT.join("\n")),
  ...Object.fromEntries(
    WORDS.map((word, at) => [
      `.gaia/knowledge/p${at}.md`,
      `---\nkind: correction\nstatus: proposed\n---\nThe ${word} protocol needs proposed${at}x.\n`,
    ]),
  ),
};

/** A conversation over a project with these entries. @returns everything of it that a model reads */
async function converse(entries: readonly Written[], words: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "gaia-known-"));
  try {
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
    vi.stubEnv("XDG_DATA_HOME", join(root, "data"));
    const directory = join(root, "project");
    const folder = join(directory, ".gaia/knowledge");
    await mkdir(folder, { recursive: true });
    await git(directory, "init", "-q");
    const put = async (how: Written["how"]): Promise<void> => {
      const store = createTrustStore(ownDataFolder(process.env), directory, silentLogger, "knowledge.json");
      for (const [at, entry] of entries.entries()) {
        if (entry.how !== how) continue;
        await writeFile(join(folder, `e${at}.md`), textOf(entry, at));
        if (how === "said yes") await store.grant([hashOf(`e${at}`, textOf(entry, at))]);
      }
    };
    await mkdir(join(directory, ".gaia/.local"));
    for (const [path, text] of Object.entries(FILES)) await writeIn(directory, path, text);
    await put("committed before");
    await commitAll(directory, "By a person");
    for (const how of ["said yes", "left uncommitted"] as const) await put(how);

    const openCode = await loadInFakeOpenCode(directory);
    await openCode.event("session.created", { info: { id: SESSION, metadata: {} } });
    const told: string[] = [];
    for (const word of words) {
      told.push(await openCode.say(SESSION, `How does the ${word} protocol work?`));
      told.push(...(await openCode.system(SESSION, "You are")));
      const { signal: abort } = new AbortController();
      const context = { sessionID: SESSION, messageID: "m", callID: "call_0", agent: "gaia", abort };
      for (const args of [{ query: word }, { query: "protocol canary", kinds: ["learning"], limit: 50 }]) {
        await openCode.hooks["tool.execute.before"]?.({ ...context, tool: "recall_gaia" }, { args });
        const result = await openCode.hooks.tool?.["recall_gaia"]?.execute(args, context as never);
        told.push(JSON.stringify(result));
      }
      await openCode.answer(SESSION);
    }
    await openCode.hooks.dispose?.();
    return told.join("\n");
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

it(
  "a model is told what people accepted, and nothing else, in whole conversations",
  { timeout: 60_000 },
  async () => {
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 6 }), words, async (entries, asked) => {
        const told = await converse(entries, asked);
        expect(told).not.toMatch(/proposed\dx/);
        for (const word of asked) expect(told).toContain(`learnt ${word}x`);
        const marks = entries.map((_entry, at) => mark(at));
        const counted = entries.flatMap((entry, at) => (counts(entry) ? [mark(at)] : []));
        expect(marks.filter((each) => told.includes(each))).toEqual(counted);
      }),
      { numRuns: 12, seed: 7 },
    );
  },
);
