import type { Request } from "./ask-for-more.ts";
import type { ContainmentProfile } from "./profile.ts";

/** `auto`: what nobody looks at before it runs. `on`: everything. */
export type SandboxMode = "auto" | "on" | "off";

/** What decides whether a command of a GAIA session is contained, and how. */
export interface ContainmentQuestion {
  readonly sandbox: SandboxMode;
  /** Whether the configuration leaves the network on. */
  readonly network: boolean;
  readonly isLocked: boolean;
  /** Autopilot, or a wave that the user approved: nobody is asked. */
  readonly isCovered: boolean;
  /** The agent may only read, or the command was judged to do no more. */
  readonly onlyReads: boolean;
  /** It does nothing but run the project's checks, which write their results. */
  readonly isCheck: boolean;
  /** A person read this very command in a dialog and said yes, or allows such commands in their configuration. */
  readonly isApproved: boolean;
  readonly asks: Request | null;
}

/**
 * How a command is contained; null when it runs as it is (SPEC 9). What a person has read and allowed runs as asked, unless
 * everything is to be contained; a request counts only with such a yes.
 */
export function decideContainment(question: ContainmentQuestion): ContainmentProfile | null {
  const { sandbox, isLocked, isCovered, onlyReads, isCheck, isApproved, asks } = question;
  if (sandbox === "off") return null;
  if (isLocked) return { project: "read", network: false, caches: isCheck };
  const network = question.network || (isApproved && asks === "network");
  if (onlyReads && !isCheck) return { project: "read", network, caches: false };
  const contained = { project: "write", network, caches: true } as const;
  if (sandbox === "on") return contained;
  if (isApproved) return asks === "network" ? contained : null;
  return isCovered ? contained : null;
}
