import { deferred, unlessAborted } from "../lib/async.ts";
import { listed } from "../lib/figures.ts";
import type { Vcs } from "../snapshot/vcs.ts";

export interface PutBackResult {
  readonly restored: readonly string[];
  /** What the checks may change. */
  readonly kept: readonly string[];
  /** Not put back, and why: someone else may have changed them, or what they held is not known. */
  readonly left: readonly string[];
  /** Where the contents are that were taken back; empty where nothing was kept. */
  readonly aside: string;
}

/** Watches a tree while checks run, and puts back what they changed of files that version control does not ignore (SPEC 9). */
export interface RestoredFiles {
  begin(id: string): Promise<void>;
  /** @param writes globs of files that stay as they are @param endedAt when the last of them ended, as files' times are */
  end(id: string, writes: readonly string[], endedAt: number): Promise<PutBackResult>;
}

/** What came of a session of checks. */
export interface Checked<T> {
  readonly value: T;
  /** Fingerprint of the files before it; null where it could not be taken. */
  readonly before: string | null;
  /** Fingerprint of the files that it holds for; null where they changed on the way. */
  readonly tree: string | null;
  /** Files that the checks changed and were allowed to. */
  readonly kept: readonly string[];
  /** What was put back, or could not be, one sentence each. */
  readonly notes: readonly string[];
}

export type CheckSession = ReturnType<typeof createCheckSession>;

const MAX_NAMED = 5;
const NOTHING: PutBackResult = { restored: [], kept: [], left: [], aside: "" };
const NO_PUT_BACK: RestoredFiles = { begin: async () => undefined, end: async () => NOTHING };

/**
 * Runs checks in one tree. What runs at the same time is one session, at whose end the tree is compared and put back once.
 * @param putBack absent where checks may change what they want
 */
export function createCheckSession(vcs: Pick<Vcs, "fingerprint">, putBack: RestoredFiles = NO_PUT_BACK) {
  let open: ReturnType<typeof begin> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  const begin = () => {
    const id = `checks-${++count}`;
    const { promise: closed, resolve: close } = deferred();
    const session = {
      commands: new Set<string>(),
      writes: new Set<string>(),
      users: 0,
      endedAt: null as number | null,
      close,
    };
    const before = last.then(async () => {
      await putBack.begin(id);
      return vcs.fingerprint();
    });
    const ended = Promise.all([before, closed]).then(async ([was]) => {
      const result = await putBack.end(id, [...session.writes], session.endedAt ?? Date.now());
      const now = await vcs.fingerprint();
      const notes = describePutBack([...session.commands], result);
      return { before: was, tree: was === now ? now : null, kept: result.kept, notes };
    });
    last = ended.catch(() => undefined);
    return Object.assign(session, { before, ended });
  };

  /** @param work is given what it calls when a command has ended, or is asked to: what changes later is not its work */
  return async <T>(
    work: (ended: () => void) => Promise<T>,
    given: {
      readonly commands: readonly string[];
      readonly writes?: readonly string[];
      readonly signal: AbortSignal;
    },
  ): Promise<Checked<T>> => {
    const session = (open ??= begin());
    session.users += 1;
    for (const each of given.commands) session.commands.add(each);
    for (const each of given.writes ?? []) session.writes.add(each);
    const run = async () => {
      await session.before;
      return work(() => (session.endedAt = Date.now()));
    };
    const value = await run().finally(() => {
      session.users -= 1;
      if (session.users > 0) return;
      open = null;
      session.close();
    });
    // Who is stopped does not wait for the others of a session, and has seen nothing.
    const end = await unlessAborted(session.ended, given.signal);
    return { value, ...(end ?? { before: await session.before, tree: null, kept: [], notes: [] }) };
  };
}

export function describePutBack(
  commands: readonly string[],
  { restored, left, aside }: PutBackResult,
): string[] {
  const who = commands.length === 1 ? `\`${commands[0]}\`` : "The checks";
  const where = aside === "" ? "" : ` What they held is kept in ${aside}.`;
  return [
    ...(restored.length === 0 ? [] : [`${who} changed ${listed(restored, MAX_NAMED)}; put back.${where}`]),
    ...(left.length === 0 ? [] : [`Changed while ${who} ran, and not put back: ${listed(left, MAX_NAMED)}.`]),
  ];
}
