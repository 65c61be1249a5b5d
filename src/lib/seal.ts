import { createHmac, randomBytes } from "node:crypto";

/** Makes of a text what only who knows the user's key can make: so a note in a project's folder is known as the user's own. */
export type Seal = (text: string) => string;

/** Where the user's key can be neither read nor made, seals hold until the process ends. */
const PROCESS_KEY = randomBytes(32).toString("hex");

/** @param load gives the user's key; what it throws is not passed on */
export function createSeal(load: () => string = () => PROCESS_KEY): Seal {
  let key = "";
  return (text) => {
    try {
      key ||= load();
    } catch {
      key = PROCESS_KEY;
    }
    // The key has other uses, in which no text begins like this one.
    const begun = JSON.stringify({ sealed: text });
    return createHmac("sha256", key).update(begun).digest("hex");
  };
}
