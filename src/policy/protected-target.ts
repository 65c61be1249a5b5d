import { isAbsolute, resolve } from "node:path";
import { isHookPath, isProtectedPath } from "./protected-path.ts";

/** What a call would change, or call, although only a person may. */
export interface ProtectedTarget {
  /** `address`: OpenCode's own server. `hook`: what git may run by itself, which a person is asked about. */
  readonly kind: "path" | "address" | "hook";
  /** As the call names it. */
  readonly text: string;
}

export interface ProtectionContext {
  /** The absolute path of the folder that relative paths start from. */
  readonly folder: string;
  /** Absolute paths of the user's folders of OpenCode and of this plugin. */
  readonly userFolders: readonly string[];
  readonly server: OwnAddress | null;
  /** Names and addresses of this machine. */
  readonly machine: readonly string[];
  /** Gives the real path of a file that may not exist yet. */
  realPath(path: string): string;
}

/** The first protected file or folder among those that are changed, links followed. */
export function findProtected(paths: readonly string[], context: ProtectionContext): ProtectedTarget | null {
  let hook: ProtectedTarget | null = null;
  for (const text of paths) {
    const full = resolve(context.folder, text);
    // A shell leaves `..` to the system, for which it leads out of where a link points.
    const written = isAbsolute(text) ? text : `${context.folder}/${text}`;
    const places = [full, context.realPath(full), context.realPath(written)];
    if (places.some((path) => isProtectedPath(path, context.userFolders))) return { kind: "path", text };
    if (places.some(isHookPath)) hook ??= { kind: "hook", text };
  }
  return hook;
}

/** The first address of OpenCode's own among those that are called. */
export function findOwnAddress(
  addresses: readonly string[],
  { server, machine }: ProtectionContext,
): ProtectedTarget | null {
  const text = addresses.find((address) => isOwnServer(address, server, machine));
  return text === undefined ? null : { kind: "address", text };
}

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
