import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openFolder, writeIn } from "../support/directory.ts";
import { openEntries } from "../support/entries.ts";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { trust } from "../../src/cli/trust.ts";

/** The command line as it is shipped. */
const CLI = [join(process.cwd(), "dist/cli.js")];

/** A project of its own, in which the command runs as a user would start it. */
type Scene = Awaited<ReturnType<typeof openScene>>;

async function openScene(files: Record<string, string> = {}) {
  const root = await openFolder();
  const directory = join(root, "project");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_DATA_HOME: join(root, "data"),
    DEPLOY_TOKEN: "s3cr3t-of-the-user",
  };
  const put = async (path: string, text: string) => writeIn(directory, path, text);
  await mkdir(join(directory, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await put(path, text);
  return {
    directory,
    environment,
    put,
    /** The user says yes to all that the project asks for. */
    async trust() {
      const confirm = async (): Promise<boolean> => true;
      await trust.run(["grant", "--all"], { print: () => undefined, confirm, from: directory, environment });
    },
    /** A client of a server of its own; `pid` is the server's. */
    async connect() {
      const args = [...CLI, "mcp"];
      const given = { command: process.execPath, args, cwd: directory, env: environment };
      const transport = new StdioClientTransport({ ...given, stderr: "inherit" });
      const client = new Client({ name: "tester", version: "1" });
      await client.connect(transport);
      onTestFinished(async () => client.close());
      return { client, pid: transport.pid ?? 0 };
    },
  };
}

/** What a tool answers, as data; an error's words as they are. */
async function ask<T = unknown>(client: Client, name: string, args: object = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [part] = result.content as { text: string }[];
  if (result.isError === true) throw new Error(part?.text);
  return JSON.parse(part?.text ?? "") as T;
}

const known = (status: string, body: string) => `---\nstatus: ${status}\nkind: constraint\n---\n${body}\n`;
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
