import type { Host } from "../../host/port.ts";
import { lazy } from "../../lib/lazy.ts";
import type { RuleInput } from "./load.ts";
import type { Catalogue } from "./rule.ts";

/** The rules that a project's files hold. Nothing is looked at before somebody asks; a project without any costs a few looks. */
export interface Rules {
  /** As the files are now; null where there are none. Never rejects. */
  now(): Promise<Catalogue | null>;
  /** As they were when somebody asked last. */
  latest(): Promise<Catalogue | null>;
  /** Patterns of files that the host gives to every agent by itself. */
  leaveOut(patterns: readonly string[]): void;
}

/** @param host shows the user what cannot be used */
export function openRules(
  input: Omit<RuleInput, "givenByHost">,
  host: Pick<Host, "logger" | "toast">,
): Rules {
  let givenByHost: readonly string[] = [];
  let latest: Promise<Catalogue | null> | null = null;
  const look = lazy(async () => (await import("./look.ts")).createLook(host));
  let underWay: Promise<Catalogue | null> | null = null;
  /** Who asks at the same time is answered at the same time, in the order in which they asked. */
  const now = async (): Promise<Catalogue | null> => {
    underWay ??= look()
      .then(async (see) => see({ ...input, givenByHost }))
      .finally(() => {
        underWay = null;
      });
    latest = underWay;
    return underWay;
  };
  return {
    now,
    latest: async () => latest ?? now(),
    leaveOut(patterns) {
      givenByHost = patterns;
    },
  };
}
