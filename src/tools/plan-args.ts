import * as z from "zod";
import { tidyLane } from "../conversation/lanes/lane.ts";
import { isRecord, type JsonRecord } from "../lib/json.ts";

const text = z.string().optional();

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
    "request_trust",
    "run",
  ]),
  slug: text.describe("a-z 0-9 -; default: this conversation's unit"),
  title: text,
  // OpenCode prints texts beside a call, and nothing within an object.
  content: z
    .object({
      markdown: text.describe("plan, spec, log entry, or | date | question | choice | rationale | impact |"),
    })
    .optional(),
  section: text,
  replace: z.boolean().optional().describe("may drop tasks"),
  tick: z.array(z.coerce.string()).optional().describe("tasks by number"), // Models write numbers as numbers.
  status: z.enum(["draft", "approved", "in-progress", "complete"]).optional(),
  wave_id: text,
  lane: text,
  kind: z.enum(["plan", "revision", "verification", "spec"]).optional(),
  scope: text.describe("verify: full or doc"),
  to: text.describe("run: the last wave"),
  background: z.boolean().optional().describe("run: its report comes later"),
  commit: z.boolean().optional().describe("run: a commit is wanted"),
  bullets: z.array(z.string()).optional().describe('learnings; "pattern: …" sets the kind'),
};
type Parsed = z.infer<z.ZodObject<typeof PLAN_ARGS>>;
type Flat = Omit<Parsed, "content"> & NonNullable<Parsed["content"]>;
/** The same once they are checked, the texts beside the others. What was left out is not there at all. */
export type PlanArgs = { [Name in keyof Flat]: Exclude<Flat[Name], undefined> };

/** Models also write the texts beside the others. */
export function tidyPlanArgs(given: JsonRecord): JsonRecord {
  const { markdown, rows_markdown: rows, content, ...rest } = tidyLane(given);
  if (content !== undefined && typeof content !== "string" && !isRecord(content)) return { ...rest, content };
  const text =
    markdown ?? rows ?? (isRecord(content) ? (content["markdown"] ?? content["rows_markdown"]) : content);
  return { ...rest, content: (text ?? null) === null ? {} : { markdown: text } };
}
