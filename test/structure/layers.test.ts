import { describe, expect, it } from "vitest";
import { listImports, readSources } from "./imports.ts";

/** From the ground up. A file imports from its own folder and from layers below it, and from nothing else. */
const LAYERS: readonly (readonly string[])[] = [
  ["lib"],
  ["contracts", "config"],
  ["plan"],
  ["host", "process", "scripted-model"],
  ["snapshot"],
  ["policy", "vcs"],
  ["record", "sandbox"],
  ["trust"],
  ["checks", "review", "delegation", "context", "spending"],
  ["agents"],
  ["extras"],
  ["project", "report", "briefing"],
  ["pull-request"],
  ["conversation"],
  ["runtime.ts"],
  ["tools", "commands"],
  ["hooks"],
  ["composition"],
  ["plugin.ts"],
  ["index.ts", "tui", "cli"],
];

const sources = await readSources("src");
const imports = listImports(sources);

const folderOf = (path: string): string => path.split("/")[0] ?? "";
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
