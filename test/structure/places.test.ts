import { expect, it } from "vitest";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { readSources } from "./imports.ts";

const sources = await readSources("src");

/** Paths of the sources that do something. */
const those = (does: (text: string, path: string) => boolean): string[] =>
  [...sources].flatMap(([path, text]) => (does(text, path) ? [path] : [])).toSorted();

const IMPORTS = /^import [^;]*?from "[^"]*";/gms;
const READS = /\breadFile(?:Sync)?\(/u;
const FROM_NODE = /import \{[^}]*\breadFile(?:Sync)?\b[^}]*\} from "node:fs(?:\/promises)?"/u;
const WRITES =
  /\b(?:writeFile\w*|appendFile\w*|rename|rm|rmdir|unlink|copyFile|cp|truncate|symlink|link|createWriteStream)\b/;
const AGENTS = new RegExp(`\\b(${SPECIALISTS.map(({ name }) => name).join("|")})\\b`, "i");

it("git is started by one function alone, which keeps repositories from running anything", () => {
  expect(those((text) => /[([]\s*"git"\s*,/u.test(text))).toEqual([
    // It names git to `run`, which starts it by the one function.
    "extras/pull-requests/open.ts",
    "process/git.ts",
  ]);
});

it("files that are none of ours are read by lib/read-source.ts alone, which waits for no pipe and reads no more than its bound", () => {
  // These read files of the plugin's own, of OpenCode's or of the kernel, or have opened and bounded the file themselves.
  expect(those((text) => READS.test(text) && FROM_NODE.test(text))).toEqual([
    "cli/demo/command.ts",
    "cli/doctor/opencode.ts",
    "cli/own-package.ts",
    "conversation/display/panel-key.ts",
    "extras/pull-requests/open.ts",
    "process/process-group.ts",
    "record/templates.ts",
    "sandbox/sockets.ts",
  ]);
});

it("one place alone writes files of the project: what it writes is what was declared and judged", () => {
  // A pull request writes but its own text, in the record.
  const rooms = /^extras\/(?!pull-requests\/)/;
  const isWriter = (text: string): boolean =>
    [...text.matchAll(IMPORTS)].some(([each]) => /node:fs|record\/store/.test(each) && WRITES.test(each));
  expect(those((text, path) => rooms.test(path) && isWriter(text))).toEqual(["extras/changes/change.ts"]);
});

it("nothing is cut before secrets are taken out of it: half a secret is not known as one", () => {
  expect(those((text) => /\bredact\(\s*(?:excerpt|head|tail)\(/.test(text))).toEqual([]);
  expect(those((text) => /\bredact\(/.test(text)).length).toBeGreaterThan(20);
});

it("nothing but an agent's own definition knows its name, and the demo, which tells a story about them: all else asks for its role", () => {
  expect(those((text, path) => AGENTS.test(text) && !/^(?:agents|cli\/demo)\//.test(path))).toEqual([]);
  expect(those((text) => AGENTS.test(text)).length).toBeGreaterThan(SPECIALISTS.length);
});
