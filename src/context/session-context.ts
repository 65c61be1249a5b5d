/**
 * Keeps the context of each session as it was at its first turn, so that the system prompt stays byte-stable and the
 * provider's cache keeps working (SPEC 2.6). A compaction rewrites the conversation anyway, and so is the moment to
 * read again.
 */
export interface SessionContext {
  /** The context of this session; rendered at the first call. */
  get(sessionId: string): Promise<string>;
  forget(sessionId: string): void;
}

export function createSessionContext(render: () => Promise<string>): SessionContext {
  const rendered = new Map<string, Promise<string>>();
  return {
    get(sessionId) {
      const known = rendered.get(sessionId);
      if (known !== undefined) return known;
      const fresh = render();
      rendered.set(sessionId, fresh);
      return fresh;
    },
    forget(sessionId) {
      rendered.delete(sessionId);
    },
  };
}
