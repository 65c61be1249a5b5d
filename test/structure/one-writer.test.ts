import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** Folders whose tools work on the project's files; a pull request writes but its own text, in the record. */
const ROOMS = /^extras\/(?!pull-requests\/)/;
const WRITER = "extras/changes/change.ts";
const WRITES =
  /\b(?:writeFile\w*|appendFile\w*|rename|rm|rmdir|unlink|copyFile|cp|truncate|symlink|link|createWriteStream)\b/;

const sources = await readSources("src");

it("one place alone writes files of the project: what it writes is what was declared and judged", () => {
  const writing = [...sources].filter(([path, text]) => {
    const imports = text.match(/^import [^;]*?from "[^"]*";/gms)?.join("\n") ?? "";
    const isOnDisk = imports.split(";").filter((each) => /node:fs|record\/store/.test(each));
    return ROOMS.test(path) && isOnDisk.some((each) => WRITES.test(each));
  });
  expect(writing.map(([path]) => path)).toEqual([WRITER]);
});
