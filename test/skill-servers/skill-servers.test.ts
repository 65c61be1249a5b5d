import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SkillServer } from "../../src/context/catalogue.ts";
import { systemClock } from "../../src/lib/async.ts";
import { describeError } from "../../src/lib/error.ts";
import { createSkillServers, type SkillServers } from "../../src/extras/skill-servers/servers.ts";
import { openFolder } from "../support/directory.ts";

const FIXTURE = resolve("test/e2e/fixtures/skill-server.mjs");
const NEVER = new AbortController().signal;

const server = (name: string, ...args: string[]): SkillServer => ({
  name,
  command: [process.execPath, FIXTURE, ...args],
  environment: { PAGE: "one", ACCESS: "key ${SITE_TOKEN}" },
  network: false,
});

async function open(): Promise<{ servers: SkillServers; folder: string }> {
  const folder = await openFolder();
  const environment = { PATH: process.env["PATH"], SITE_TOKEN: "t0ken", DEPLOY_KEY: "secret" };
  const servers = createSkillServers(systemClock, environment);
  onTestFinished(servers.dispose);
  return { servers, folder };
}

/** Of the server that runs in a folder, and of what it has started. */
const pidsIn = async (folder: string): Promise<number[]> =>
  (await readFile(join(folder, "pids.txt"), "utf8")).split(" ").map(Number);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a server of a skill", () => {
  it("tells of its tools, answers, and is given nothing of the environment but what the skill names", async () => {
    const { servers, folder } = await open();
    expect(servers.running("ses_1", "web")).toBeNull();
    const web = await servers.start("ses_1", server("web"), folder, NEVER);
    expect(web.tools.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
      ["mark", false],
      ["look", true],
      ["fail", true],
      ["reach", true],
      ["end", true],
    ]);
    const given = await web.call("look", {}, NEVER);
    expect(given).toMatch(/^given: ACCESS .*\bPAGE\b.*\bPATH\b/);
    expect(given).not.toMatch(/DEPLOY_KEY|SITE_TOKEN/);
    await expect(web.call("fail", {}, NEVER)).rejects.toThrow("the page has no such button");
    expect(servers.running("ses_1", "web")).toBe(web);
    expect(servers.running("ses_2", "web")).toBeNull();
    expect(await servers.start("ses_1", server("web"), folder, NEVER)).toBe(web);
  });

  it("ends with its task, and everything that it started with it", async () => {
    const { servers, folder } = await open();
    await servers.start("ses_1", server("web"), folder, NEVER);
    const pids = await pidsIn(folder);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await servers.end("ses_2");
    expect(servers.running("ses_1", "web")).not.toBeNull();
    await servers.end("ses_1");
    expect(servers.running("ses_1", "web")).toBeNull();
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 10_000);
  });

  it("that does not start says why, by its last words; it may be tried again", async () => {
    const { servers, folder } = await open();
    await expect(servers.start("ses_1", server("web", "broken"), folder, NEVER)).rejects.toThrow(
      /The MCP server web did not start: it ended \(exit code 3\): no browser is installed/,
    );
    const nowhere: SkillServer = {
      name: "no",
      command: ["/nowhere/at-all"],
      environment: {},
      network: false,
    };
    await expect(servers.start("ses_1", nowhere, folder, NEVER)).rejects.toThrow(
      /no did not start: .*ENOENT/,
    );
    expect(await servers.start("ses_1", server("web"), folder, NEVER)).toBeDefined();
  });

  it("is stopped by the user while it starts, and by the end of its task", async () => {
    const { servers, folder } = await open();
    const silent: SkillServer = {
      name: "silent",
      command: [
        process.execPath,
        "-e",
        "require('fs').writeFileSync('begun', ''); setInterval(() => {}, 1000)",
      ],
      environment: {},
      network: false,
    };
    const stop = new AbortController();
    const stopped = servers.start("ses_1", silent, folder, stop.signal).catch(describeError);
    const begun = join(folder, "begun");
    await vi.waitFor(async () => access(begun), 20_000);
    expect(servers.running("ses_1", "silent")).toBeNull();
    stop.abort();
    expect(await stopped).toContain("Stopped before");
    const over = servers.start("ses_1", silent, folder, NEVER).catch(describeError);
    await new Promise((done) => {
      setTimeout(done, 50);
    });
    await servers.end("ses_1");
    expect(await over).toContain("it was ended");
    await expect(servers.start("ses_1", silent, folder, stop.signal)).rejects.toThrow("Stopped before");
  });

  it("is read page by page, past lines that are no message, and asks for nothing", async () => {
    const { servers, folder } = await open();
    const script = `
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      const asked = ["roots/list", "sampling/createMessage", "elicitation/create"];
      const refused = [];
      const tool = (name, annotations) => ({ name, inputSchema: { type: "object" }, annotations });
      const pages = { undefined: [tool("one")], two: [tool("two")], three: [tool("three", { readOnlyHint: true })] };
      console.log("Hello!");
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params = {}, error } = JSON.parse(line);
        if (method === undefined) refused.push(id + " " + error?.code);
        if (method === "initialize")
          send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "p", version: "1" } } });
        if (method === "tools/list")
          send({ id, result: { tools: pages[params.cursor], nextCursor: { undefined: "two", two: "three" }[params.cursor] } });
        if (method !== "tools/call") return;
        for (const each of asked) send({ id: each, method: each, params: { messages: [], maxTokens: 1, message: "?", requestedSchema: { type: "object", properties: {} } } });
        setTimeout(() => send({ id, result: { content: [{ type: "text", text: params.name + ": " + refused.join(", ") }] } }), 300);
      });`;
    const paged = { ...server("paged"), command: [process.execPath, "-e", script] } as const;
    const running = await servers.start("ses_1", paged, folder, NEVER);
    expect(running.tools.map(({ name }) => name)).toEqual(["one", "two", "three"]);
    expect(running.tools.map(({ isReadOnly }) => isReadOnly)).toEqual([false, false, true]);
    expect(await running.call("one", {}, NEVER)).toBe(
      "one: roots/list -32601, sampling/createMessage -32601, elicitation/create -32601",
    );
  });

  it("stands beside three others at most", async () => {
    const { servers, folder } = await open();
    for (const name of ["a", "b", "c", "d"]) await servers.start("ses_1", server(name), folder, NEVER);
    await expect(servers.start("ses_1", server("e"), folder, NEVER)).rejects.toThrow("No more than 4");
    expect(await servers.start("ses_2", server("e"), folder, NEVER)).toBeDefined();
  });
});
