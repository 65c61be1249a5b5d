import { describe, expect, it } from "vitest";
import { listImports, readSources } from "./imports.ts";

/**
 * From the ground up. A file imports from its own folder and from layers below it, and from nothing else. `plan/*` are the
 * files of that folder alone, which the record is read and written with; what is done with a plan stands in its folders.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["lib"],
  ["contracts", "config"],
  ["plan/*"],
  ["host", "process", "scripted-model"],
  ["snapshot"],
  ["commit"],
  ["policy"],
  ["record", "sandbox"],
  ["trust"],
  ["checks", "plan/review", "delegation", "context", "spending"],
  ["agents"],
  ["extras"],
  ["project", "report", "briefing", "work-tree"],
  ["conversation"],
  ["extras/findings", "extras/messages", "extras/notifications", "extras/pull-requests"],
  ["runtime.ts"],
  ["plan"],
  ["tools", "commands"],
  ["hooks"],
  ["composition"],
  ["plugin.ts"],
  ["index.ts", "tui", "cli"],
];

const sources = await readSources("src");
const imports = listImports(sources);

/** The layer of a path by the narrowest name that it has there. */
const namesOf = (path: string): string[] => {
  const [room = "", folder = "", rest] = path.split("/");
  return [rest === undefined ? `${room}/*` : `${room}/${folder}`, room];
};
const folderOf = (path: string): string => namesOf(path).find((name) => LAYERS.flat().includes(name)) ?? "";
const levelOf = (path: string): number => LAYERS.findIndex((layer) => layer.includes(folderOf(path)));

describe("layers", () => {
  it("know every folder of src", () => {
    expect([...sources.keys()].filter((path) => levelOf(path) === -1)).toEqual([]);
    expect(imports.length).toBeGreaterThan(500);
  });

  it("are imported from above only, and siblings not at all", () => {
    const wrong = imports.filter(
      ({ from, to }) => folderOf(from) !== folderOf(to) && levelOf(to) >= levelOf(from),
    );
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
});
