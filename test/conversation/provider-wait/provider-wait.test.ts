import { expect, it } from "vitest";
import { createProviderWait } from "../../../src/conversation/provider-wait/provider-wait.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { createFakeHost } from "../../support/fake-host.ts";

const RETRY: HostEvent = {
  type: "session.retry",
  sessionId: "root",
  attempt: 1,
  message: "Too many: sk-1",
  nextAt: 9_000,
};
const WAIT = { wait: { until: 9_000, why: "Too many: ***" } };

it.each<[string, HostEvent, boolean, object[]]>([
  [
    "until she goes on",
    { type: "message.started", sessionId: "root", messageId: "m" },
    true,
    [WAIT, { wait: null }],
  ],
  [
    "until her turn is over",
    { type: "session.status", sessionId: "root", status: "idle" },
    true,
    [WAIT, { wait: null }],
  ],
  [
    "while OpenCode says that she is at work",
    { type: "session.status", sessionId: "root", status: "busy" },
    true,
    [WAIT],
  ],
  [
    "whatever a specialist does",
    { type: "message.started", sessionId: "child", messageId: "m" },
    false,
    [WAIT],
  ],
])("a wait for GAIA's own provider is shown %s", (_name, event, isRoot, expected) => {
  const learnt: object[] = [];
  const printed: string[] = [];
  const host = {
    ...createFakeHost(),
    oneShot: {
      print: (line: string) => void printed.push(line),
      atEnd: () => undefined,
      settled: () => undefined,
    },
  };
  const part = createProviderWait(
    { learn: (facts = {}) => void learnt.push(facts) },
    { host, redact: (text) => text.replace("sk-1", "***") },
  );
  part.observe?.(event, isRoot);
  part.observe?.(RETRY, false);
  part.observe?.(RETRY, true);
  part.observe?.(event, isRoot);
  expect(learnt).toEqual(expected);
  expect(printed).toEqual([expect.stringMatching(/^↻ goes on at \d\d:\d\d:09: Too many: \*\*\*$/)]);
  expect(part.now()).toEqual(Object.values(expected.at(-1) ?? {})[0]);
});
