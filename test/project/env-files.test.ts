import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEnvFiles } from "../../src/project/env-files.ts";
import { openFolder } from "../support/directory.ts";

it("reads what the .env files at the top of a project set, and nothing else", async () => {
  const folder = await openFolder();
  const text = `# a comment\nexport A_TOKEN="a value # with a mark" # said\nB=b=c # said\n\nC='d'\nnothing\n# A_TOKEN=old\nD=e f\t# said\n`;
  await writeFile(join(folder, ".env"), text);
  await writeFile(join(folder, ".env.example"), "A_TOKEN=write-yours-here\n");
  await writeFile(join(folder, ".env.huge"), `A_TOKEN=${"x".repeat(70_000)}\n`);
  await symlink("/etc/hostname", join(folder, ".env.link"));
  await mkdir(join(folder, ".env.d"));
  expect(readEnvFiles(folder)).toEqual([
    { A_TOKEN: "a value # with a mark" },
    { B: "b=c" },
    { C: "d" },
    { A_TOKEN: "old" },
    { D: "e f" },
  ]);
  expect(readEnvFiles(join(folder, "gone"))).toEqual([]);
});
