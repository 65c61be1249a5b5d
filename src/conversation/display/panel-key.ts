import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownDataFolder } from "../../lib/folders.ts";
import type { Seal } from "../../lib/seal.ts";

/** Where the secret lies that only the plugin's two halves share, on this machine and for this user. */
export function panelKeyPath(environment: Readonly<Record<string, string | undefined>>): string {
  return join(ownDataFolder(environment), "panel.key");
}

/**
 * The shared secret; the half that comes first makes it. A link puts it in place whole, so that neither reads a part of it
 * and of two that come at once one wins.
 * @throws what the system says when it can be neither read nor made
 */
export function loadPanelKey(path: string): string {
  try {
    return readKey(path);
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
    writeFileSync(temporary, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return readKey(path);
  }
}

function readKey(path: string): string {
  const key = readFileSync(path, "utf8").trim();
  if (/^[0-9a-f]{64}$/.test(key)) return key;
  // A crash of the machine has left it so: all that it sealed is lost.
  rmSync(path, { force: true });
  throw new Error(`${path} held no key.`);
}

/** A value for a session's metadata, which every client of OpenCode can write, and what shows that the user's plugin wrote it. */
export function sealed(value: unknown, seal: Seal) {
  const text = JSON.stringify(value);
  return { text, seal: seal(text) };
}
