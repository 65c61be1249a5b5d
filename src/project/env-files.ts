import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSensitivePath } from "../policy/sensitive-path.ts";

/** Larger files hold no settings. */
const MAX_BYTES = 65_536;
const MAX_FILES = 10;

/** What the `.env` files at the top of a project set, one record per file; what cannot be read is left out. */
export function readEnvFiles(project: string): Readonly<Record<string, string>>[] {
  try {
    const names = readdirSync(project).filter((name) => name.startsWith(".env") && isSensitivePath(name));
    return names.slice(0, MAX_FILES).flatMap((name) => readEnvFile(join(project, name)));
  } catch {
    return []; // A project that cannot be listed tells no values.
  }
}

function readEnvFile(path: string): Record<string, string>[] {
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.size > MAX_BYTES) return [];
    return [parseEnv(readFileSync(path, "utf8"))];
  } catch {
    return []; // It is gone, or not the user's to read.
  }
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
