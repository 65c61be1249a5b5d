import type {
  FailureReason,
  Host,
  HostMessage,
  HostSession,
  HostSkill,
  HostTurn,
  ModelCatalog,
  PromptRequest,
  CallKey,
} from "../../src/host/port.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { PERMISSION_NAMES } from "../../src/host/opencode/tool-call.ts";

/** What the fake gives back for a prompt: a turn, or a function that makes one (and may never resolve). */
export type ScriptedTurn = HostTurn | ((request: PromptRequest) => HostTurn | Promise<HostTurn>);

export interface FakeHost extends Host {
  /** Turns handed out in order; the last one repeats. */
  script(...turns: ScriptedTurn[]): void;
  readonly prompts: PromptRequest[];
  readonly aborted: string[];
  readonly toasts: string[];
  readonly stored: Map<string, HostSession>;
  readonly history: Map<string, HostMessage[]>;
  catalog: ModelCatalog;
  /** The skills that OpenCode finds. */
  found: HostSkill[];
  /** Whether its language servers are on. */
  hasServers: boolean;
  /** OpenCode's version. */
  openCode: string | null;
  /** What a direct look at a session shows; busy with nothing asked unless set. */
  readonly looks: Map<string, { busy: boolean; requests: string[] | null }>;
}

export function turn(text: string, rest: Partial<HostTurn> = {}): HostTurn {
  return { text, failure: null, ...rest };
}

export function failedTurn(reason: FailureReason, message: string, statusCode?: number): HostTurn {
  return turn("", {
    failure: { reason, message, promptSaved: true, ...(statusCode === undefined ? {} : { statusCode }) },
  });
}

/** A session as the host tells of it: at the top, new and without a mark, but for what is given. */
export function sessionOf(id: string, given: Partial<HostSession> = {}): HostSession {
  const tokens = { input: 0, output: 0, cached: 0 };
  const session = { id, parentId: null, title: "", metadata: {}, canAsk: true, tokens, cost: 0 };
  return { ...session, takenBackTo: null, ...given };
}

/** A host in memory. An aborted prompt resolves as OpenCode's does. */
export function createFakeHost(directory = "/project"): FakeHost {
  const stored = new Map<string, HostSession>();
  const history = new Map<string, HostMessage[]>();
  const aborts = new Map<string, () => void>();
  let queue: ScriptedTurn[] = [turn("nothing scripted")];
  let sessions = 0;
  const host: FakeHost = {
    directory,
    project: directory,
    worktree: directory,
    logger: silentLogger,
    oneShot: null,
    client: "terminal",
    permissionNames: PERMISSION_NAMES,
    askInSession: () => null,
    address: () => null,
    shell: () => "/bin/sh",
    prompts: [],
    aborted: [],
    toasts: [],
    stored,
    history,
    looks: new Map(),
    catalog: { available: new Set(["a/one", "a/two", "b/one"]), facts: [], fallback: null },
    found: [],
    hasServers: false,
    openCode: null,
    script(...turns) {
      queue = turns;
    },
    models: async () => host.catalog,
    skills: async () => host.found,
    formatters: async () => [],
    hasLanguageServers: () => host.hasServers,
    version: async () => host.openCode,
    async toast(_variant, message) {
      host.toasts.push(message);
    },
    async answerPermission() {},
    async prefill() {},
    async show() {},
    async showProgress() {},
    async clearProgress() {},
    sessions: {
      async create({ parentId, title, metadata }) {
        sessions += 1;
        const session = sessionOf(`ses_${sessions}`, { parentId, title, metadata: metadata ?? {} });
        stored.set(session.id, session);
        return session;
      },
      get: async (id) => stored.get(id) ?? null,
      async prompt(request) {
        host.prompts.push(request);
        const next = queue.length > 1 ? queue.shift() : queue[0];
        const answer = typeof next === "function" ? next(request) : (next ?? turn(""));
        const aborted = new Promise<HostTurn>((resolve) => {
          aborts.set(request.sessionId, () => resolve(failedTurn("aborted", "aborted")));
        });
        return Promise.race([answer, aborted]);
      },
      async abort(id) {
        host.aborted.push(id);
        aborts.get(id)?.();
      },
      children: async (id) => [...stored.values()].filter(({ parentId }) => parentId === id),
      messages: async (id) => history.get(id) ?? [],
      spoken: async () => [],
      async takeBack() {},
      look: async (id) => host.looks.get(id) ?? { busy: true, requests: [] },
      async setMetadata(id, values) {
        const session = stored.get(id);
        if (session) stored.set(id, { ...session, metadata: { ...session.metadata, ...values } });
      },
      async note() {},
      async wake() {},
    },
  };
  return host;
}

/** A call's key that a test makes up; only the host's door makes real ones. */
export function keyed(callId: string): CallKey {
  return callId as CallKey;
}
