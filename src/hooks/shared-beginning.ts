import { defineHook, type HookDefinition } from "../host/hook.ts";

/**
 * Says a specialist's role at the end of its system prompt. The host begins with it; behind what the host adds, which is the
 * same for all, specialists with the same tools send the same bytes up to their role, and what the provider has cached of
 * one serves the others. Known by the text alone, so that every request of a session is put together alike.
 * @param roles the specialists' prompts as the host has them, the user's own changes included
 */
export function createSharedBeginningHook(roles: () => readonly string[]): HookDefinition {
  return defineHook({
    id: "shared-beginning",
    event: "before-request",
    why: "before project-context, which adds to the end",
    onFailure: "open",
    run({ parts, moveToEnd }) {
      const [first = ""] = parts;
      const role = roles()
        .filter((each) => first.startsWith(each))
        .reduce((longest, each) => (each.length > longest.length ? each : longest), "");
      if (role !== "") moveToEnd(role);
    },
  });
}
