import { join } from "node:path";
import { repositoryRoot } from "../lib/find-project.ts";
import { listFolder, readText } from "../lib/read-source.ts";

type RootFiles = Readonly<Record<string, string | undefined>>;

const READ_AT_ROOT = [
  "package.json",
  ".pre-commit-config.yaml",
  "Cargo.toml",
  "pyproject.toml",
  "deno.json",
  "deno.jsonc",
  "dprint.json",
  "Dockerfile",
  ".gitignore",
  ".prettierignore",
  ".dockerignore",
  ".vscodeignore",
] as const;

/** A file in `.gaia/` by which a tool passes over the record by itself. */
interface OwnFile {
  readonly name: string;
  readonly text: string;
  readonly tool: RegExp;
}

const OWN_FILES: readonly OwnFile[] = [
  { name: ".npmignore", text: "*\n", tool: /^package\.json$/m },
  {
    name: ".prettierrc",
    // There is no option to ignore, but a text without the mark that it asks for is left as it is.
    text: '{ "overrides": [{ "files": "*", "options": { "parser": "markdown", "requirePragma": true } }] }\n',
    tool: /prettier/,
  },
  {
    name: "biome.json",
    text: '{ "root": false, "formatter": { "enabled": false }, "linter": { "enabled": false } }\n',
    tool: /biome/,
  },
  { name: ".markdownlint.json", text: '{ "default": false }\n', tool: /markdownlint/ },
];

/** A tool that takes `.gaia/` for the project's own, and which only a file of the user's can tell. */
interface Stranger {
  readonly file: string;
  readonly does: string;
  readonly line: string;
  /** What tells that the tool is used: a text in `by`, which is `file` by default. */
  readonly tool?: RegExp;
  readonly by?: string;
  readonly unless?: RegExp;
}

const STRANGERS: readonly Stranger[] = [
  {
    file: "Cargo.toml",
    does: "cargo package ships",
    line: 'exclude = [".gaia/"] under [package]',
    tool: /^\[package\]/m,
    unless: /^include\s*=/m,
  },
  {
    file: "pyproject.toml",
    does: "hatch build ships",
    line: 'exclude = ["/.gaia"] under [tool.hatch.build.targets.sdist]',
    tool: /hatchling/,
  },
  { file: ".prettierignore", does: "oxfmt formats", line: ".gaia/", tool: /"oxfmt"/, by: "package.json" },
  {
    file: ".dockerignore",
    does: "the image holds",
    line: ".gaia",
    tool: /^\s*(?:COPY|ADD)\s.*\s?\.\s/m,
    by: "Dockerfile",
  },
  { file: ".vscodeignore", does: "vsce package ships", line: ".gaia/**" },
  { file: "dprint.json", does: "dprint formats", line: '".gaia" in "excludes"' },
  { file: "deno.json", does: "deno fmt formats", line: '".gaia/" in "exclude"' },
  { file: "deno.jsonc", does: "deno fmt formats", line: '".gaia/" in "exclude"' },
];

/** The files of `.gaia/` that keep it out of the tools that a project uses. @param names at the root */
export function ownKeepOutFiles(names: readonly string[], files: RootFiles): readonly OwnFile[] {
  const told = [...names, files["package.json"], files[".pre-commit-config.yaml"]].join("\n");
  return OWN_FILES.filter(({ tool }) => tool.test(told));
}

export function isOwnKeepOutFile(name: string, text: string): boolean {
  return OWN_FILES.some((file) => file.name === name && file.text === text);
}

/** What only the user can write, as a sentence each: which tool takes the record for the project's, and where it is told. */
export function adviseKeepOut(files: RootFiles): { readonly what: string; readonly fix: string }[] {
  const says = (file: string, word: RegExp): boolean => word.test(files[file] ?? "");
  if (says(".gitignore", /^\/?\.gaia\/?$/m)) return [];
  return STRANGERS.filter(
    ({ file, by = file, tool = /./, unless }) =>
      says(by, tool) && !says(file, /\.gaia\b/) && (unless === undefined || !says(by, unless)),
  ).map(({ does, file, line }) => ({
    what: `${does} .gaia/ with the project`,
    fix: `Write into ${file}: ${line}`,
  }));
}

const MAX_TEXT = 200_000;

/** What a project's folder and its repository's root say of its tools. What cannot be read is absent. */
export async function readRoot(directory: string): Promise<{ names: readonly string[]; files: RootFiles }> {
  const names: string[] = [];
  const files: Record<string, string> = {};
  for (const folder of new Set([directory, repositoryRoot(directory)])) {
    const here = ((await listFolder(folder)) ?? []).map(({ name }) => name);
    names.push(...here);
    for (const name of READ_AT_ROOT)
      if (here.includes(name))
        files[name] = `${files[name] ?? ""}${await readText(join(folder, name), MAX_TEXT)}\n`;
  }
  return { names, files };
}
