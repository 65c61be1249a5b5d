/** Where OpenCode listens, as far as it is known. */
export interface OwnAddress {
  readonly host: string;
  readonly port: number;
}

/** OpenCode's port where nothing else is configured. */
export const DEFAULT_PORT = 4096;

/** What a host's name is made of, in any script and spelling, as the network would have it in a URL. */
const HOST = String.raw`(\[[0-9a-f:.%]{2,64}\]|[^\s/@"'\x60\\:?#()<>{}[\],;=|&$]{1,253})`;
/** A place without a port, as a scheme begins it. */
const PLACE = new RegExp(String.raw`\b(https?):\/\/(?:[^\s/@"'\x60]{0,256}@)?${HOST}(?!:\d)`, "giu");
const BEFORE_PORT = new RegExp(`${HOST}:0*$`, "iu");
const BEFORE_DEVICE_PORT = /\/dev\/(?:tcp|udp)\/([^/\s"']{1,253})\/0*$/iu;
/** Ports that many servers have, so that a name with one of them says nothing. */
const COMMON = new Set([80, 443]);
/** Hosts with the port in one text; among more, any could be its own. */
const MAX_HOSTS = 500;
/** Characters before a port in which its host stands. */
const MAX_BEFORE = 280;

/** Hosts that were read lately: the same few names come again and again. */
const read = new Map<string, string | undefined>();
const MAX_READ = 512;

/** A host as the network reads it: `2130706433`, `0x7f.1` and `127.1` are one address. Undefined for what is no host. */
export function hostOf(text: string): string | undefined {
  if (!read.has(text)) {
    if (read.size >= MAX_READ) read.clear();
    read.set(text, parseHost(text));
  }
  return read.get(text);
}

function parseHost(text: string): string | undefined {
  try {
    // The zone in an address in brackets is no part of it, and is not understood.
    return new URL(`http://${text.replace(/^(\[[^\]%]*)%[^\]]*/u, "$1")}/`).hostname.replace(/\.$/u, "");
  } catch {
    return undefined; // Only a guess was made that this is a host.
  }
}

function isLocal(host: string): boolean {
  if (/^(?:.+\.)?localhost$|^ip6-(?:localhost|loopback)$|^127\.|^0\.0\.0\.0$|^\[::1?\]$/u.test(host))
    return true;
  return /^\[::ffff:(?:7f[0-9a-f]{2}:|0:0\])/u.test(host);
}

/**
 * Whether a text names OpenCode's own server, whose interface shows keys and changes sessions (SPEC 9). On its port every
 * name counts, because any name may lead back to this machine.
 * @param own absent: any local address with OpenCode's usual port
 * @param machine further addresses and names of this machine
 */
export function namesOwnAddress(text: string, own?: OwnAddress, machine: readonly string[] = []): boolean {
  const isOwn = (host: string, port: number): boolean => {
    const plain = hostOf(host);
    if (plain === undefined) return false;
    if (isLocal(plain) || [own?.host ?? "", ...machine].some((name) => hostOf(name) === plain)) return true;
    return port === own?.port && !COMMON.has(port) && /[a-z]/u.test(plain) && plain.includes(".");
  };
  return [...new Set([DEFAULT_PORT, own?.port ?? DEFAULT_PORT])].some((port) => {
    const hosts = hostsBefore(text, `${port}`);
    if (hosts.size > MAX_HOSTS) return true;
    for (const host of hosts) if (isOwn(host, port)) return true;
    if (!COMMON.has(port)) return false;
    const usual = port === 443 ? "https" : "http";
    return [...text.matchAll(PLACE)].some(
      ([, scheme = "", host = ""]) => scheme.toLowerCase() === usual && isOwn(host, port),
    );
  });
}

/** The hosts that a text names with a port; looked for from the port on, in time that grows with the text alone. */
function hostsBefore(text: string, port: string): Set<string> {
  const places = new Set<string>();
  for (let at = text.indexOf(port); at !== -1; at = text.indexOf(port, at + 1)) {
    if (/\d/u.test(text.charAt(at + port.length)) || !/[:/0]/u.test(text.charAt(at - 1))) continue;
    const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
    places.add(before.split(/\s/u).at(-1) ?? "");
  }
  const hosts = [...places].map((place) => (BEFORE_PORT.exec(place) ?? BEFORE_DEVICE_PORT.exec(place))?.[1]);
  return new Set(hosts.filter((host) => host !== undefined));
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
