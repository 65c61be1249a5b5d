import { userInfo } from "node:os";
import { lazy } from "./async.ts";

/** The name that this machine has for the person who sits at it. */
export const personName = lazy((): string => {
  try {
    return userInfo().username;
  } catch {
    return "a person"; // Some containers know nobody by their id.
  }
});
