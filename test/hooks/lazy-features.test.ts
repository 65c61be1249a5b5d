import { beforeEach, describe, expect, it, vi } from "vitest";
import { beginStart } from "../../src/composition/start.ts";
import { REQUEST_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import { createLazyFeatures, type LoadedFeatures } from "../../src/hooks/lazy-features.ts";
import { type HookEvent, Denial, type HookHandlers } from "../../src/host/hook-events.ts";
import type { HostEvent } from "../../src/host/port.ts";
import { payloadOf, COMMAND, type Given } from "../conformance/payloads.ts";
import { NATIVE, ROOT } from "../support/composition.ts";
import { createFakeHost, sessionOf, type FakeHost } from "../support/fake-host.ts";
import { openFolder } from "../support/directory.ts";

const PASSED =
  "user-message command-typed before-tool shell-environment after-tool before-request request-parameters compaction answer-text".split(
    " ",
  ) as HookEvent[];
/** What refuses when nobody can decide. */
const GATES = "before-tool shell-environment after-tool request-parameters".split(" ");

let host: FakeHost;
let settled: string[];
/** What reached the features, in order. */
let reached: string[];
let loads: number;
/** Lets what is being loaded arrive; what it is told is what loading fails with. */
let arrive: (failure?: Error) => void;
let lazy: ReturnType<typeof createLazyFeatures<LoadedFeatures>>;
let handlers: HookHandlers;
let disposed: number;

beforeEach(async () => {
  const directory = await openFolder();
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  settled = [];
  reached = [];
  loads = 0;
  disposed = 0;
  host = createFakeHost(directory);
  const oneShot = {
    print() {},
    atEnd() {},
    settled: ({ permission }: { permission: string }, isAnswered: boolean) =>
      void settled.push(`${permission} ${isAnswered}`),
  };
  const start = await beginStart({ ...host, oneShot }, {});
  const features: LoadedFeatures = {
    handlers: Object.fromEntries(
      [...PASSED, "host-event"].map((event) => [event, async () => void reached.push(event)]),
    ),
    async dispose() {
      disposed += 1;
    },
  };
  lazy = createLazyFeatures(start, async () => {
    loads += 1;
    return new Promise((resolve, reject) => {
      arrive = (failure) => (failure === undefined ? resolve(features) : reject(failure));
    });
  });
  handlers = composeHooks(lazy.hooks, host.logger);
  await happens({ type: "session.created", session: sessionOf(NATIVE) });
  await happens({ type: "session.created", session: sessionOf(ROOT) });
});

async function happens(event: HostEvent): Promise<void> {
  await handlers["host-event"]?.(event);
}

async function call(event: HookEvent, given: Partial<Given>): Promise<void> {
  const native = { sessionId: NATIVE, agent: "build", text: "Go on", tool: "bash", effect: COMMAND };
  const whole: Given = { ...native, ...given };
  await handlers[event]?.(payloadOf(event, whole).payload as never);
}

const OLD = { sessionId: "old" };
const MUTE = { sessionId: "mute" };
const requested = (sessionId: string): HostEvent => ({
  type: "session.updated",
  session: sessionOf(sessionId, { metadata: { [REQUEST_KEY]: {} } }),
});
const asked = (sessionId: string): HostEvent => {
  const request = { requestId: "per_1", permission: "bash", kind: "command", callId: null } as const;
  return { type: "permission.asked", sessionId, ...request, patterns: [], always: [], metadata: {} };
};

describe("GAIA's features, loaded when they are needed", () => {
  it("stays shut as long as no session is GAIA's", async () => {
    for (const event of PASSED) await call(event, {});
    await happens({ type: "session.status", sessionId: NATIVE, status: "idle" });
    await happens(requested(NATIVE));
    await happens(asked(NATIVE));
    expect(loads).toBe(0);
    // `opencode run` prints a refusal of its own only after that.
    expect(settled).toEqual(["bash false"]);
    await lazy.dispose();
    expect(disposed).toBe(0);
  });

  it.each([
    ["a message to GAIA", async () => call("user-message", { sessionId: ROOT, agent: "gaia" })],
    ["one to a specialist", async () => call("user-message", { agent: "hephaestus" })],
    ["a call in a session that an earlier process had for GAIA's", async () => call("before-tool", OLD)],
    ["a call in a session of which OpenCode does not tell", async () => call("before-tool", MUTE)],
    ["a fork of GAIA's", async () => happens({ type: "session.created", session: marked("fork") })],
    ["a request of the panel", async () => happens(requested("old"))],
    ["a permission asked of nobody knows whom", async () => happens(asked("old"))],
  ])("opens for %s", async (_, begin) => {
    host.stored.set("old", marked("old"));
    const get = host.sessions.get;
    host.sessions.get = async (id) => {
      if (id === "mute") throw new Error("no answer");
      return get(id);
    };
    const begun = begin();
    await vi.waitUntil(() => loads === 1);
    arrive();
    await begun;
    await vi.waitUntil(() => reached.length > 0);
    expect(reached).toHaveLength(1);
  });

  it("opens for a command of GAIA's wherever it is typed, for nobody else's, and for OpenCode's own in hers alone", async () => {
    const typed = async (name: string, sessionId: string): Promise<void> =>
      handlers["command-typed"]?.({ name, sessionId, argumentText: "", send() {} });
    await typed("mine", NATIVE);
    await typed("review", NATIVE);
    expect(loads).toBe(0);
    const done = typed("gaia-status", NATIVE);
    await vi.waitUntil(() => loads === 1);
    arrive();
    await done;
    expect(reached).toEqual(["command-typed"]);
  });

  it.each(PASSED)(
    "has what cannot be loaded refuse at a gate, and let pass what only helps: %s",
    async (event) => {
      host.stored.set("old", marked("old"));
      const outcome = call(event, { ...OLD, agent: "gaia", text: "gaia-status" }).then(
        () => null,
        (error: unknown) => error,
      );
      await vi.waitUntil(() => loads === 1);
      arrive(new Error("Restart OpenCode."));
      const refusal = await outcome;
      expect(refusal instanceof Denial).toBe(GATES.includes(event));
      expect(String(refusal)).toMatch(GATES.includes(event) ? /Refused: .*Restart OpenCode/ : /^null$/);
      // Who asks again has it tried again.
      const again = call("before-tool", OLD);
      await vi.waitUntil(() => loads === 2);
      arrive();
      await again;
      expect(reached).toEqual(["before-tool"]);
    },
  );
});

function marked(id: string) {
  return sessionOf(id, { metadata: { gaia: { root: true } } });
}
