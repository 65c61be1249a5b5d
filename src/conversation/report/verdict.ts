import { constants } from "node:os";
import { type JudgedClaim, renderTally, tally } from "../../checks/evidence/claims.ts";
import { excerpt } from "../../lib/text.ts";
import { toUser } from "../../lib/for-person.ts";
import { NOT_REVIEWED } from "../../plan/review/outcome.ts";
import { renderVerdict as renderReview, type StandingVerdict } from "../collaboration/verdicts.ts";
import { renderStanding, type LaneStanding } from "../lanes/lane.ts";

/** How work ended, gravest first; each has the exit code of `opencode run`. */
export const EXIT_CODES = {
  stopped: 1,
  failed: 1,
  "nothing changed": 1,
  blocked: 2,
  [NOT_REVIEWED]: 2,
  refused: 3,
  done: 0,
} as const;

export type EndFacts = Readonly<typeof NO_FACTS>;

/** Of what is not given nothing speaks against the work. */
const NO_FACTS = {
  no: null as string | null,
  failure: "",
  /** A bound or a budget kept it from asking its model for more; empty where none did. */
  held: "",
  run: null as { readonly status: string; readonly why: string } | null,
  /** The delegations outside of a run that came to nothing, and that nobody put right; empty for none. */
  failures: "",
  /** What the host saw of work outside of a plan; null where nobody named a proof. */
  shown: null as LaneStanding | null,
  pause: null as { readonly reason: string; readonly detail: string } | null,
  /** Reviews that hold the work up: objections, and those that came to no verdict. */
  objections: [] as readonly StandingVerdict[],
  /** What kept the work from going on, where nothing has since; null where something has. */
  standing: null as string | null,
  left: [] as readonly string[],
  atWork: [] as readonly string[],
  claims: [] as readonly Pick<JudgedClaim, "id" | "standing">[],
  /** Whether editors were at work, and whether any file changed by it. */
  edits: "none" as "none" | "unchanged" | "changed",
};

interface EndVerdict {
  readonly outcome: keyof typeof EXIT_CODES;
  readonly why: string;
  /** What the host proved of work that is done: `2 proven, 1 passes`, ``proven by `npm test` ``, or `unproven`; empty where there was nothing to prove. */
  readonly proof: string;
  readonly exitCode: number;
}

/** How the error begins with which a request of ours is held: what comes behind it is why. */
export const HELD = "Stopped: ";

/** How the verdict begins that names the open tasks. */
export const NOT_DONE = "not done: ";

const MAX_WHY = 240;

/** The verdict on work that a signal ended (Ctrl+C, a machine's time-out), with the exit code that shells give it. Pure. */
export function stoppedBy(signal: NodeJS.Signals): EndVerdict {
  return { outcome: "stopped", why: signal, proof: "", exitCode: 128 + constants.signals[signal] };
}

/** The verdict on work that came to an end (SPEC 11). Pure. */
export function decideVerdict(given: Partial<EndFacts>): EndVerdict {
  const { run, shown, pause, objections, claims, edits, ...facts } = { ...NO_FACTS, ...given };
  const end = (outcome: keyof typeof EXIT_CODES, why: string, proof = ""): EndVerdict => {
    const said = excerpt(why.endsWith(".") ? why.slice(0, -1) : why, MAX_WHY);
    return { outcome, why: said, proof, exitCode: EXIT_CODES[outcome] };
  };
  const named = (of: JudgedClaim["standing"]): string =>
    claims.flatMap(({ id, standing: each }) => (each === of ? id : [])).join(", ");
  if (facts.no !== null) return end("stopped", facts.no);
  if (facts.held !== "") return end("blocked", facts.held);
  if (facts.failure !== "") return end("failed", facts.failure);
  if (facts.failures !== "") return end("failed", facts.failures);
  if (run?.status === "decision") return end("failed", run.why);
  if (shown?.kind === "failed") return end("failed", shown.why);
  if (named("failed") !== "") return end("failed", `checks fail: ${named("failed")}`);
  if (pause !== null) return end("blocked", `${pause.reason}: ${pause.detail}`.replace(/: $/, ""));
  if (objections.some(({ verdict }) => verdict !== null))
    return end("blocked", objections.map(renderReview).join("; "));
  if (objections.length > 0)
    return end(
      NOT_REVIEWED,
      objections.map(({ reviewer, reason }) => `${reviewer}: ${toUser(reason)}`).join("; "),
    );
  if (facts.left.length > 0) return end("refused", "nobody was there to be asked");
  if (facts.standing !== null && run?.status !== "finished") return end("blocked", facts.standing);
  if (run !== null && run.status !== "finished") return end("blocked", run.why);
  if (facts.atWork.length > 0) return end("blocked", `still at work: ${facts.atWork.join(", ")}`);
  if (named("open") !== "") return end("blocked", `${NOT_DONE}${named("open")}`);
  const counts = tally(claims);
  const isProven = counts.proven > 0 || shown?.kind === "proven";
  // "Done" needs a change or a proof.
  if (edits === "unchanged" && !isProven) return end("nothing changed", "no file is other than before");
  if (claims.length === 0 && edits === "none") return end("done", "");
  if (counts.proven + counts.passes > 0) return end("done", "", renderTally(claims));
  return end("done", "", claims.length > 0 || shown === null ? "unproven" : renderStanding(shown));
}

/** `done: 2 proven, 0 claimed`, `failed: checks fail: task 1`. */
export function renderEndVerdict({ outcome, why, proof }: EndVerdict): string {
  const rest = why || proof;
  return rest === "" ? outcome : `${outcome}: ${rest}`;
}
