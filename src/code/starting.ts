import type { Containment } from "../policy/containment/port.ts";
import type { LazyContainment } from "../policy/load-containment.ts";
import { shellWord } from "../lib/shell-word.ts";
import type { FoundServer } from "./find-server.ts";
import type { CodeSurroundings } from "./open.ts";
import { type LanguageServer, startServer } from "./server.ts";

/** Starts servers: contained wherever commands are, without the network, and with nothing of the project to write. */
export interface Starting {
  /** Whether what is started in a tree is contained. @throws Error when it has to be, and cannot */
  isContained(top: string): Promise<boolean>;
  start(found: FoundServer, top: string): Promise<LanguageServer>;
  dispose(): void;
}

const PROFILE = { project: "read", network: false, caches: true } as const;

export function createStarting({ sandbox, limits, containmentOf }: CodeSurroundings): Starting {
  const opened = new Map<string, LazyContainment>();

  const containment = async (top: string): Promise<Containment | null> => {
    if (sandbox.mode === "off") return null;
    const known = opened.get(top) ?? containmentOf(top);
    opened.set(top, known);
    const loaded = await known();
    const state = await loaded.ready();
    if (state.kind === "ready") return loaded;
    const why = state.kind === "unavailable" ? state.why : "nobody knows whether it can be";
    if (sandbox.mode === "on") throw new Error(`it would not be contained (${why}), and sandbox is on`);
    return null;
  };

  return {
    isContained: async (top) => (await containment(top)) !== null,
    async start({ entry, root, command, environment: own, initialization }, top) {
      const contained = await containment(top);
      const line = `exec ${command.map(shellWord).join(" ")}`;
      return startServer({
        entry,
        root,
        command: contained === null ? command : await contained.command(PROFILE, root, line),
        folder: root,
        environment: { ...limits.environment, ...own },
        clock: limits.clock,
        seesUs: contained === null,
        initialization,
      });
    },
    dispose() {
      for (const each of opened.values()) each.dispose();
    },
  };
}
