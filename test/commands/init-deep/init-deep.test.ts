import { mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  BEGIN,
  END,
  hasOwnBlock,
  prepareDeepInit,
  sortByFolder,
  writeBlock,
} from "../../../src/commands/init-deep.ts";
import { steadyClock } from "../../../src/lib/async.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { readCases } from "../../support/cases.ts";
import { writeIn, openFolder } from "../../support/directory.ts";

const text = (sections: Record<string, string[]>, file = ""): string => {
  const written = writeBlock(file, sections);
  return written.ok ? written.text : `refused: ${written.why}`;
};

describe("the part of an AGENTS.md that is written", () => {
  it("comes behind people's lines, is changed in its place, and goes when there is nothing to say", () => {
    const block = (...lines: string[]): string => `${BEGIN}\n${lines.join("\n")}\n${END}\n`;
    const people = "# Ours\n\nMind the gap.\n";
    const first = text({ Commands: ["test: `npm test`"], Known: [] }, people);
    expect(first).toBe(`${people}\n${block("## Commands", "", "- test: `npm test`")}`);
    const second = text({ Known: ["a", "b"] }, `${first}\nLater words.\n`);
    expect(second).toBe(`${people}\n${block("## Known", "", "- a", "- b")}\nLater words.\n`);
    expect(text({ Known: [] }, second)).toBe(`${people}\nLater words.\n`);
    expect(text({ Known: [] })).toBe("");
  });

  it("keeps people's lines, is the same when it is written again, and lets no text end it", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom(BEGIN, END, "-->", "a\nb", "## x"));
    const people = fc.array(
      fc.string({ unit: "grapheme-ascii" }).filter((each) => !/^\s*$|<!--|`{3}|~{3}/.test(each)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(people, fc.array(line, { maxLength: 300 }), (lines, known) => {
        const file = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
        const once = text({ Known: known }, file);
        expect(text({ Known: known }, once)).toBe(once);
        expect(once.split(END).length).toBeLessThanOrEqual(2);
        expect(once.startsWith(file)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["indented lines around it", "# Ours\n\n    code \n", "\n    more code\n"],
    ["spaces and empty lines at its ends", "# Ours  \n\n\n", "\n\n\nx  \n\n\n"],
    ["nothing between", "# Ours\n", "## Theirs"],
    ["line ends of two kinds", "\uFEFF# Ours\r\none\r\ntwo\n\n", "\r\nx\r\n"],
    ["marks that are shown as code", `~~~md\n${BEGIN}\n${END}\n~~~\n\n    ${BEGIN}\n\n`, `\n\`${END}\`\n`],
    ["marks in a list's code", `- so:\n  \`\`\`\n  ${BEGIN}\n  \`\`\`\n\n`, "\n"],
  ])("leaves %s byte for byte", (_what, before, after) => {
    const eol = before.includes("\r") ? "\r\n" : "\n";
    const block = (line: string): string => [BEGIN, "## Known", "", `- ${line}`, END, ""].join(eol);
    expect(text({ Known: ["new"] }, before + block("old") + after)).toBe(before + block("new") + after);
    expect(hasOwnBlock(before + after)).toBe(false);
    // Where there is none, it comes behind everything.
    const people = before + after;
    const added = text({ Known: ["new"] }, people);
    expect(added.startsWith(people)).toBe(true);
    expect(added.endsWith(block("new"))).toBe(true);
    expect(text({ Known: ["new"] }, added)).toBe(added);
    expect(text({}, people)).toBe(people);
    expect(text({}, added).trimEnd()).toBe(people.trimEnd());
  });
});

it.each(readCases<[string[], string | null]>("commands/init-deep/init-deep.what-is-known-of-a"))(
  "what is known of a folder %j: %s",
  async (about, folder) => {
    const project = await openFolder();
    for (const path of ["src/api/a.ts", "src/api/b.ts", "src/db/c.ts", "top.ts"])
      await writeIn(project, path, "");
    const found = await sortByFolder(project, [{ kind: "anti_pattern", body: "is so", about }]);
    expect([...found]).toEqual(folder === null ? [] : [[folder, ["anti pattern: is so"]]]);
  },
);

describe("an AGENTS.md that is picked", () => {
  let root: string;
  beforeEach(async () => {
    root = await openFolder();
    await mkdir(join(root, "project"));
  });

  /** What the user is told who picks one, the project's own where nothing is said. */
  async function pick(label = "AGENTS.md"): Promise<string> {
    const project = join(root, "project");
    const known = { kind: "constraint", body: "never touch main", about: [], scope: "project" };
    const runtime = {
      host: { project, directory: project },
      knowledge: { all: async () => [{ ...known, standing: "accepted" }] },
      memory: { redact: String },
      verifier: { commands: async () => [], open: () => ({ verify: async () => ({ kind: "refused" }) }) },
      clock: steadyClock,
    } as unknown as Runtime;
    const offer = await prepareDeepInit(runtime, "");
    if (typeof offer === "string") return offer;
    const found = offer.questions[0]?.options.find((each) => each.label.endsWith(` ${label}`));
    return found === undefined ? "not offered" : offer.settle([[found.label]]);
  }
  const path = (name: string): string => join(root, "project", name);

  it("may be a link within the project, which stays one", async () => {
    await writeFile(path("CLAUDE.md"), "# Ours\r\n");
    await symlink("CLAUDE.md", path("AGENTS.md"));
    expect(await pick()).toContain("AGENTS.md was written.");
    expect(await readlink(path("AGENTS.md"))).toBe("CLAUDE.md");
    expect(await readFile(path("CLAUDE.md"), "utf8")).toMatch(/^# Ours\r\n\r\n<!-- gaia:begin -->\r\n/);
    expect(await pick()).toContain("AGENTS.md says it already");
  });

  it.each([
    ["leads out of the project", async (at: string) => symlink("../out.md", at), "leads out of the project"],
    ["leads nowhere", async (at: string) => symlink("gone.md", at), "is a link that leads nowhere"],
    [
      "is no text in UTF-8",
      async (at: string) => writeFile(at, Buffer.from("# Caf\u00e9\n", "latin1")),
      "no text in UTF-8",
    ],
  ])("that %s is not written", async (_what, prepare, why) => {
    await writeFile(join(root, "out.md"), "theirs");
    await prepare(path("AGENTS.md"));
    const before = await readFile(path("AGENTS.md")).catch(() => null);
    expect(await pick()).toContain(why);
    expect(await readFile(path("AGENTS.md")).catch(() => null)).toEqual(before);
  });
});
