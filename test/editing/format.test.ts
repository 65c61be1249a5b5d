import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { openFormatting } from "../../src/extras/changes/format.ts";
import type { HostFormatter } from "../../src/host/port.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { containPrograms } from "../../src/sandbox/load.ts";
import { canContain } from "../support/bubblewrap.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createRepository, type Repository } from "./scene.ts";

let repository: Repository;
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await repository.end();
});

const formatter = (name: string, script: string, ending = ".ts", environment = {}): HostFormatter => ({
  name,
  endings: [ending],
  command: ["sh", "-c", script, "sh", "$FILE"],
  environment,
});

/** @returns what formatting says of these files */
async function open(
  formatters: () => HostFormatter[] | null,
  given: {
    sandbox?: "auto" | "on" | "off";
    wrapperFolders?: string[];
    path?: string | undefined;
    clock?: typeof systemClock;
  } = {},
) {
  repository = await createRepository({ "a.ts": "a\n", "b.ts": "b\n", "c.py": "c\n" });
  const { directory, place } = repository;
  const { sandbox = "off", clock = systemClock, path = process.env["PATH"], ...rest } = given;
  const environment = { ...process.env, HOME: join(directory, ".home"), PATH: path };
  const limits = { environment, clock, shell: () => "/bin/bash", writable: [], allowSensitive: [], ...rest };
  const contained = containPrograms({ mode: sandbox, network: false, writable: [] }, limits, () => undefined);
  ends.push(() => contained.dispose());
  let asked = 0;
  const host = {
    worktree: directory,
    logger: silentLogger,
    async formatters() {
      asked += 1;
      return formatters();
    },
  };
  const format = openFormatting({ host, contained, clock, environment });
  return {
    asked: () => asked,
    format: async (names: string[], signal = new AbortController().signal) =>
      format(
        names.map((name) => ({ name, path: join(directory, name) })),
        place,
        signal,
      ),
  };
}

it("ends a formatter that hangs, with all that it started, and one whose call is stopped", async () => {
  const clock = createFakeClock();
  const { format } = await open(() => [formatter("slow", 'sleep 600 & echo $! > "$1.pid"; wait')], { clock });
  const saying = format(["a.ts"]);
  const pid = async (): Promise<number> => {
    for (;;) {
      const text = await readFile(join(repository.directory, "a.ts.pid"), "utf8").catch(() => "");
      if (text.trim() !== "") return Number(text);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const child = await pid();
  const over = new AbortController();
  void saying.then(() => over.abort());
  while (!over.signal.aborted) {
    await clock.advance(1_000);
    await new Promise((done) => setTimeout(done, 5));
  }
  expect(await saying).toEqual(["Not formatted, slow took longer than 15 s: a.ts."]);
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow(/ESRCH/), 10_000);
  expect(await format(["a.ts"], AbortSignal.abort())).toEqual(["Not formatted, slow was stopped: a.ts."]);
});

it.runIf(canContain)("contains it: it writes the project, and nothing else", async () => {
  const { format } = await open(
    () => [
      formatter(
        "wide",
        `echo x >> "$1"; echo x > "${resolve("node_modules/.beyond")}" || echo stopped >> "$1"`,
      ),
    ],
    { sandbox: "on" },
  );
  expect(await format(["a.ts"])).toEqual(["Formatted by wide: a.ts."]);
  expect(await repository.read("a.ts")).toBe("a\nx\nstopped\n");
});
