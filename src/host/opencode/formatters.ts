import { existsSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "../../lib/user-folders.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import type { HostFormatter } from "../port.ts";
import type { OpenCodeClient } from "./client.ts";

/** What OpenCode's own formatters run; it tells their names alone. A file is put behind each. */
const COMMANDS = `gofmt -w | mix format | prettier --write | oxfmt | biome format --write | zig fmt | clang-format -i | ktlint -F
ruff format | air format | uv format -- | rubocop --autocorrect | standardrb --fix | htmlbeautifier | dart format | ocamlformat -i
terraform fmt | latexindent -w -s | gleam format | shfmt -w | nixfmt | rustfmt | ormolu -i | cljfmt fix --quiet | dfmt -i`;
/** OpenCode fetches these by itself, and runs them from its cache. */
const FETCHED = new Map([
  ["prettier", "prettier"],
  ["oxfmt", "oxfmt"],
  ["biome", "@biomejs/biome"],
]);
/** What stands for the file in a command. */
const FILE = "$FILE";

/**
 * The formatters that OpenCode runs on what its own tools write: it runs them inside of these, and for nobody else.
 * @param wanted `formatter` of its configuration @throws GaiaError where OpenCode does not tell
 */
export async function readFormatters(
  client: OpenCodeClient,
  wanted: unknown,
  environment: NodeJS.ProcessEnv,
): Promise<HostFormatter[]> {
  // Asking for its own makes it look for all of them.
  if (wanted === undefined || wanted === false) return [];
  const known = await client.call("get /formatter", {});
  const found: HostFormatter[] = [];
  for (const { name, extensions, enabled } of known) {
    const { command, environment: added } = recordOf(recordOf(wanted)[name]);
    const own = listOf(command).flatMap((word) => textOf(word) ?? []);
    const variables = Object.entries(recordOf(added)).map(([key, value]) => [key, textOf(value) ?? ""]);
    if (enabled)
      found.push({
        name,
        endings: extensions,
        command: own.length > 0 ? own : (builtIn(name, environment) ?? []),
        environment: Object.fromEntries(variables),
      });
  }
  return found;
}

function builtIn(name: string, environment: NodeJS.ProcessEnv): string[] | null {
  if (name === "pint") return ["./vendor/bin/pint", FILE];
  const words = COMMANDS.split(/ \| |\n/u).find((each) => each === name || each.startsWith(`${name} `));
  if (words === undefined) return null;
  const [program = "", ...args] = words.split(" ");
  const fetched = FETCHED.get(name);
  const folder = join(userFolder("cache", environment), "opencode", "packages", fetched ?? "");
  const path = join(folder, "node_modules", ".bin", program);
  return [fetched !== undefined && existsSync(path) ? path : program, ...args, FILE];
}
