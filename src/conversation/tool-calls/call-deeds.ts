import type { Deed, DeniedBy } from "../../delegation/deeds.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { type ToolPlace, renderTarget, type RunningCall } from "./tool-fact.ts";

/** OpenCode's words for a call that was not allowed, in its dialog or by its rules. */
const DENIED = /rejected permission|(specified a rule)/i;
/** The plugin's own words behind a rejection that it gave itself, and where it gave it because nobody is there. */
const BY_PLUGIN = /feedback: Refused(.*nobody is here)?/s;

/** What comes of it stands behind its name, in a line that is bounded. */
const MAX_TARGET = 60;

type Known = Pick<RunningCall, "callId" | "sessionId" | "effect" | "examination" | "isRecord" | "target">;

/** Tells what became of a specialist's calls that were to change or to run something. */
export interface CallDeeds {
  done(call: Known): void;
  /** The plugin has not let it run. */
  refused(call: Known, place: ToolPlace): void;
  /** @param error OpenCode's words @returns whether it was not allowed to run */
  failed(call: Known & Pick<RunningCall, "place">, error: string): boolean;
}

/** What is needed to tell it. */
export interface CallDeedsInput {
  readonly redact: Redactor;
  /** Whether the process carries out one request, with nobody to ask. */
  readonly isOneShot: boolean;
  wasRejected(callId: string): boolean;
  note(sessionId: string, deed: Deed): void;
}

export function createCallDeeds({ redact, isOneShot, wasRejected, note }: CallDeedsInput): CallDeeds {
  // A look is no deed, nor is a line of the record.
  const isDeed = (call: Known): boolean =>
    (call.effect.kind === "edit" || call.effect.kind === "command") &&
    call.examination.effect !== "read" &&
    !call.isRecord;
  const denied = (call: Known, place: ToolPlace, by: DeniedBy): void => {
    if (!isDeed(call)) return;
    const target = excerpt(renderTarget(call.target, place, redact), MAX_TARGET);
    const what = call.effect.kind === "edit" ? `the edit of ${target}` : `\`${target}\``;
    note(call.sessionId, { kind: "denied", what, by });
  };
  const deniedBy = (callId: string, error: string): DeniedBy | null => {
    const own = BY_PLUGIN.exec(error);
    if (own !== null) return own[1] === undefined ? "plugin" : "nobody";
    const told = DENIED.exec(error);
    if (told?.[1] !== undefined) return "rule";
    if (told === null && !wasRejected(callId)) return null;
    return isOneShot ? "nobody" : "user";
  };
  return {
    done(call) {
      if (isDeed(call)) note(call.sessionId, { kind: "done" });
    },
    refused(call, place) {
      denied(call, place, "plugin");
    },
    failed(call, error) {
      const by = deniedBy(call.callId, error);
      if (by !== null) denied(call, call.place, by);
      return by !== null;
    },
  };
}
