/** Where OpenCode listens, as far as it is known. */
export interface OwnAddress {
  readonly host: string;
  readonly port: number;
}

/** OpenCode's port where nothing else is configured. */
export const DEFAULT_PORT = 4096;

/**
 * A host and a port in a text: with a scheme or without, a name, an address of any spelling, or one in brackets. Each part is
 * bounded, so that the time grows with the length of the text alone.
 */
const PLACE =
  /(?:([a-z][a-z0-9+.-]{0,30}):\/\/)?(?:[^\s/@"'`]{0,256}@)?(\[[0-9a-f:.%]{2,64}\]|[\w.-]{1,253})(?::(\d{1,5}))?(?![\w.-])/giu;
const DEVICE = /\/dev\/(?:tcp|udp)\/([^/\s"']{1,253})\/(\d{1,5})/giu;
/** Ports that many servers have, so that a name with one of them says nothing. */
const COMMON = new Set([80, 443]);
/** Characters of one text that are searched. */
const MAX_LENGTH = 64 * 1024;

/** A host as the network reads it: `2130706433`, `0x7f.1` and `127.1` are one address. Undefined for what is no host. */
function hostOf(text: string): string | undefined {
  try {
    return new URL(`http://${text.replace(/%[^\]]*/u, "")}/`).hostname.replace(/\.$/u, "");
  } catch {
    return undefined; // Only a guess was made that this is a host.
  }
}

function isLocal(host: string): boolean {
  if (/^(?:.+\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$/u.test(host)) return true;
  return /^\[::ffff:(?:7f[0-9a-f]{2}:|0:0\])/u.test(host);
}

/**
 * Whether a text names OpenCode's own server, whose interface shows keys and changes sessions (SPEC 9). On its port every
 * name counts, because any name may lead back to this machine.
 * @param own absent: any local address with OpenCode's usual port
 * @param machine further addresses and names of this machine
 */
export function namesOwnAddress(text: string, own?: OwnAddress, machine: readonly string[] = []): boolean {
  const ports = new Set([DEFAULT_PORT, own?.port ?? DEFAULT_PORT]);
  const searched = text.slice(0, MAX_LENGTH);
  if (![...ports].some((port) => COMMON.has(port) || searched.includes(String(port)))) return false;
  const known = new Set([own?.host ?? "", ...machine].map((name) => hostOf(name)));
  const isOwn = (host: string, port: number): boolean => {
    if (!ports.has(port)) return false;
    const plain = hostOf(host);
    if (plain === undefined) return false;
    if (isLocal(plain) || known.has(plain)) return true;
    return (
      own !== undefined &&
      port === own.port &&
      !COMMON.has(port) &&
      /[a-z]/u.test(plain) &&
      plain.includes(".")
    );
  };
  for (const [, host = "", port = ""] of searched.matchAll(DEVICE))
    if (isOwn(host, Number(port))) return true;
  for (const [, scheme = "", host = "", port] of searched.matchAll(PLACE)) {
    const usual = scheme.toLowerCase() === "https" ? 443 : scheme.toLowerCase() === "http" ? 80 : undefined;
    const number = port === undefined ? usual : Number(port);
    if (number !== undefined && isOwn(host, number)) return true;
  }
  return false;
}

/** Whether the arguments of a program name OpenCode's own server in two of them, as in `nc localhost 4096`. */
export function splitsOwnAddress(
  args: readonly string[],
  own?: OwnAddress,
  machine: readonly string[] = [],
): boolean {
  return args.some((host, index) =>
    args
      .slice(index + 1, index + 3)
      .some((port) => /^\d{1,5}$/u.test(port) && namesOwnAddress(`${bracketed(host)}:${port}`, own, machine)),
  );
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
