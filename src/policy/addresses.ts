/** Where OpenCode listens, as far as it is known. */
export interface OwnAddress {
  readonly host: string;
  readonly port: number;
}

/** OpenCode's port where nothing else is configured. */
const DEFAULT_PORT = 4096;
const PORT_OF: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ws:": 80,
  "wss:": 443,
  "ftp:": 21,
};
/** Where clouds tell a machine who it is, and give it its keys. */
const METADATA = new Set([
  "100.100.100.200",
  "192.0.0.192",
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.tencentyun.com",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
]);

const LOCAL = new Set(["localhost", "ip6-localhost", "0.0.0.0", "[::]", "[::1]"]);

/** A host as the network reads it: `2130706433`, `0x7f.1` and `127.1` are one address. */
function hostAndPort(address: string): { host: string; port: number } | null {
  const text = address.includes("://") ? address : `http://${address}`;
  if (!URL.canParse(text)) return null;
  const { hostname, port, protocol } = new URL(text);
  const host = hostname.replace(/\.$/u, "").replace(/^\[::ffff:/u, "[");
  return { host, port: port === "" ? (PORT_OF[protocol] ?? 0) : Number(port) };
}

function isLocal(host: string): boolean {
  return LOCAL.has(host) || host.endsWith(".localhost") || host.startsWith("127.") || host.startsWith("[7f");
}

/**
 * Whether an address leads to OpenCode's own server, whose interface shows keys and changes sessions (SPEC 9). On its port
 * every name with a dot counts, because any may lead back to this machine.
 * @param own null: any local address with OpenCode's usual port
 * @param machine further addresses and names of this machine
 */
export function isOwnServer(address: string, own: OwnAddress | null, machine: readonly string[]): boolean {
  const place = hostAndPort(address);
  if (place === null || (place.port !== DEFAULT_PORT && place.port !== own?.port)) return false;
  if (isLocal(place.host) || place.host === own?.host || machine.includes(place.host)) return true;
  const isCommon = place.port === 80 || place.port === 443;
  return place.port === own?.port && !isCommon && /[a-z]/u.test(place.host) && place.host.includes(".");
}

/** Whether an address is the service where a cloud gives a machine its keys (SPEC 9). */
export function isMetadataService(address: string): boolean {
  const host = hostAndPort(address)?.host ?? "";
  return host.startsWith("169.254.") || host.startsWith("[a9fe:") || METADATA.has(host);
}
