import { homedir } from "node:os";
import { createError } from "../lib/error.ts";
import type { Containment } from "./containment.ts";
import type { ContainmentInput } from "./port.ts";
import type { SandboxConfig } from "../config/sandbox.ts";

/** Gives the containment of a project; it is loaded when it is first asked for. */
export interface LazyContainment {
  /** @throws GaiaError when it cannot be loaded */
  (): Promise<Containment>;
  dispose(): void;
}

/** The containment for one project: most starts of OpenCode never need it. */
export function loadContainment(
  input: Omit<ContainmentInput, "platform" | "architecture" | "home">,
): LazyContainment {
  let loaded: Promise<Containment> | null = null;
  const load = async (): Promise<Containment> => {
    const { createContainment } = await import("./containment.ts").catch((cause: unknown) => {
      const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
      throw createError("containment", "The containment could not be loaded.", { cause, hint });
    });
    return createContainment({
      ...input,
      platform: process.platform,
      architecture: process.arch,
      home: input.environment["HOME"] || homedir(),
    });
  };
  return Object.assign(async () => (loaded ??= load()), {
    dispose() {
      loaded?.then((containment) => containment.dispose()).catch(() => undefined); // It never came to be.
    },
  });
}

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
