import * as z from "zod/mini";
import { LANES, readLane } from "../../conversation/lanes/lane.ts";
import { describe } from "../../lib/schema.ts";

const text = z.optional(z.string());

/** The kind of work; checked by hand, for what stands in a schema is paid for with each request. */
export const LANE_ARG = z.optional(
  z.string().check(z.refine((lane) => readLane(lane) !== undefined, `one of ${LANES.join(", ")}`)),
);

/** The arguments of `plan_gaia`; what only one operation needs is optional. */
export const PLAN_ARGS = {
  op: z.enum([
    "create_work_unit",
    "read_work_unit",
    "list_work_units",
    "set_active",
    "update_plan",
    "write_spec",
    "append_log",
    "append_decisions",
    "append_learnings",
    "open_wave",
    "complete_wave",
    "request_approval",
    "verify",
    "archive_work_unit",
    "request_pr",
    "next_version",
    "find_pattern",
    "run",
    "commit",
  ]),
  slug: describe(text, "a-z 0-9 -; default: this conversation's"),
  title: text,
  // OpenCode prints texts beside a call, and nothing within an object.
  content: z.optional(
    z.object({
      markdown: describe(text, "plan, spec, log entry, or | date | question | choice | rationale | impact |"),
    }),
  ),
  section: text,
  replace: describe(z.optional(z.boolean()), "may drop tasks"),
  tick: describe(z.optional(z.array(z.string())), "tasks by number"),
  status: z.optional(z.enum(["draft", "approved", "in-progress", "complete"])),
  wave_id: text,
  dir: text,
  lane: LANE_ARG,
  kind: z.optional(z.enum(["plan", "verification", "spec"])),
  scope: describe(text, "full, doc"),
  to: describe(text, "run: last wave"),
  background: describe(z.optional(z.boolean()), "run: report later"),
  commit: describe(text, "message"),
  files: z.optional(z.array(z.string())),
  bullets: describe(z.optional(z.array(z.string())), 'learnings, as "pattern: …"'),
};
type Parsed = z.infer<z.ZodMiniObject<typeof PLAN_ARGS>>;
type Flat = Omit<Parsed, "content"> & NonNullable<Parsed["content"]>;
/** The same once they are checked, the texts beside the others. What was left out is not there at all. */
export type PlanArgs = { [Name in keyof Flat]: Exclude<Flat[Name], undefined> };
