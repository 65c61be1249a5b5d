/** What a command asks for beyond its sandbox: the network, or to run without it. */
export type SandboxRequest = "network" | "off";

/** The variable with which a command asks, as its first word: the user reads it in the dialog. */
const REQUEST = /^\s*GAIA_SANDBOX=(["']?)(network|off)\1\s+/u;

/** A command taken apart: what its first word asks for, null for nothing, and the rest of it. */
export function readRequest(command: string): {
  readonly asks: SandboxRequest | null;
  readonly rest: string;
} {
  const found = REQUEST.exec(command);
  const asks = found?.[2];
  if (found === null || (asks !== "network" && asks !== "off")) return { asks: null, rest: command };
  return { asks, rest: command.slice(found[0].length) };
}
