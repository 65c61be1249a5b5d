import type { Answer, Envelope, VcsType } from "../contracts/contract.ts";

/** An answer that is no contract is cut to this many characters before the orchestrator pays for it. */
export const MAX_RAW_TEXT = 8_000;

/** Who answered, and for what: what the plugin knows is never taken from the model (SPEC 4). */
export interface Origin {
  readonly agent: string;
  readonly workUnit: string | null;
  readonly sessionId: string;
  readonly vcs: VcsType;
}

/** A specialist's answer with what the plugin knows about it. */
export function fillEnvelope({ agent, workUnit, sessionId, vcs }: Origin, answer: Answer): Envelope {
  return {
    contract_version: "1.0",
    agent,
    work_unit: workUnit,
    session_id: sessionId,
    vcs_type: vcs,
    ok: answer.ok,
    data: answer.data,
    errors: answer.errors,
    ...(answer.questions?.length ? { questions: answer.questions } : {}),
    ...(answer.outcome === undefined ? {} : { outcome: answer.outcome }),
    ...(answer.assumptions?.length ? { assumptions: answer.assumptions } : {}),
    ...(answer.outside?.length ? { outside: answer.outside } : {}),
  };
}
