import { lazy } from "../lib/async.ts";
import type { SandboxConfig } from "../config/sandbox.ts";
import { type Containment, createContainment } from "./containment.ts";
import type { ContainmentInput } from "./port.ts";

/** Gives the containment of a project. */
export type LazyContainment = ReturnType<typeof loadContainment>;

/** The containment for one project, made when it is first asked for. Disposing closes it for whoever asks later, too. */
export function loadContainment(input: ContainmentInput) {
  const made = lazy(() => createContainment(input));
  return Object.assign(async () => made(), { dispose: () => made().dispose() });
}

/** What contains the programs that the plugin starts by itself: language servers, the MCP servers of skills. */
export type ContainedPrograms = ReturnType<typeof containPrograms>;

/** @param limits what contains commands, in whatever tree @param runsFreely hears of programs that will run as they are */
export function containPrograms(
  { mode }: SandboxConfig,
  limits: Omit<ContainmentInput, "project">,
  runsFreely: () => void,
) {
  const opened = new Map<string, Containment>();
  return {
    /**
     * What contains those of a tree; null where they run as they are.
     * @param top of the tree, absolute
     * @throws Error when they have to be contained, and cannot be
     */
    async of(top: string): Promise<Containment | null> {
      if (mode === "off" || mode === "machine") {
        runsFreely();
        return null;
      }
      const containment = opened.get(top) ?? createContainment({ ...limits, project: top });
      opened.set(top, containment);
      const state = await containment.hostReady();
      if (state.kind === "ready") return containment;
      if (mode === "on") throw new Error(`it would not be contained (${state.why}), and sandbox is on`);
      runsFreely();
      return null;
    },
    dispose(): void {
      for (const each of opened.values()) each.dispose();
    },
  };
}
