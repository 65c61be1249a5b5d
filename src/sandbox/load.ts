import { homedir } from "node:os";
import { createError } from "../lib/error.ts";
import type { Containment, ContainmentInput } from "./port.ts";

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
