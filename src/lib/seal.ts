import { createHmac, randomBytes } from "node:crypto";
import { lazy } from "./async.ts";

/** Makes of a text what only who knows the user's key can make: so a note in a project's folder is known as the user's own. */
export type Seal = (text: string) => string;

/** Where the user's key can be neither read nor made, seals hold until the process ends. */
const KEY_OF_PROCESS = randomBytes(32).toString("hex");

/** @param load gives the user's key; what it throws is not passed on */
export function createSeal(load: () => string = () => KEY_OF_PROCESS): Seal {
  const key = lazy(() => {
    try {
      return load();
    } catch {
      return KEY_OF_PROCESS;
    }
  });
  // The key has other uses, in which no text begins like this one.
  return (text) =>
    createHmac("sha256", key())
      .update(JSON.stringify({ sealed: text }))
      .digest("hex");
}
