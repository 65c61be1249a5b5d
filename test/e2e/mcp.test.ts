import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { mcp } from "../../src/cli/mcp/command.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { marked, processesWith } from "../checks/project.ts";
import { ask, connectTo, openScene, TOKEN, type Scene } from "./mcp-scene.ts";

const QUIET = { print: () => undefined, confirm: async () => false };
const known = (status: string, body: string): string =>
  `---\nstatus: ${status}\ntype: constraint\n---\n${body}\n`;
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
    const own = join(scene.environment["XDG_CONFIG_HOME"] ?? "", "opencode/gaia-knowledge");
    await scene.put(
      join("..", own.slice(own.indexOf("config/")), "mine.md"),
      known("accepted", "Buckets are blue."),
    );
    await unit(scene);
    const { client } = await scene.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "knowledge_query",
      "knowledge_propose",
      "governance_status",
      "memory_query",
      "unit_status",
      "read_plan",
      "read_log",
      "run_dod_checks",
    ]);
    expect(await ask(client, "knowledge_query", { query: "buckets" })).toEqual({
      results: [
        { id: "mine", type: "constraint", scope: "user", text: "Buckets are blue.", date: "", score: 1 },
      ],
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
    expect(await ask(client, "read_plan")).toMatchObject({
      unit: "limits",
      markdown: expect.stringContaining("- [ ] 2. Test it") as never,
    });
    const log = JSON.stringify(await ask(client, "read_log", { unit: "limits" }));
    expect(log).toContain("The bucket leaks");
    expect(log).not.toContain("s3cr3t-of-the-user");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "gaia://unit/limits/plan",
      "gaia://unit/limits/log",
      "gaia://unit/limits/decisions",
      "gaia://knowledge/mine",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "gaia://unit/{unit}/{document}",
      "gaia://knowledge/{id}",
    ]);
    const read = async (uri: string): Promise<string> =>
      JSON.stringify((await client.readResource({ uri })).contents);
    expect(await read("gaia://unit/limits/decisions")).toContain("leaky");
    expect(await read("gaia://knowledge/mine")).toContain("Buckets are blue.");
    for (const uri of ["gaia://knowledge/forged", "gaia://unit/../config/plan", "file:///etc/passwd"])
      await expect(read(uri)).rejects.toThrow("There is no such resource");
    for (const [name, args] of [
      ["unit_status", { unit: "none" }],
      ["read_plan", { unit: "../.." }],
      ["knowledge_query", { query: "" }],
      ["knowledge_query", { query: "x", all: true }],
    ] as const)
      await expect(ask(client, name, args)).rejects.toThrow(/There is no|is not a work unit|Wrong arguments/);
    await expect(ask(client, "approve", {})).rejects.toThrow("There is no such tool");

    // Markdown is read anew.
    await scene.put(".gaia/limits/log.md", "# Log\n\nAnother text.\n");
    expect(JSON.stringify(await ask(client, "read_log"))).toContain("Another text.");
    await expect(read("gaia://findings")).rejects.toThrow("There is no such resource");
    await scene.put(
      ".gaia/findings.md",
      "| ID | Type | Scope | Where | What | By | State |\n| --- | --- | --- | --- | --- | --- | --- |\n| leak | bug | | | It leaks | CI | open |\n",
    );
    expect((await client.listResources()).resources[0]?.uri).toBe("gaia://findings");
    expect(await read("gaia://findings")).toContain("It leaks");
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
    expect(await ask(client, "knowledge_query", { query: "buckets water" })).toEqual({ results: [] });
    await expect(ask(client, "read_plan")).rejects.toThrow(
      /^No work unit is active\. Pass unit: unit_status/,
    );
    expect(await ask(client, "governance_status")).toEqual({ counts: { proposed: 1 }, waiting: 1 });
    await expect(ask(client, "knowledge_propose", { body: "x", reason: "y", id: "../x" })).rejects.toThrow(
      "is no id",
    );
    await expect(ask(client, "knowledge_propose", { body: "x".repeat(9_000), reason: "y" })).rejects.toThrow(
      "body",
    );
  });

  it("runs the checks that the user trusts, as they are now, and no others", async () => {
    const scene = await openScene({
      ".gaia/config.jsonc": checks("touch was-run", "echo the cause; exit 3"),
    });
    const { client } = await scene.connect();
    await expect(ask(client, "run_dod_checks")).rejects.toThrow("Nothing was checked");
    expect(existsSync(join(scene.directory, "was-run"))).toBe(false);
    await scene.trust();
    expect(await ask(client, "run_dod_checks")).toMatchObject({
      passed: false,
      results: [
        { status: "passed" },
        { id: "c1", exit_code: 3, output_tail: expect.stringContaining("the cause") as never },
      ],
      artifacts: [],
    });
    await scene.put(".gaia/config.jsonc", checks("node show.mjs"));
    await expect(ask(client, "run_dod_checks")).rejects.toThrow("Nothing was checked");
    await scene.trust();
    await scene.put(
      "show.mjs",
      "const { DEPLOY_TOKEN, GAIA_MCP_TOKEN } = process.env; console.log({ DEPLOY_TOKEN, GAIA_MCP_TOKEN }); process.exit(1);",
    );
    const shown = JSON.stringify(await ask(client, "run_dod_checks"));
    expect(shown).toContain("GAIA_MCP_TOKEN: undefined");
    expect(shown).not.toContain("s3cr3t-of");
    await scene.put(".gaia/config.jsonc", "{}");
    expect(await ask(client, "run_dod_checks")).toMatchObject({ passed: false, results: [] });
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

describe("opencode-gaia mcp --http", () => {
  const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = async (
    url: URL,
    headers: Record<string, string>,
    method = "POST",
    body = LIST,
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const given = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      };
      const sent = request(url, { method, headers: given }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once("error", reject).end(method === "POST" ? body : undefined);
    });

  it("does not start without a token", async () => {
    const { directory, environment } = await openScene();
    for (const token of [undefined, "", "short", "words that no header holds", "0123456789abcdef\n"])
      await expect(
        mcp.run(["--http", "--port", "0"], {
          ...QUIET,
          from: directory,
          environment: { ...environment, GAIA_MCP_TOKEN: token },
        }),
      ).rejects.toThrow("GAIA_MCP_TOKEN holds no token");
    await expect(mcp.run(["--port", "x"], { ...QUIET, from: directory, environment })).rejects.toThrow(
      "is no port",
    );
    expect(await readdir(directory)).toEqual([".git"]);
  });

  it("answers who shows the token, on this machine's own address, and nobody else", async () => {
    const scene = await openScene();
    await unit(scene);
    const { url, server } = await scene.listen();
    await expect(
      mcp.run(["--http", "--port", url.port], {
        ...QUIET,
        from: scene.directory,
        environment: { ...scene.environment, GAIA_MCP_TOKEN: TOKEN },
      }),
    ).rejects.toThrow(`Port ${url.port} is taken by another program.`);
    expect(url.hostname).toBe("127.0.0.1");
    const authorization = `Bearer ${TOKEN}`;
    expect(await post(url, { authorization })).toBe(200);
    expect(await post(url, { authorization, origin: url.origin })).toBe(200);
    expect(await post(url, {})).toBe(401);
    const huge = "x".repeat(50_000_000);
    expect(await post(url, {}, "POST", huge)).toBe(401);
    expect(await post(url, { authorization }, "POST", huge)).toBe(413);
    for (const wrong of ["Bearer wrong", `Bearer ${TOKEN}x`, TOKEN, "Basic eA==", "Bearer "])
      expect(await post(url, { authorization: wrong }), wrong).toBe(401);
    for (const origin of [
      "https://evil.example",
      "null",
      `https://127.0.0.1:${url.port}`,
      "http://localhost",
    ])
      expect(await post(url, { authorization, origin }), origin).toBe(403);
    for (const host of ["evil.example", `evil.example:${url.port}`, "127.0.0.1"])
      expect(await post(url, { authorization, host }), host).toBe(403);
    expect(await post(new URL("/else", url), { authorization })).toBe(404);
    expect(await post(url, { authorization }, "GET")).toBe(405);
    await expect(connectTo(url, "another-token-of-some-length")).rejects.toThrow(
      "The token is missing or wrong.",
    );

    const client = await connectTo(url);
    expect(await ask(client, "read_plan")).toMatchObject({ unit: "limits" });
    expect((await client.listTools()).tools).toHaveLength(8);
    server.kill("SIGTERM");
    await vi.waitFor(() => expect(server.exitCode).toBe(0), { timeout: 10_000 });
  });

  it("shows fifty readers whole files while they are written", async () => {
    const scene = await openScene();
    await unit(scene);
    const { url } = await scene.listen();
    const workspace = createWorkspace({
      directory: scene.directory,
      clock: systemClock,
      logger: silentLogger,
    });
    const clients = await Promise.all(Array.from({ length: 50 }, async () => connectTo(url)));
    const over = new AbortController();
    const text = (at: number): string =>
      `## Goal\n\nBegin ${at}\n\n${"x".repeat(20_000)}\n\n## Tasks\n\n- [ ] 1. End ${at}\n`;
    const writing = (async () => {
      for (let at = 0; !over.signal.aborted; at += 1)
        await workspace.updatePlan({ markdown: text(at), replace: true });
    })();
    const seen = await Promise.all(
      clients.map(async (client) => {
        const read: string[] = [];
        for (let at = 0; at < 4; at += 1)
          read.push((await ask<{ markdown: string }>(client, "read_plan")).markdown);
        return read;
      }),
    );
    over.abort();
    await writing;
    const whole = seen.flat().filter((markdown) => {
      const [begin, end] = [/Begin (\d+)/.exec(markdown)?.[1], /End (\d+)/.exec(markdown)?.[1]];
      return begin === undefined ? markdown.includes("Write it") : begin === end;
    });
    expect(whole).toHaveLength(200);
  });

  it("leaves no process of a check when its client goes away", async () => {
    const { sleep, mark } = marked();
    const scene = await openScene({ ".gaia/config.jsonc": checks(sleep) });
    await scene.trust();
    const { url } = await scene.listen();
    const client = await connectTo(url);
    const running = client.callTool({ name: "run_dod_checks", arguments: {} }).catch(() => null);
    await vi.waitFor(async () => expect(await processesWith(mark)).not.toEqual([]), { timeout: 20_000 });
    await client.close();
    await vi.waitFor(async () => expect(await processesWith(mark)).toEqual([]), { timeout: 20_000 });
    await running;
  });
});
