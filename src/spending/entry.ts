import * as z from "zod/mini";
import type { Amount } from "../lib/figures.ts";
import { parseJson } from "../lib/json.ts";
import { orElse, savedCount, savedFlag } from "../lib/schema.ts";
import { lazy } from "../lib/async.ts";

/** A line of the journal. Times are milliseconds of the system's clock; no figure is below zero. */
const entrySchema = lazy(() => {
  const text = orElse(z.string(), "");
  const name = orElse(z.nullable(z.string()), null);
  const figure = savedCount();
  const amount = { requests: figure, input: figure, output: figure, cached: figure, cost: figure };
  /** The conversation's session, and the one that the request was sent in; no unit for work that belongs to none, yet. */
  const place = { root: text, session: text, agent: text, model: name, unit: name, wave: name };
  return z.discriminatedUnion("kind", [
    /** A request, or the rest of one that was written down before its end. */
    z.object({ kind: z.literal("spent"), at: figure, ...place, ...amount }),
    /** The user let a budget be used up once more. */
    z.object({ kind: z.literal("grant"), at: figure, scope: text }),
    /** A unit was archived, and leaves its name to another. */
    z.object({ kind: z.literal("end"), at: figure, unit: text, archived: text }),
    /** What a specialist did for one delegation. */
    z.object({
      kind: z.literal("task"),
      at: figure,
      end: figure,
      ...place,
      title: text,
      status: text,
      verdict: text,
      isRepaired: savedFlag(),
      /** The number of the plan's task; null for other work. */
      task: orElse(z.nullable(z.number()), null),
      files: orElse(z.array(z.object({ path: text, added: figure, removed: figure })), []),
    }),
  ]);
});

export type SpendingEntry = Readonly<z.infer<ReturnType<typeof entrySchema>>>;
/** Where the requests of a session belong. */
export type Place = Omit<Extract<SpendingEntry, { kind: "spent" }>, "kind" | "at" | keyof Amount>;

/** Reads a line; null for one that is none: a kill may have torn it. */
export function parseEntry(line: string): SpendingEntry | null {
  return entrySchema().safeParse(parseJson(line)).data ?? null;
}
