import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import { redactJson } from "../lib/redact-deep.ts";
import { dropSensitiveLines } from "../policy/search-lines.ts";
import type { Runtime } from "../runtime.ts";
import { withoutNotes } from "../memory/notes/unit-notes.ts";

/**
 * Takes out of every result in GAIA's sessions what looks like a secret, and out of what prints lines of many files those of
 * sensitive ones, and what was proposed as known and not accepted, or noted in a conversation: which files a search reads, its
 * arguments do not tell (SPEC 9).
 */
export function createHideSecretsHook({
  conversations,
  config,
  host,
  knowledge,
  redact,
}: Runtime): HookDefinition {
  const context = {
    allowSensitive: config.policy.allowSensitive,
    resolve(path: string): string | undefined {
      try {
        return realpathSync(resolve(host.directory, path));
      } catch {
        return undefined; // It was no path, or is gone.
      }
    },
  };
  return defineHook({
    id: "hide-secrets",
    event: "after-tool",
    why: "before anything else that reads a result or adds to it",
    onFailure: "closed",
    async run({ sessionId, effect, rewrite }) {
      if ((await conversations.of(sessionId)) === null) return;
      const isListing = listsLines(effect);
      const mayPrint = isListing || effect.kind === "command" || readsLearnings(effect);
      const withhold = mayPrint ? await knowledge.withoutUndecided() : (text: string) => text;
      const hide = (text: string): string => (mayPrint ? withoutNotes(withhold(text)) : text);
      rewrite((text) => redactJson(hide(isListing ? dropSensitiveLines(text, context) : text), redact));
    },
  });
}

/** Everyone reads them, and some of their lines may be nobody's yet. */
function readsLearnings(effect: ToolEffect): boolean {
  return effect.kind === "read" && effect.paths.some((path) => /learnings\.md$/i.test(path));
}

function listsLines(effect: ToolEffect): boolean {
  if (effect.kind === "command") return true;
  // OpenCode keeps the whole of a long output in a file of its own, which is read like any other.
  if (effect.kind !== "read") return false;
  return effect.searches === true || effect.paths.some((path) => /[\\/]tool-output[\\/]/.test(path));
}
