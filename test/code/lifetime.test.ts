import { execFile } from "node:child_process";
import { chmod, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

import { canContain } from "../support/bubblewrap.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import {
  type CodeProject,
  type CodeSettings,
  createCodeProject,
  openServers,
  processesIn,
} from "./project.ts";

/** Far beyond what a process takes to come and go. */
const PATIENCE = { timeout: 20_000 };
const SERVER = resolve("test/code/fixtures/server.mjs");
const COPY = ".home/server.mjs";

interface Opened {
  readonly project: CodeProject;
  readonly servers: ReturnType<typeof openServers>;
  readonly clock: FakeClock | undefined;
}
const opened: Opened[] = [];

afterEach(async () => {
  for (const { project, servers, clock } of opened.splice(0)) {
    let isOver = false;
    const ended = servers.dispose().finally(() => {
      isOver = true;
    });
    // It waits by this clock for those that do not go.
    if (clock !== undefined) await turnUntil(clock, 1_000, () => isOver);
    await ended;
    await project.remove();
  }
});

/** A project whose language has a server that behaves in some way. */
async function open(
  way: string,
  given: CodeSettings & {
    files?: Record<string, string>;
    clock?: FakeClock;
  } = {},
) {
  const { files = { "a.toy": "fine\n" }, ...input } = given;
  const project = await createCodeProject(files, input);
  // Inside the project, for containment hides what lies in the temporary folder.
  const server = join(project.directory, COPY);
  await project.write(COPY, await readFile(SERVER, "utf8"));
  const lsp = {
    toy: { command: [process.execPath, server, way, join(project.directory, "pids")], extensions: [".toy"] },
  };
  await project.write(".home/.config/opencode/opencode.json", JSON.stringify({ lsp }));
  const servers = openServers(project);
  opened.push({ project, servers, clock: given.clock });
  /** A rename is refused by who the server is. */
  const ask = async (file = "a.toy", op: "rename" | "diagnostics" = "rename"): Promise<string> =>
    servers.ask({ op, file, name: "fine", new_name: "good" });
  return { project, servers, ask, started: async () => startedIn(project) };
}

async function startedIn({ directory }: CodeProject): Promise<number[]> {
  const lines = await readFile(join(directory, "pids"), "utf8").catch(() => "");
  return lines.trim().split("\n").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // It is gone.
  }
}

/** Turns a clock until something holds. */
async function turnUntil(clock: FakeClock, ms: number, holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 4_000 && !holds(); turns += 1) {
    await clock.advance(ms);
    await new Promise((done) => {
      setTimeout(done, 5);
    });
  }
  expect(holds()).toBe(true);
}

describe("a language server", () => {
  it("is the one that the user has configured, and no other than theirs", async () => {
    const { ask, project, started } = await open("good");
    await project.write(
      "opencode.json",
      JSON.stringify({ lsp: { toy: { command: ["touch", "pwned"], extensions: [".other"] } } }),
    );
    await project.write("b.other", "text\n");
    const [pid] = [...(await ask()).matchAll(/pid(\d+)/g)].map(([, found]) => Number(found));
    expect(await started()).toEqual([pid]);
    expect(await ask("b.other")).toBe("refused: No language server is known for b.other.");
    expect(await readdir(project.directory)).not.toContain("pwned");
    expect(await ask("../elsewhere.toy")).toMatch(/^.*outside of the project/);
    expect(await ask("gone.toy")).toMatch(/gone\.toy does not exist/);
  });

  it("is ended with everything that it started when nobody has needed it for ten minutes", async () => {
    const clock = createFakeClock();
    const { ask, servers, started } = await open("good", { clock });
    await ask();
    const [pid = 0] = await started();
    await clock.advance(590_000);
    expect(isAlive(pid)).toBe(true);
    await turnUntil(clock, 10_000, () => !isAlive(pid));
    expect(servers.running()).toEqual([]);
    await ask();
    expect(await started()).toHaveLength(2);
    const [, next = 0] = await started();
    const disposed = servers.dispose();
    await turnUntil(clock, 1_000, () => !isAlive(next));
    await disposed;
  });

  it("is one of four at most, over five roots: the one that was used longest ago goes", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const files = Object.fromEntries(
      names
        .map((name) => [`${name}/x.py`, "x = 1\n"])
        .concat(names.map((name) => [`${name}/pyproject.toml`, ""])),
    );
    const { project, servers, started } = await open("good", { files });
    const lsp = { python: { command: [process.execPath, SERVER, "good", join(project.directory, "pids")] } };
    await project.write(".home/.config/opencode/opencode.json", JSON.stringify({ lsp }));
    for (const name of names)
      await servers.ask({ op: "rename", file: `${name}/x.py`, name: "x", new_name: "y" });
    const pids = await started();
    expect(pids).toHaveLength(5);
    expect(servers.running().map(({ root }) => root.slice(-1))).toEqual(["b", "c", "d", "e"]);
    await expect.poll(() => pids.filter(isAlive), PATIENCE).toHaveLength(4);
    expect(isAlive(pids[0] ?? 0)).toBe(false);
  });

  it("that does not come up, or stops answering, is told in a sentence within its bound", async () => {
    expect(await (await open("dies")).ask()).toMatch(
      /The language server for toy did not (?:start|answer): it ended \(exit code 3\): no such flag: --stdio/,
    );
    expect(await (await open("traces")).ask()).toMatch(
      /did not start: it ended \(exit code 1\): error: Unknown binary 'toy' 0: a::long[^]*\nTo install it: /,
    );
    const hanging = async (way: string, asked: number): Promise<string> => {
      const clock = createFakeClock();
      const { ask, started } = await open(way, { clock });
      for (let turn = 1; turn < asked; turn += 1) await ask();
      let answer = "";
      void ask().then((text) => (answer = text));
      await expect.poll(started, PATIENCE).toHaveLength(1);
      await turnUntil(clock, 1_000, () => answer !== "");
      const [pid = 0] = await started();
      await turnUntil(clock, 1_000, () => !isAlive(pid));
      return answer;
    };
    expect(await hanging("hangs", 1)).toMatch(/did not start: initialize did not answer within 30000 ms/);
    expect(await hanging("stops", 2)).toMatch(
      /did not answer: textDocument\/rename did not answer within 60000 ms/,
    );
  });

  it("that prints without end what is no message, or sends one without bound, is ended", async () => {
    expect(await (await open("floods")).ask()).toMatch(/it prints something else than the protocol/);
    expect(await (await open("endless")).ask()).toMatch(
      /did not start: it sends a message of 99999999999 bytes/,
    );
    for (const way of ["long", "many"]) expect(await (await open(way)).ask()).toContain("pid");
  });

  it("that does not know a question says so in a sentence", async () => {
    const { ask } = await open("unknowing");
    expect(await ask()).toBe("refused: The language server for toy knows nothing of that. Use grep.");
  });

  it.runIf(canContain)("runs contained where commands do, and writes nothing into the project", async () => {
    const contained = { sandbox: { mode: "on", network: false, writable: [] } } as const;
    expect(await (await open("good", contained)).ask()).toMatch(/read-only file system/);
    const { ask, project } = await open("good", contained);
    const command = [process.execPath, join(project.directory, COPY), "good"];
    const lsp = { toy: { command, extensions: [".toy"] } };
    await project.write(".home/.config/opencode/opencode.json", JSON.stringify({ lsp }));
    expect(await ask()).toContain("pid");
  });

  it("of the project's own is one that did not come with the repository", async () => {
    const files = {
      "a.py": "fine = 1\n",
      ".venv/bin/pyright-langserver": `#!/bin/sh\nexec ${process.execPath} ${SERVER} good\n`,
    };
    const prepare = async (isIgnored: boolean): Promise<string> => {
      const { project, ask } = await open("good", {
        files,
        isIgnored: async () => isIgnored,
      });
      await chmod(join(project.directory, ".venv/bin/pyright-langserver"), 0o755);
      return ask("a.py");
    };
    expect(await prepare(true)).toContain("pid");
    expect(await prepare(false)).not.toContain("pid");
  });

  it.runIf(process.platform === "linux")("does not outlive an OpenCode that is killed", async () => {
    const script = resolve("test/code/fixtures/killed.ts");
    const directory = await new Promise<string>((done) => {
      execFile(process.execPath, ["--import", "tsx", script], (_error, printed) => done(printed));
    });
    try {
      expect(directory).toContain("gaia-code-");
      await expect.poll(async () => processesIn(directory), PATIENCE).toEqual([]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
