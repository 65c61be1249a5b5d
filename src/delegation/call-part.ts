const MARK = "::";

/** Names one of several delegations that a single tool call makes, so that each stands by itself in ledgers. */
export function partOfCall(callId: string, part: string): string {
  return `${callId}${MARK}${part}`;
}

/** The tool call that a delegation belongs to: what OpenCode knows, and what shows the progress. */
export function callOf(delegationCall: string): string {
  return delegationCall.split(MARK)[0] ?? delegationCall;
}
