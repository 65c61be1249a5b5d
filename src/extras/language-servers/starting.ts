import { shellWord } from "../../lib/shell-word.ts";
import type { FoundServer } from "./find-server.ts";
import type { CodeSurroundings } from "./open.ts";
import { type LanguageServer, startServer } from "./server.ts";

const PROFILE = { project: "read", network: false, caches: true } as const;

/** Starts a server: contained wherever commands are, without the network, and with nothing of the project to write. */
export async function startFound(
  { entry, root, command, environment: own, initialization }: FoundServer,
  top: string,
  { limits, contained }: Pick<CodeSurroundings, "limits" | "contained">,
): Promise<LanguageServer> {
  const containment = await contained.of(top);
  const line = `exec ${command.map(shellWord).join(" ")}`;
  return startServer({
    entry,
    root,
    command: containment === null ? command : await containment.command(PROFILE, root, line),
    folder: root,
    environment: { ...limits.environment, ...own },
    clock: limits.clock,
    seesUs: containment === null,
    initialization,
  });
}
