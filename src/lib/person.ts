import { userInfo } from "node:os";

/** The name that this machine has for the person who sits at it. */
export function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return "a person"; // Some containers know nobody by their id.
  }
}
