import { excerpt } from "../../lib/text.ts";
import { plainText } from "../../lib/markdown.ts";

export const PERMISSION = "gaia_approval";

/** What GAIA's permissions must set to `ask`, so that a dialog is raised at all. */
export const APPROVAL_PERMISSIONS: readonly string[] = [`${PERMISSION}*`];

/** A wave as a plan has it, and which plan that is: another text is another plan. */
export interface PlannedWave {
  readonly wave: string;
  /** See `digestPlan`. */
  readonly plan: string;
}

/** Something that only a person's yes in OpenCode's own dialog approves (SPEC 2.8). */
export type ApprovalRequest = {
  readonly workUnit: string;
  readonly title?: string;
  readonly covers?: string;
  readonly reviews?: string;
  /** A yes overrules what stands against the unit and came no later than this, in milliseconds. */
  readonly overrulesUntil?: number;
  /** The user's cadence stops here: autopilot asks as well, where somebody can answer. */
  readonly isStop?: boolean;
  /** Of a plan: the wave of it that a yes opens as well. */
  readonly opens?: PlannedWave;
} & (
  | { readonly kind: Exclude<keyof typeof APPROVALS, "wave"> }
  | { readonly kind: "wave"; readonly wave: string }
);

interface ApprovalKind {
  /** What a row of the record and the prompt after a no call it. */
  readonly name: string;
  /** What is asked, where it is not that name with its unit. */
  readonly asks?: (title: string, workUnit: string) => string;
  /** Autopilot says yes to the rest: `asked` was not answered in advance, and what holds without a proof nobody is asked for: how the user says it. */
  readonly autopilot?: "asked" | { readonly refused: string };
  /** What the user does not want beside the work takes back nothing that they have allowed, and needs no reason. */
  readonly isBeside?: true;
}

/** The dialogs of the plugin's own: what each asks, and what its answers mean. */
export const APPROVALS = {
  plan: { name: "the plan" },
  spec: { name: "the spec" },
  wave: { name: "wave" },
  verification: { name: "the verification" },
  revision: { name: "the revision" },
  /** A unit is closed that was never unified. */
  archive: { name: "the archive" },
  /** Of several tries at a task this one is kept. */
  candidate: { name: "the candidate", isBeside: true },
  /** A wave is closed although something in it failed. */
  exception: { name: "the exception", autopilot: "asked" },
  checks: {
    name: "the changed checks",
    asks: (title, workUnit) => `changed checks count, ${workUnit}: ${title}`,
    autopilot: {
      refused: "Undo the change of the check, or tell the user: /gaia-check accept lets it count.",
    },
  },
  /** As much again is spent. */
  budget: { name: "the budget", asks: (title) => `spend as much again? ${title}`, autopilot: "asked" },
  /** The project's checks become its Definition of Done. */
  adopt: {
    name: "the checks",
    asks: (title) => `adopt these checks? ${title}`,
    autopilot: "asked",
    isBeside: true,
  },
  /** The branch leaves the project. */
  "pull-request": { name: "the pull request", asks: (title) => title, autopilot: "asked", isBeside: true },
  /** The MCP server of a skill is started. */
  server: { name: "the server", asks: (title) => title, autopilot: "asked", isBeside: true },
} as const satisfies Readonly<Record<string, ApprovalKind>>;

export function approvalKindOf({ kind }: Pick<ApprovalRequest, "kind">): ApprovalKind {
  return APPROVALS[kind];
}

const MAX_WAVE = 60;

export function nameOf(approval: ApprovalRequest): string {
  const { name } = approvalKindOf(approval);
  return approval.kind === "wave" ? `${name} ${excerpt(approval.wave, MAX_WAVE)}` : name;
}

const MAX_NAME = 100;
const MAX_COVERS = 260;
const MAX_REVIEWS = 300;

/** All that OpenCode's dialog shows of a permission that it does not know is its name. */
export function askedFor(approval: ApprovalRequest): string {
  const { workUnit, covers = "", reviews, overrulesUntil } = approval;
  const { asks } = approvalKindOf(approval);
  // A command is shown as it runs, not as its Markdown reads.
  if (asks !== undefined) return excerpt(asks(approval.title ?? "", workUnit), MAX_NAME + MAX_REVIEWS);
  const title = plainText(approval.title ?? "");
  const subject = approval.kind === "wave" ? `wave ${approval.wave}` : approval.kind;
  const named = excerpt(`${subject} of ${workUnit}${title === "" ? "" : `, ${title}`}`, MAX_NAME);
  const name = covers === "" ? named : `${named}; ${excerpt(covers, MAX_COVERS)}`;
  if (reviews === undefined) return name;
  const means = overrulesUntil === undefined ? "reviews" : "YES OVERRULES";
  return excerpt(`${name}; ${means}: ${reviews}`, MAX_NAME + MAX_COVERS + MAX_REVIEWS);
}
