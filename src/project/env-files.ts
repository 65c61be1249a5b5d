import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextSync } from "../lib/read-source.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";

const MAX_BYTES = 65_536;
const MAX_FILES = 10;

/** What the `.env` files at the top of a project set, a record each, what is commented out too: it is no less a secret. What cannot be read is left out. */
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
  return readTextSync(path, MAX_BYTES)
    .split("\n")
    .flatMap((line) => {
      const [left = "", ...rest] = line.split("=");
      const name = left.replaceAll("#", "").replace("export ", "").trim();
      return rest.length === 0 || name === "" ? [] : [{ [name]: valueOf(rest.join("=").trim()) }];
    });
}

function valueOf(text: string): string {
  const quote = text[0] ?? "";
  const end = `"'`.includes(quote) ? text.indexOf(quote, 1) : -1;
  if (end !== -1) return text.slice(1, end);
  const comments = [" #", "\t#"].map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return text.slice(0, Math.min(...comments, text.length)).trim();
}
