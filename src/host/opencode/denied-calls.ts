/** Which call of which session: a provider may number its calls anew in each. */
interface CallKey {
  readonly sessionID: string;
  readonly callID?: unknown;
}

/**
 * Calls of the plugin's own tools that a gate refused. OpenCode prints all arguments of a call that fails, plans and prompts
 * of pages included, and one line for a call that ends: so these calls go on, and their tool says the refusal in place of doing
 * anything.
 */
export interface DeniedCalls {
  /** Whether a refusal of this tool may wait for the tool: only where nothing else carries its calls out. */
  holds(tool: string): boolean;
  deny(call: CallKey, reason: string): void;
  /** Why the tool must not do anything; null for a call that no gate refused. */
  reasonFor(call: CallKey): string | null;
  /** The refused call has ended. @returns false for one that was not refused */
  end(call: CallKey): boolean;
}

/** @param tools those that ask {@link DeniedCalls.reasonFor} before they do anything */
export function createDeniedCalls(tools: readonly string[]): DeniedCalls {
  const reasons = new Map<string, Map<unknown, string>>();
  return {
    holds: (tool) => tools.includes(tool),
    deny({ sessionID, callID }, reason) {
      reasons.set(sessionID, (reasons.get(sessionID) ?? new Map<unknown, string>()).set(callID, reason));
    },
    reasonFor({ sessionID, callID }) {
      const own = reasons.get(sessionID);
      // One that does not say which it is may be any of them.
      const reason = callID === undefined ? own?.values().next().value : own?.get(callID);
      return reason ?? null;
    },
    end({ sessionID, callID }) {
      const own = reasons.get(sessionID);
      const isDenied = own?.delete(callID) === true;
      if (own?.size === 0) reasons.delete(sessionID);
      return isDenied;
    },
  };
}
