import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { findProject, repositoryRoot } from "../../lib/find-project.ts";
import type { Command, Print } from "../command.ts";
import { parseFlags } from "../parse-flags.ts";
import { writePage } from "../write-page.ts";

const HELP = `opencode-gaia report [unit] [--out file] [--open]

Writes what a work unit did, cost and proved as one page that needs no network.

  unit        Its name, also of an archived one; by default the active unit, else the newest of the archive.
  --out file  Where to; by default .gaia/.local/reports/<unit>.html, which git ignores.
  --open      Opens it in your browser.
  --help      This text.`;
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** `opencode-gaia report`. */
export const report: Command = {
  name: "report",
  summary: "write what a work unit did, cost and proved as one HTML page",
  run: async (args, print) => runReport(args, print, process.cwd(), process.env),
};

/** The command with its surroundings as arguments. @returns the exit code */
export async function runReport(
  args: readonly string[],
  print: Print,
  from: string,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const [first = ""] = args;
  const unit = first === "" || first.startsWith("-") ? undefined : first;
  const options = {
    help: { type: "boolean", short: "h" },
    out: { type: "string" },
    open: { type: "boolean" },
  } as const;
  const { help, out, open } = parseFlags("report", unit === undefined ? args : args.slice(1), options);
  if (help === true) {
    print(HELP);
    return 0;
  }
  const directory = findProject(from, repositoryRoot(from));
  const file = out === undefined ? undefined : resolve(from, out);
  const path = await writePage(directory, environment, { unit, out: file });
  print(path);
  if (open === true) openFile(path, print);
  return 0;
}

function openFile(path: string, print: Print): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, path], { stdio: "ignore", detached: true });
  child.once("error", () => print("No browser could be started; open the file yourself."));
  child.unref();
}
