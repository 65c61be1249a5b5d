/** What bubblewrap says where something went away while it hid it: nothing ran. */
export const WENT_AWAY = /^bwrap: (?:Can't|Unable to) /mu;

/** What a containment looks like from within, and what is missing. */
const CAUSES: readonly (readonly [pattern: RegExp, missing: "path" | "network" | "namespace" | "place"])[] = [
  [
    /Could not resolve host|Temporary failure in name resolution|Name or service not known|getaddrinfo (?:EAI_AGAIN|ENOTFOUND)|EAI_AGAIN|ENETUNREACH|Network is unreachable|no such host|dial tcp: lookup|failed to lookup address|Could not resolve proxy|nodename nor servname/iu,
    "network",
  ],
  [WENT_AWAY, "place"],
  [/No usable sandbox|SUID sandbox|uid_map|cannot clone|unshare failed/iu, "namespace"],
  [/Read-only file system|EROFS|Device or resource busy|EBUSY|Operation not permitted|EPERM/iu, "path"],
];
/** Only the end of an output says why it ended. */
const LOOKED_AT = 8_000;

/**
 * One sentence that names what a contained command lacked, and how to ask for it; null where its output shows no such cause.
 * @param mayAsk whether a person would be asked
 */
export function explainFailure(
  output: string,
  { project, network }: { readonly project: "write" | "read"; readonly network: boolean },
  mayAsk: boolean,
): string | null {
  const end = output.slice(-LOOKED_AT);
  const found = CAUSES.find(([pattern, missing]) => pattern.test(end) && !(missing === "network" && network));
  if (found === undefined) return null;
  const [, missing] = found;
  if (missing === "place") {
    return "[GAIA: this command did not run: a file or socket went away while it was being contained. Run it again.]";
  }
  const what =
    missing === "network"
      ? "it has no network"
      : missing === "namespace"
        ? "it makes no user namespace, so no sandbox of its own; start a browser with --no-sandbox"
        : project === "read"
          ? "it may change nothing"
          : "it may write only in the project, a private /tmp and caches of its own, and there neither settings nor .git/hooks and .git/config";
  const ask = missing === "network" ? "GAIA_SANDBOX=network" : "GAIA_SANDBOX=off";
  const how = mayAsk
    ? ` If that is what failed and the task needs it, run it again with \`${ask} \` in front: the user is asked.`
    : "";
  return `[GAIA: this command ran contained: ${what}.${how}]`;
}
