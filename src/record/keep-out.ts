import { join } from "node:path";
import { repositoryRoot } from "../lib/folders.ts";
import { listFolder, readText } from "../lib/read-source.ts";

/** A file in `.gaia/` by which a tool passes over the record by itself. */
interface OwnFile {
  readonly name: string;
  readonly text: string;
  /** How a file at the root is called, or what stands in one, where the tool is used. */
  readonly tool: string;
  readonly unless?: string;
}

const OWN_FILES: readonly OwnFile[] = [
  { name: ".npmignore", text: "*\n", tool: "package.json" },
  {
    name: ".prettierrc",
    // There is no option to ignore, but a text without the mark that it asks for is left as it is.
    text: '{ "overrides": [{ "files": "*", "options": { "parser": "markdown", "requirePragma": true } }] }\n',
    tool: "prettier",
  },
  {
    name: "biome.json",
    text: '{ "root": false, "formatter": { "enabled": false }, "linter": { "enabled": false } }\n',
    tool: "biome",
  },
  // `cargo package` passes over folders with a manifest; as a member of a workspace, which a glob makes it, it would have to be whole.
  { name: "Cargo.toml", text: "# This is no package.\n", tool: "[package]", unless: '*"' },
  { name: ".markdownlint.json", text: '{ "default": false }\n', tool: "markdownlint" },
];

/** What names the tools that a project uses. */
const READ_AT_ROOT = ["package.json", ".pre-commit-config.yaml", "Cargo.toml"];
const MAX_TEXT = 200_000;

/** The files of `.gaia/` that keep it out of the tools that a project, and the repository around it, use. */
export async function ownKeepOutFiles(directory: string): Promise<readonly OwnFile[]> {
  const told: string[] = [];
  for (const folder of new Set([directory, repositoryRoot(directory)])) {
    const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
    const texts = READ_AT_ROOT.filter((name) => names.includes(name)).map(async (name) =>
      readText(join(folder, name), MAX_TEXT),
    );
    told.push(...names, ...(await Promise.all(texts)).map(String));
  }
  return OWN_FILES.filter(({ tool, unless }) =>
    told.some((text) => text.includes(tool) && (unless === undefined || !text.includes(unless))),
  );
}

export function isOwnKeepOutFile(name: string, text: string): boolean {
  return OWN_FILES.some((file) => file.name === name && file.text === text);
}
