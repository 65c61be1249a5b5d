import type { SandboxConfig } from "../config/sandbox.ts";
import type { ContainmentProfile } from "./profile.ts";

/** By whose rules a command runs: those of an agent of ours, or of one of the user's own (`guest`). */
export type SandboxRole = "reader" | "checker" | "editor" | "guest";

export interface SandboxQuestion {
  readonly mode: SandboxConfig["mode"];
  /** Whether a sandbox was tried out and works. */
  readonly isAvailable: boolean;
  /** Whether the configuration gives the sandbox the network. */
  readonly network: boolean;
  readonly role: SandboxRole;
  readonly isLocked: boolean;
  /** Autopilot, or a wave that the user approved. */
  readonly isCovered: boolean;
  /** The host runs the project's code outside of any sandbox, so a person reads what may change it. */
  readonly escapes: boolean;
  /** Its programs are on the short list of those that only read. */
  readonly reads: boolean;
  /** A pattern of the user's own names it, with what it asks for. */
  readonly isAllowed: boolean;
  /** A person read this very command in a dialog and said yes. */
  readonly isApproved: boolean;
  /** It plainly deletes what nothing holds. */
  readonly deletes: boolean;
  readonly asks: "network" | "off" | null;
}

/** `run` without a profile: as it is. `ask`: a person has to read and approve exactly this command first. */
export type SandboxDecision =
  | { readonly kind: "run"; readonly profile: ContainmentProfile | null }
  | { readonly kind: "ask" }
  | { readonly kind: "refuse"; readonly why: "locked" | "no sandbox" | "always sandboxed" };

const AS_IT_IS: SandboxDecision = { kind: "run", profile: null };
const ASK: SandboxDecision = { kind: "ask" };

/** The one rule (SPEC 9): a command runs in a sandbox, or a person has read and approved exactly that command. */
export function decideSandbox(question: SandboxQuestion): SandboxDecision {
  const { mode, role, isLocked, isCovered, reads, isAllowed, isApproved, deletes, asks, escapes } = question;
  const isSandboxed = question.isAvailable && (mode === "auto" || mode === "on");
  const network = question.network || (asks === "network" && (isApproved || isAllowed));
  if (isLocked) {
    if (asks !== null) return { kind: "refuse", why: "locked" };
    if (isSandboxed) return run({ project: "read", network: false, caches: role === "checker" });
    return reads ? AS_IT_IS : { kind: "refuse", why: "locked" };
  }
  if (mode === "on" && !isSandboxed) return { kind: "refuse", why: "no sandbox" };
  if (mode === "on" && asks === "off") return { kind: "refuse", why: "always sandboxed" };
  const contained = run({ project: "write", network, caches: true });
  if (role === "guest") return mode === "on" ? contained : AS_IT_IS;
  if (isApproved) return isSandboxed && (asks === "network" || mode === "on") ? contained : AS_IT_IS;
  if (mode === "machine" && (isCovered || isAllowed || reads || role !== "editor")) return AS_IT_IS;
  if (deletes || (asks !== null && !isAllowed)) return ASK;
  if (!isSandboxed) return reads || isAllowed ? AS_IT_IS : ASK;
  if (asks === "off") return AS_IT_IS;
  if (role === "checker" && !escapes) return contained;
  if (role === "editor" && ((isCovered && !escapes) || isAllowed)) return contained;
  return role === "reader" || reads ? run({ project: "read", network, caches: false }) : ASK;
}

function run(profile: ContainmentProfile): SandboxDecision {
  return { kind: "run", profile };
}
