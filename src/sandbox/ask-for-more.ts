/** What a command asks for beyond its containment: the network, or none at all. */
export type Request = "network" | "off";

/** The variable with which a command asks, as its first word: the user reads it in the dialog. */
const REQUEST = /^\s*GAIA_SANDBOX=(?:(["']?)(network|off)\1)(?=\s)/u;

/** What the first word of a command asks for; null for nothing. The dialog shows that word in front of the command. */
export function requestOf(command: string): Request | null {
  const found = REQUEST.exec(command)?.[2];
  return found === "network" || found === "off" ? found : null;
}
