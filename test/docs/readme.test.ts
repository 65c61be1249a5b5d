import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { knownAgents } from "../../src/agents/registry.ts";
import { COMMANDS } from "../../src/commands/registry.ts";
import { ROLES } from "../../src/config/roles.ts";
import { loadConfig } from "../../src/config/loader.ts";
import { SUPPORTED_OPENCODE } from "../../src/host/supported-versions.ts";
import { renderConfigReference } from "./config-reference.ts";
import { readBetween } from "./markers.ts";

const readme = await readFile("README.md", "utf8");

/** The fenced examples in a language. */
function examples(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  );
}

describe("the README", () => {
  it("lists every key of the configuration (when this fails: npm run docs)", async () => {
    expect(await readBetween("README.md", "configuration")).toBe(renderConfigReference());
  });

  it.each(examples("jsonc"))("has configuration that works: %s", async (example) => {
    const directory = await mkdtemp(join(tmpdir(), "gaia-readme-"));
    await mkdir(join(directory, ".gaia"));
    const text = example.startsWith("{") ? example : `{ ${example} }`;
    await writeFile(join(directory, ".gaia/config.jsonc"), text);
    const { problems } = await loadConfig({
      userConfigDir: directory,
      projectDirectory: directory,
      knownAgents: knownAgents([]),
      restrain: (_file, written) => written,
    });
    await rm(directory, { recursive: true });
    expect(problems).toEqual([]);
  });

  it.each(examples("markdown"))("has a specialist that works: %s", (example) => {
    expect(parseCustomSpecialist("migrations", "migrations.md", example)).toMatchObject({ ok: true });
  });

  it("says what follows from each role that a specialist of one's own may have", () => {
    for (const role of ROLES.filter((each) => each !== "historian"))
      expect(readme).toContain(`| \`${role}\` |`);
  });

  it.each(COMMANDS.map(({ name }) => name))("names the command /%s", (name) => {
    expect(readme).toContain(`\`/${name}`);
  });

  it.each([...readme.matchAll(/`((?:src|test|templates|\.ci)\/[\w./-]*)/g)].map(([, path = ""]) => path))(
    "points at something that exists: %s",
    (path) => {
      expect(existsSync(path)).toBe(true);
    },
  );

  it("says which OpenCode it needs", () => {
    expect(readme).toContain(/\d+\.\d+\.\d+/.exec(SUPPORTED_OPENCODE)?.[0]);
  });
});
