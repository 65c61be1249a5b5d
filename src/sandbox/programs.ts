import type { SandboxConfig } from "../config/sandbox.ts";
import type { Containment } from "./port.ts";
import { type LazyContainment, loadContainment } from "./load.ts";

/** What contains the programs that the plugin starts by itself: language servers, the MCP servers of skills. */
export interface ContainedPrograms {
  /**
   * What contains those of a tree; null where they run as they are.
   * @param top of the tree, absolute
   * @throws Error when they have to be contained, and cannot be
   */
  of(this: void, top: string): Promise<Containment | null>;
  dispose(): void;
}

/**
 * @param limits what contains commands, in whatever tree
 * @param runsFreely hears of programs that will run as they are
 */
export function containPrograms(
  { mode }: SandboxConfig,
  limits: Omit<Parameters<typeof loadContainment>[0], "project">,
  runsFreely: () => void,
): ContainedPrograms {
  const opened = new Map<string, LazyContainment>();
  return {
    async of(top) {
      if (mode === "off" || mode === "machine") {
        runsFreely();
        return null;
      }
      const load = opened.get(top) ?? loadContainment({ ...limits, project: top });
      opened.set(top, load);
      const loaded = await load();
      const state = await loaded.hostReady();
      if (state.kind === "ready") return loaded;
      const why = state.kind === "unavailable" ? state.why : "nobody knows whether it can be";
      if (mode === "on") throw new Error(`it would not be contained (${why}), and sandbox is on`);
      runsFreely();
      return null;
    },
    dispose() {
      for (const each of opened.values()) each.dispose();
    },
  };
}
