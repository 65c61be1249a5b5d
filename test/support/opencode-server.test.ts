import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saidLast, startOpenCodeProcess } from "./opencode-server.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "gaia-server-"));
});
afterEach(async () => rm(cwd, { recursive: true, force: true }));

async function program(script: string): Promise<string> {
  const path = join(cwd, "opencode");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // There is no such process.
  }
}

describe("starting OpenCode", () => {
  it("says what it said when it ends at once", async () => {
    const binary = await program('echo "the database is locked" >&2; exit 3');
    await expect(startOpenCodeProcess({ environment: {}, cwd, binary })).rejects.toMatchObject({
      message: expect.stringMatching(/did not start \(it ended with exit code 3\)[^]*the database is locked/),
      hint: expect.stringContaining(`${binary} serve`),
    });
  });

  it("takes another port where its own is taken, and says so where none is to be had", async () => {
    const server = `require("node:http").createServer((_, response) => response.end("{}"))
      .listen(Number(process.argv.at(-1)), "127.0.0.1", () => console.log("listening on it"));`;
    await writeFile(join(cwd, "server.cjs"), server);
    const refused = "echo >> tries; echo ServeError >&2; exit 1";
    const binary = await program(`[ -e tries ] && exec '${process.execPath}' server.cjs "$@"; ${refused}`);
    await (await startOpenCodeProcess({ environment: process.env, cwd, binary })).kill();
    expect(await readFile(join(cwd, "tries"), "utf8")).toBe("\n");
    const never = startOpenCodeProcess({ environment: process.env, cwd, binary: await program(refused) });
    await expect(never).rejects.toThrow("ServeError");
    expect(await readFile(join(cwd, "tries"), "utf8")).toBe("\n".repeat(4));
  });

  it("says so when it cannot be run at all", async () => {
    const binary = join(cwd, "missing");
    await expect(startOpenCodeProcess({ environment: {}, cwd, binary })).rejects.toMatchObject({
      message: expect.stringMatching(/could not be run[^]*ENOENT/),
    });
  });

  it("asks nothing before OpenCode says that it listens, for such a request can hang", async () => {
    const server = `
      let listens = false;
      const answer = (_, response) => {
        if (listens) response.end(JSON.stringify({ version: "1.2.3" }));
      };
      const say = () => {
        listens = true;
        console.log("opencode server listening on it");
      };
      require("node:http").createServer(answer).listen(Number(process.argv.at(-1)), "127.0.0.1", () => {
        setTimeout(say, 300);
      });`;
    await writeFile(join(cwd, "server.cjs"), server);
    const binary = await program(`exec '${process.execPath}' server.cjs "$@"`);
    const { version, kill } = await startOpenCodeProcess({ environment: process.env, cwd, binary });
    await kill();
    expect(version).toBe("1.2.3");
  });

  it("gives up when it is told to, and ends what it started", async () => {
    const binary = await program("echo $$ > pid; exec sleep 60");
    const interrupt = new AbortController();
    const start = startOpenCodeProcess({ environment: process.env, cwd, binary, signal: interrupt.signal });
    const pid = await vi.waitFor(async () => {
      const text = await readFile(join(cwd, "pid"), "utf8");
      expect(text).toMatch(/^\d+\n$/);
      return Number(text);
    });
    expect(isAlive(pid)).toBe(true);
    interrupt.abort(new Error("Interrupted."));
    await expect(start).rejects.toThrow("Interrupted.");
    expect(isAlive(pid)).toBe(false);
  });

  it("has words for a process that said nothing", () => {
    expect(saidLast(" \n")).toBe("It said nothing.");
    expect(saidLast("oh\n")).toBe("Its last words:\noh");
  });
});
