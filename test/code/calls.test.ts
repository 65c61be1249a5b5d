import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createCodeCalls } from "../../src/extras/language-servers/calls.ts";
import type { CodeServers } from "../../src/extras/language-servers/code-servers.ts";
import { systemClock } from "../../src/lib/clock.ts";

it("edits of one file that run side by side are each told of what came with them or before, and of nothing twice", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gaia-calls-"));
  onTestFinished(async () => rm(directory, { recursive: true }));
  const file = join(directory, "a.ts");
  const wrongIn = (text: string): string[] => text.split("\n").filter((line) => line.includes("wrong"));
  const servers: Pick<CodeServers, "newErrors"> = {
    async newErrors([edited]) {
      const were = wrongIn(edited?.before ?? "");
      return wrongIn(await readFile(file, "utf8")).filter((line) => !were.includes(line));
    },
  };
  const calls = createCodeCalls(servers as CodeServers, systemClock);
  const place = { directory, project: directory, below: "", standsFor: null, sessionId: "s", agent: "a" };
  const begin = async (id: string, path = "a.ts"): Promise<void> => calls.begins(id, [path], directory);
  await writeFile(file, "fine\n");
  // Two calls of one answer: the second is made before the first is looked at.
  await Promise.all([begin("one"), begin("two", file)]);
  await writeFile(file, "fine\nwrong 1\nwrong 2\n");
  expect(await Promise.all([calls.ended("one", place), calls.ended("two", place)])).toEqual([
    ["wrong 1", "wrong 2"],
    [],
  ]);
  // The second is made while the first is looked at.
  await Promise.all([begin("three"), begin("four")]);
  await writeFile(file, "wrong 1\nwrong 2\nwrong 3\n");
  expect(await calls.ended("three", place)).toEqual(["wrong 3"]);
  await writeFile(file, "wrong 1\nwrong 2\nwrong 3\nwrong 4\n");
  expect(await calls.ended("four", place)).toEqual(["wrong 4"]);
  expect(await calls.ended("four", place)).toEqual([]);
});
