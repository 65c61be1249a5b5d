import type { Host } from "../../host/port.ts";
import { createCurrent, type Current } from "../current.ts";
import type { RuleInput } from "./load.ts";
import type { Catalogue } from "./rule.ts";

/** The rules that a project's files hold; a project without any costs a few looks. */
export interface Rules extends Current<Catalogue> {
  /** Patterns of files that the host gives to every agent by itself. */
  leaveOut(patterns: readonly string[]): void;
}

/** @param host shows the user what cannot be used */
export function openRules(
  input: Omit<RuleInput, "givenByHost">,
  host: Pick<Host, "logger" | "toast">,
): Rules {
  let givenByHost: readonly string[] = [];
  const current = createCurrent(async () => {
    const [{ createLook }, { findRules }] = await Promise.all([import("../look.ts"), import("./find.ts")]);
    const { logger, toast } = host;
    const { clock } = input;
    return createLook({ logger, toast, clock, what: "rules" }, async () =>
      findRules({ ...input, givenByHost }),
    );
  });
  return {
    ...current,
    leaveOut(patterns) {
      givenByHost = patterns;
    },
  };
}
