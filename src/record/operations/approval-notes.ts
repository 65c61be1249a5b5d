import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import { digestPlan } from "../../plan/update.ts";
import type { GaiaReader, GaiaWriter } from "../store/gaia-files.ts";
import type { OperationContext } from "./context.ts";
import { defineLocal, readEntries, withEntry } from "./local.ts";

/**
 * What was approved, in the folder that no agent may write: a status line in the plan is text, and text approves nothing
 * (SPEC 2.7). Like the active unit it is a fact about this checkout. A repository can bring such a file along, so a yes
 * counts with its seal alone.
 */
const schema = lazy(() =>
  z.object({
    digest: z._default(z.string(), ""),
    base: z._default(z.nullable(z.string()), null),
    by: z._default(z.enum(["user", "autopilot"]), "autopilot"),
    seal: z._default(z.string(), ""),
    /** The plan to which the user said no last; gone with the next yes. */
    rejected: z.optional(z.string()),
  }),
);
type Noted = z.infer<ReturnType<typeof schema>>;
/** What cannot be read approves nothing. */
const approvals = defineLocal("approvals.json", (value): ReadonlyMap<string, Noted> =>
  readEntries(schema(), value),
);

/**
 * Whether the plan, as it reads now, is the one that was approved. One to which the user said no stays rejected, however
 * it is reworded, until they say yes to it.
 */
export type PlanStanding = "approved" | "changed" | "unapproved" | "rejected";

/** How a text stands as the plan of a unit. */
export interface PlanApproval {
  readonly standing: PlanStanding;
  /** The revision that the project was at when the plan was approved; null when unknown. */
  readonly base: string | null;
  /** Who approved it: a person in a dialog, or autopilot in their name; null where nobody has. */
  readonly by: "user" | "autopilot" | null;
  /** Whether the user said no to exactly this text. */
  readonly refused: boolean;
}

/** Compares a text with what was said of the unit's plan. */
export async function planApprovalOf(
  { seal }: OperationContext,
  reader: GaiaReader,
  unit: string,
  text: string,
): Promise<PlanApproval> {
  const noted = (await approvals.read(reader)).get(unit);
  if (noted === undefined) return { standing: "unapproved", base: null, by: null, refused: false };
  const digest = digestPlan(text);
  const isUsers = noted.seal === (await seal(sealed(unit, noted)));
  const yes = { base: isUsers ? noted.base : null, by: isUsers ? noted.by : null };
  if (noted.rejected === digest) return { standing: "rejected", ...yes, refused: true };
  if (isUsers && noted.digest === digest) return { standing: "approved", ...yes, refused: false };
  if (noted.rejected !== undefined) return { standing: "rejected", ...yes, refused: false };
  return { standing: isUsers ? "changed" : "unapproved", ...yes, refused: false };
}

/** Notes a yes, sealed. */
export async function noteYes(
  { seal }: OperationContext,
  writer: GaiaWriter,
  unit: string,
  yes: Pick<Noted, "digest" | "base" | "by">,
): Promise<void> {
  const noted = { ...yes, seal: await seal(sealed(unit, yes)) };
  await approvals.change(writer, (all) => withEntry(all, unit, noted));
}

/** Notes a no; what was approved before stays noted beside it. */
export async function noteNo(writer: GaiaWriter, unit: string, rejected: string): Promise<void> {
  await approvals.change(writer, (all) =>
    withEntry(all, unit, { ...schema().parse(all.get(unit) ?? {}), rejected }),
  );
}

/** Forgets what was said of a unit that is archived: another one of its name has a plan of its own. */
export async function forgetApproval(writer: GaiaWriter, unit: string): Promise<void> {
  await approvals.change(writer, (all) => withEntry(all, unit, null));
}

function sealed(unit: string, { digest, base, by }: Pick<Noted, "digest" | "base" | "by">): string {
  return JSON.stringify(["plan", unit, digest, base, by]);
}
