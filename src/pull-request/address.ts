import { visible } from "../lib/visible.ts";

/** A project on a forge. */
export interface Address {
  readonly host: string;
  /** `owner/name`, with groups before it where there are some. */
  readonly path: string;
}

const ADDRESS =
  /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/|(?:[^/@\s:]+@)?([\w.-]{2,}):(?!\/\/))\/*(.+)$/i;

/** Names under which GitHub and GitLab take ssh where its own port is closed. */
const BESIDE = /^(?:ssh\.(?=github\.com$)|altssh\.(?=gitlab\.com$))/;

/** Where a remote's address leads; null for a folder, and for what is not read. */
export function readAddress(url: string): Address | null {
  const [, named, short = "", rest = ""] = ADDRESS.exec(url) ?? [];
  const path = rest.replace(/(?:\.git)?\/*$/, "");
  const host = (named ?? short).toLowerCase().replace(BESIDE, "");
  return /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) ? { host, path } : null;
}

/** Whether two hosts may be one: names of the user's own, of ssh, may lead anywhere, and a forge has others below its own. */
export function mayBeOne(one: Address, other: Address): boolean {
  const [a, b] = [one.host, other.host];
  return !a.includes(".") || !b.includes(".") || `.${a}`.endsWith(`.${b}`) || `.${b}`.endsWith(`.${a}`);
}

/** An address as people may see it: without what logs in, and without characters that are not seen. */
export function showAddress(url: string): string {
  const address = readAddress(url);
  const shown = url.replace(/:\/\/(?:[^/]*@)?([^?#]*).*$/s, "://$1");
  // A password may hold a slash, and be written where none belongs.
  const bare = shown.replace(/:\/\/.*@/s, "://").replace(/^[^/@]*:[^/@]*@/, "");
  return visible(address === null ? bare : `${address.host}/${address.path}`);
}
