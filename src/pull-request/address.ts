import { visible } from "../lib/visible.ts";

/** A project on a forge. */
export interface Address {
  readonly host: string;
  /** `owner/name`, with groups before it where there are some. */
  readonly path: string;
}

const ADDRESS =
  /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/|(?:[^/@\s:]+@)?([\w.-]{2,}):(?!\/\/))\/*(.+)$/i;

/** Where a remote's address leads; null for a folder, and for what is not read. */
export function readAddress(url: string): Address | null {
  const [, named, short = "", rest = ""] = ADDRESS.exec(url) ?? [];
  const path = rest.replace(/(?:\.git)?\/*$/, "");
  return /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) ? { host: (named ?? short).toLowerCase(), path } : null;
}

/** An address as people may see it: without the login, and without characters that are not seen. */
export function showAddress(url: string): string {
  const address = readAddress(url);
  return visible(address === null ? url.replace(/:\/\/[^/@]*@/, "://") : `${address.host}/${address.path}`);
}
