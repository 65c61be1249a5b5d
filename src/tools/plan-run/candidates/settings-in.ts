import { join } from "node:path";
import { recordOf } from "../../../lib/json.ts";
import { readText } from "../../../lib/read-source.ts";

/** Keys by which package.json sets up what tests and looks at a project. */
const KEYS =
  /^(?:jest|mocha|ava|tap|c8|nyc|vitest|karma|eslintConfig|xo|standard|stylelint|prettier|babel|config)$/u;
/** Sections of pyproject.toml and setup.cfg that do the same. */
const SECTION =
  /^\[(?:tool\.(?:pytest|coverage|tox|nox|ruff|mypy|pyright|pylint|flake8|black|isort)|tool:pytest|coverage:|flake8|mypy)/u;

/** How the files of these folders that also hold other things set up checks: who changes that may have them say anything. */
export async function settingsIn(project: string, folders: readonly string[]): Promise<string> {
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => readFolder(join(project, folder))),
  );
  return JSON.stringify(found);
}

async function readFolder(folder: string): Promise<unknown> {
  const [node, ...python] = await Promise.all(
    ["package.json", "pyproject.toml", "setup.cfg"].map(async (name) => readText(join(folder, name))),
  );
  return [Object.entries(fieldsOf(node ?? "")).filter(([key]) => KEYS.test(key)), ...python.map(sectionsOf)];
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function sectionsOf(text: string): string[] {
  let isIn = false;
  return text.split("\n").filter((line) => {
    if (line.startsWith("[")) isIn = SECTION.test(line);
    return isIn && line.trim() !== "";
  });
}
