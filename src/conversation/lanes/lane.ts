import * as z from "zod/mini";
import { plainName } from "../../lib/nearest-name.ts";
import { textOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { orElse, readSaved, savedFlag, savedText } from "../../lib/saved.ts";

/** The kinds of work, by which it is decided what is required (SPEC 12). */
export const LANES = [
  "trivial",
  "quick-fix",
  "bug",
  "feature",
  "refactor",
  "infra",
  "review",
  "docs",
  "verify",
] as const;
export type LaneName = (typeof LANES)[number];

const MAX_TEXT = 300;

/** What is damaged counts as not proven. */
const laneSchema = lazy(() => {
  const text = savedText(MAX_TEXT);
  const command = orElse(z.nullable(z.string().check(z.maxLength(MAX_TEXT))), null);
  const standing = z.union([
    z.object({ kind: z.enum(["proven", "passes"]), by: z.string().check(z.minLength(1)) }),
    z.object({ kind: z.enum(["claimed", "failed"]), why: text }),
  ]);
  return z.object({
    name: z.enum(LANES),
    /** Someone said so; else it follows from what is done. */
    isSaid: savedFlag(),
    /** Who changed files for it first; the session is empty before it has begun. */
    editor: orElse(z.nullable(z.object({ agent: text, call: text, session: text })), null),
    /** Of a bug: its cause was found. */
    hasCause: savedFlag(),
    /** The command that is to show the work, as a delegation named it; and one that the host saw failing before it. */
    verify: command,
    red: command,
    /** Whether anything but documents was changed. */
    changesCode: savedFlag(true),
    /** null as long as nothing was changed by someone who has ended. */
    standing: orElse(z.nullable(standing), { kind: "claimed", why: "" }),
    /** The user has spoken since it was done: what comes next is other work. */
    isOver: savedFlag(),
  });
});

/** The work that a conversation is at; plain JSON, for it survives a restart. */
export type WorkLane = Readonly<z.infer<ReturnType<typeof laneSchema>>>;

/**
 * Where changed work stands on the files as they are (SPEC 11): green and seen red before the work, green and nothing more, red,
 * or no more than said, and why.
 */
export type LaneStanding = NonNullable<WorkLane["standing"]>;

/** The kind of work of this name, whatever its case and separators; undefined for none. */
export function readLane(value: unknown): LaneName | undefined {
  const name = plainName(textOf(value) ?? "");
  return LANES.find((each) => plainName(each) === name);
}

export function newLane(name: LaneName, isSaid: boolean): WorkLane {
  return laneSchema().parse({ name, isSaid, changesCode: false, standing: null });
}

export function renderStanding(standing: LaneStanding): string {
  if ("why" in standing)
    return standing.kind === "failed" ? `failed: ${standing.why}` : `claimed, not proven: ${standing.why}`;
  if (standing.kind === "proven") return `proven by ${standing.by}`;
  return `passes ${standing.by}, which was not seen failing before the work`;
}

/** @returns null for what is no lane */
export function readSavedLane(saved: unknown): WorkLane | null {
  return readSaved(laneSchema(), [saved], 1)[0] ?? null;
}
