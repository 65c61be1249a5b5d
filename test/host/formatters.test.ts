import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { OpenCodeClient } from "../../src/host/opencode/client.ts";
import { readFormatters } from "../../src/host/opencode/formatters.ts";

/** OpenCode, which tells of these formatters. */
function openCode(known: readonly [name: string, enabled: boolean, ...endings: string[]][]) {
  const asked: string[] = [];
  const call = async (name: string): Promise<unknown> => {
    asked.push(name);
    return known.map(([each, enabled, ...extensions]) => ({ name: each, enabled, extensions }));
  };
  return { client: { call } as unknown as OpenCodeClient, asked };
}

it("are none where they are off, and OpenCode is not made to look for any", async () => {
  for (const off of [undefined, false]) {
    const { client, asked } = openCode([["gofmt", true, ".go"]]);
    expect(await readFormatters(client, off, {})).toEqual([]);
    expect(asked).toEqual([]);
  }
});

it("are those that OpenCode would run, by the command of the user's or by its own", async () => {
  const cache = await mkdtemp(join(tmpdir(), "gaia-cache-"));
  onTestFinished(async () => rm(cache, { recursive: true }));
  const prettier = join(cache, "opencode/packages/prettier/node_modules/.bin/prettier");
  await mkdir(join(prettier, ".."), { recursive: true });
  await writeFile(prettier, "");
  const wanted = {
    prettier: { extensions: [".md"] },
    own: { command: ["./fmt.sh", "$FILE"], environment: { A: "1" } },
    shfmt: { command: ["shfmt", "-s", "-w", "$FILE"] },
    odd: { extensions: [".odd"] },
  };
  const { client } = openCode([
    ["gofmt", true, ".go"],
    ["rustfmt", false, ".rs"],
    ["prettier", true, ".md"],
    ["own", true, ".x"],
    ["shfmt", true, ".sh"],
    ["uv", true, ".py"],
    ["pint", true, ".php"],
    // Newer than this list.
    ["odd", true, ".odd"],
  ]);
  const found = await readFormatters(client, wanted, { XDG_CACHE_HOME: cache });
  expect(found.map(({ name, endings, command }) => [name, ...endings, command.join(" ")])).toEqual([
    ["gofmt", ".go", "gofmt -w $FILE"],
    ["prettier", ".md", `${prettier} --write $FILE`],
    ["own", ".x", "./fmt.sh $FILE"],
    ["shfmt", ".sh", "shfmt -s -w $FILE"],
    ["uv", ".py", "uv format -- $FILE"],
    ["pint", ".php", "./vendor/bin/pint $FILE"],
    ["odd", ".odd", ""],
  ]);
  expect(found[2]?.environment).toEqual({ A: "1" });
  const all = openCode([["biome", true, ".ts"]]);
  expect((await readFormatters(all.client, true, { XDG_CACHE_HOME: cache }))[0]?.command[0]).toBe("biome");
});
