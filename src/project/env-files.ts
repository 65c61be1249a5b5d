import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextSync } from "../lib/read-source.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";

/** Larger files hold no settings. */
const MAX_BYTES = 65_536;
const MAX_FILES = 10;

/** What the `.env` files at the top of a project set, one record per file; what cannot be read is left out. */
export function readEnvFiles(project: string): Readonly<Record<string, string>>[] {
  try {
    const files = readdirSync(project, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name.startsWith(".env") && isSensitivePath(entry.name),
    );
    return files.slice(0, MAX_FILES).flatMap(({ name }) => readEnvFile(join(project, name)));
  } catch {
    return []; // A project that cannot be listed tells no values.
  }
}

function readEnvFile(path: string): Record<string, string>[] {
  const text = readTextSync(path, MAX_BYTES);
  return text === "" ? [] : [parseEnv(text)];
}

function parseEnv(text: string): Record<string, string> {
  const lines = text.split("\n").flatMap((line): [string, string][] => {
    const [left = "", ...rest] = line.trim().split("=");
    const name = left.replace("export ", "").trim();
    const value = rest.join("=").trim();
    const quote = value[0];
    const end = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
    const bare = value.split(" #")[0] ?? "";
    return name.startsWith("#") || rest.length === 0 ? [] : [[name, end === -1 ? bare : value.slice(1, end)]];
  });
  return Object.fromEntries(lines);
}
