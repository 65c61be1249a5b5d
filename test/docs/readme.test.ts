import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { knownAgents } from "../../src/agents/registry.ts";
import { COMMANDS } from "../../src/commands/registry.ts";
import { ROLES } from "../../src/config/roles.ts";
import { loadConfig } from "../../src/config/loader.ts";
import { SUPPORTED_OPENCODE } from "../../src/host/supported-versions.ts";
import { parsePlan } from "../../src/plan/grammar.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { renderConfigReference } from "./config-reference.ts";
import { renderHostPage } from "./host-page.ts";
import { readBetween } from "./markers.ts";
import { openFolder, writeIn } from "../support/directory.ts";

const readme = await readFile("README.md", "utf8");
/** What the README keeps short, at length. */
const pages = [
  ...(await readdir("docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  "CONTRIBUTING.md",
];
const texts = await Promise.all(["README.md", ...pages].map((path) => readFile(path, "utf8")));
const documents = texts.join("\n");

/** The fenced examples in a language. */
function examples(language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return [...documents.matchAll(fenced)].map(([, code = ""]) => code);
}

/** File and target of every link within the project. */
function linksOf(): [string, string][] {
  return ["README.md", ...pages].flatMap((path, index) =>
    [...(texts[index] ?? "").matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(
      ([, target = ""]): [string, string] => [path, target],
    ),
  );
}

describe("the README and the pages that it links", () => {
  it("lists every key of the configuration (when this fails: npm run docs)", async () => {
    expect(await readBetween("docs/configuration.md", "configuration")).toBe(renderConfigReference());
  });

  it("lists what an adapter has to bring (when this fails: npm run docs)", async () => {
    expect(await readBetween("docs/hosts.md", "hosts")).toBe(renderHostPage());
  });

  it.each(examples("jsonc"))("has configuration that works: %s", async (example) => {
    const directory = await openFolder();
    await writeIn(directory, ".gaia/config.jsonc", example.startsWith("{") ? example : `{ ${example} }`);
    const { problems } = await loadConfig({
      userConfigDir: directory,
      projectDirectory: directory,
      knownAgents: knownAgents([]),
      restrain: (_file, written) => written,
    });
    expect(problems).toEqual([]);
  });

  it.each(examples("markdown"))("has a specialist that works: %s", (example) => {
    expect(parseCustomSpecialist("migrations", "migrations.md", example)).toMatchObject({ ok: true });
  });

  it.each(examples("md"))("has a plan of which every task is read: %s", (example) => {
    const { tasks } = parsePlan(example);
    expect(tasks).toHaveLength(example.split("- [ ]").length - 1);
    const agents = new Map(tasks.map(({ agent = "" }) => [agent, { mutates: true }]));
    const { faults, gaps } = findPlanProblems(example, { agents, isStrict: example.includes("## Goal") });
    expect({ faults, gaps: example.includes("## Goal") ? gaps : [] }).toEqual({ faults: [], gaps: [] });
  });

  it("says what follows from each role that a specialist of one's own may have", () => {
    for (const role of ROLES.filter((each) => each !== "historian"))
      expect(documents).toContain(`| \`${role}\` |`);
  });

  it.each(COMMANDS.map(({ name }) => name))("names the command /%s", (name) => {
    expect(documents).toContain(`\`/${name}`);
  });

  it.each([...documents.matchAll(/`((?:src|test|templates|\.ci)\/[\w./-]*)/g)].map(([, path = ""]) => path))(
    "points at something that exists: %s",
    (path) => {
      expect(existsSync(path)).toBe(true);
    },
  );

  it.each(pages)("leads to %s", (page) => {
    expect(readme).toContain(`](${page})`);
  });

  it.each(linksOf())("has in %s a link that leads somewhere: %s", async (from, target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? from : join(dirname(from), path);
    const headings = [...(await readFile(file, "utf8")).matchAll(/^#+ (.*)$/gm)];
    const anchors = headings.map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    expect(anchor === undefined ? [undefined] : anchors).toContain(anchor);
  });

  it("is short: 900 words, and each page 1,800 beside what is generated", () => {
    const words = (text: string): number =>
      text
        .replaceAll(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, "")
        .split(/\s+/)
        .filter(Boolean).length;
    const counts = texts.slice(1).map(words);
    expect(pages.filter((_page, index) => (counts[index] ?? 0) > 1_800)).toEqual([]);
    expect(words(readme)).toBeLessThanOrEqual(900);
    const inDocs = counts.filter((_count, index) => pages[index]?.startsWith("docs/"));
    expect(inDocs.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(9_000);
  });

  it("says which OpenCode it needs", () => {
    expect(readme).toContain(/\d+\.\d+\.\d+/.exec(SUPPORTED_OPENCODE)?.[0]);
  });
});
