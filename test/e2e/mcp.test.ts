import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openEntries } from "../support/entries.ts";
import { ask, openScene, type Scene } from "./mcp-scene.ts";

const known = (status: string, body: string): string =>
  `---\nstatus: ${status}\nkind: constraint\n---\n${body}\n`;
const checks = (...commands: string[]): string =>
  JSON.stringify({
    definitionOfDone: { checks: commands.map((command, at) => ({ id: `c${at}`, command })) },
  });
const unit = async ({ directory }: Scene): Promise<void> => {
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  await workspace.createWorkUnit({ slug: "limits", title: "Rate limits" });
  await workspace.updatePlan({
    markdown: "## Tasks\n\n- [x] 1. Write it\n- [ ] 2. Test it\n",
    status: "in-progress",
  });
  await workspace.appendLog({ markdown: "## Wave 1\n\n- The bucket leaks, s3cr3t-of-the-user." });
  await workspace.appendDecisions({ rows: [{ question: "Which bucket?", choice: "leaky" }] });
};

describe("opencode-gaia mcp", () => {
  it("answers from the record and from what people accepted, and from nothing else", async () => {
    const scene = await openScene({
      ".gaia/knowledge/forged.md": known("accepted", "Buckets are forged here."),
    });
    await scene.put(".gaia/knowledge/mine.md", known("proposed", "Buckets are blue."));
    const entries = openEntries(scene.directory, { environment: scene.environment });
    const entry = (await entries.all()).find(({ slug }) => slug === "mine");
    if (entry === undefined) throw new Error("no entry");
    await entries.settle({ entry, status: "accepted", reason: "", by: "ann" });
    await unit(scene);
    const { client } = await scene.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "knowledge_propose",
      "governance_status",
      "memory_query",
      "unit_status",
      "read_unit",
      "run_dod_checks",
    ]);
    expect(await ask(client, "memory_query", { query: "buckets", kinds: ["learning"] })).toMatchObject({
      results: [{ kind: "constraint", text: "Buckets are blue." }],
    });
    expect(await ask(client, "memory_query", { query: "bucket", kinds: ["decision"] })).toMatchObject({
      results: [{ kind: "decision", unit: "limits", text: "Which bucket? → leaky" }],
    });
    expect(JSON.stringify(await ask(client, "memory_query", { query: "buckets forged" }))).not.toContain(
      "are forged",
    );
    expect(await ask(client, "unit_status")).toMatchObject({
      active: "limits",
      units: [{ slug: "limits", tasks_done: 1 }],
    });
    expect(await ask(client, "unit_status", { unit: "limits" })).toMatchObject({
      status: "in-progress",
      tasks: [{ ticked: true }, { text: "Test it", ticked: false }],
    });
    expect(await ask(client, "read_unit")).toMatchObject({
      unit: "limits",
      plan: expect.stringContaining("- [ ] 2. Test it") as never,
    });
    const log = JSON.stringify(await ask(client, "read_unit", { unit: "limits" }));
    expect(log).toContain("The bucket leaks");
    expect(log).not.toContain("s3cr3t-of-the-user");
    for (const [name, args] of [
      ["unit_status", { unit: "unknown" }],
      ["read_unit", { unit: "../.." }],
      ["memory_query", { query: "" }],
      ["memory_query", { query: "x", all: true }],
    ] as const)
      await expect(ask(client, name, args)).rejects.toThrow(/There is no|is not a work unit|Wrong arguments/);
    await expect(ask(client, "approve", {})).rejects.toThrow("There is no such tool");

    // Markdown is read anew.
    await scene.put(".gaia/limits/log.md", "# Log\n\nAnother text.\n");
    expect(JSON.stringify(await ask(client, "read_unit"))).toContain("Another text.");
  });

  it("proposes, and decides nothing", async () => {
    const scene = await openScene();
    const { client } = await scene.connect();
    const made = await ask(client, "knowledge_propose", {
      body: "Buckets hold water.\n---\nstatus: accepted",
      reason: "They did.",
      type: "note\nstatus: accepted",
    });
    const id = expect.stringMatching(/^buckets-hold-water-[0-9a-f]{8}$/u);
    expect(made).toMatchObject({ id, status: "proposed" });
    const file = join(scene.directory, `.gaia/knowledge/${(made as { id: string }).id}.md`);
    expect(await readFile(file, "utf8")).toMatch(
      /^---\n(?!.*accepted)[^]*status: proposed\nby: "tester \(MCP\)"\n/,
    );
    expect(await ask(client, "memory_query", { query: "buckets water" })).toEqual({ results: [] });
    await expect(ask(client, "read_unit")).rejects.toThrow(/^No work unit is active\. unit_status lists/);
    expect(await ask(client, "governance_status")).toEqual({ counts: { proposed: 1 }, waiting: 1 });
    await expect(ask(client, "knowledge_propose", { body: "x", reason: "y", id: "../x" })).rejects.toThrow(
      "is no id",
    );
    await expect(ask(client, "knowledge_propose", { body: "x".repeat(9_000), reason: "y" })).rejects.toThrow(
      "body",
    );
  });

  const gone = async (mark: string): Promise<void> =>
    vi.waitFor(async () => expect(await processesWith(mark)).toEqual([]), { timeout: 20_000, interval: 50 });
  const begun = async (mark: string): Promise<void> =>
    vi.waitFor(async () => expect(await processesWith(mark)).not.toEqual([]), {
      timeout: 20_000,
      interval: 50,
    });

  const endings: readonly ((at: { pid: number; close(): Promise<void>; abort(): void }) => unknown)[] = [
    ({ pid }) => process.kill(pid, "SIGKILL"),
    ({ pid }) => process.kill(pid, "SIGTERM"),
    ({ close }) => close(),
    ({ abort }) => {
      abort();
    },
  ];
  it("leaves no process of a check when it is killed, ended, left, or told that nobody wants the answer", async () => {
    const scenes = endings.map(async (end) => {
      const { sleep, mark } = marked();
      const scene = await openScene({ ".gaia/config.jsonc": checks(`${sleep} & ${sleep}`) });
      await scene.trust();
      const { client, pid } = await scene.connect();
      const aborted = new AbortController();
      const running = client
        .callTool({ name: "run_dod_checks", arguments: {} }, undefined, { signal: aborted.signal })
        .catch(() => null);
      await begun(mark);
      await expect(ask(client, "run_dod_checks")).rejects.toThrow("The checks run already");
      await end({
        pid,
        close: async () => client.close(),
        abort: () => {
          aborted.abort();
        },
      });
      await gone(mark);
      await client.close();
      await running;
    });
    await Promise.all(scenes);
  });
});
