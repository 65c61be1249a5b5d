import { describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createConversations } from "../../../src/conversation/conversations.ts";
import { PARTS_KEY, SNAPSHOT_KEY } from "../../../src/conversation/display/metadata-keys.ts";
import { initialState, sealState } from "../../../src/conversation/collaboration/state.ts";
import { CHILD_METADATA_KEY } from "../../../src/delegation/child-session.ts";
import { ROOT_MARK } from "../../../src/delegation/gaia-sessions.ts";
import { ended } from "../../../src/delegation/task.ts";
import { wasInterrupted } from "../../../src/delegation/rebuild.ts";
import { createKept } from "../../../src/conversation/part.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { parseJson, recordOf, textOf } from "../../../src/lib/json.ts";
import type { HostMessage } from "../../../src/host/port.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import { createFakeHost, sessionOf, turn } from "../../support/fake-host.ts";
import { collected } from "../../support/collected.ts";
import { createTestServices, type TestServices } from "../../support/services.ts";
import { taskOf } from "../../support/task.ts";

const said = (role: HostMessage["role"], rest: Partial<HostMessage> = {}): HostMessage => ({
  role,
  agent: "minerva",
  model: null,
  turn: turn(role),
  completed: true,
  ...rest,
});

/** A root of an earlier process with these children, each with its marks and what was said in it. */
function earlier(
  children: Record<string, { tasks?: number; given?: number; since?: number; said: HostMessage[] }>,
  state = initialState("root", DEFAULTS, 0),
): TestServices {
  const host = createFakeHost();
  const kept = createKept(null, "root", silentLogger, createTestServices().seal, () => undefined);
  kept.remember<unknown>("delegations", null).now = Object.entries(children).map(
    ([name, { given: number = 0 }]) => ({ sessionId: `ses_${name}`, number }),
  );
  const metadata = {
    ...ROOT_MARK,
    [SNAPSHOT_KEY]: sealState(state, createTestServices().seal),
    [PARTS_KEY]: kept.sealed(),
  };
  host.stored.set("root", sessionOf("root", { metadata }));
  for (const [name, { tasks = 1, since, said: messages }] of Object.entries(children)) {
    const id = `ses_${name}`;
    const child = { agent: name, tasks, work_unit: "unit", ...(since === undefined ? {} : { since }) };
    const marks = { [CHILD_METADATA_KEY]: child };
    host.stored.set(id, sessionOf(id, { parentId: "root", title: `${name} › look around`, metadata: marks }));
    host.history.set(id, messages);
  }
  return createTestServices({ host });
}

async function open(
  services: TestServices,
  conversations = createConversations(services),
): Promise<Conversation> {
  services.sessions.spoke("root", "gaia", null);
  const found = await conversations.of("root");
  if (found === null) throw new Error("no conversation");
  return found.conversation;
}

/** What is kept of it over a restart: by child session, the number of the newest task whose end GAIA was given. */
function givenIn({ host }: TestServices): unknown {
  const kept = recordOf(host.stored.get("root")?.metadata[PARTS_KEY]);
  return parseJson(textOf(kept["text"]) ?? "");
}

const givenTo = (numbers: Readonly<Record<string, number>>) => {
  const delegations = Object.entries(numbers).map(([sessionId, number]) =>
    expect.objectContaining({ sessionId, number }),
  );
  return expect.objectContaining({
    parts: expect.objectContaining({ delegations: expect.arrayContaining(delegations) }),
  });
};

describe("the tasks of an earlier process", () => {
  it("are open until GAIA was given their end, and tell whether they came to it", async () => {
    const services = earlier({
      done: { said: [said("user"), said("assistant")] },
      cut: { said: [said("user"), said("assistant", { completed: false })] },
      between: { said: [said("user"), said("assistant", { goesOn: true })] },
      queued: { said: [] },
      resumed: { tasks: 2, given: 1, since: 2, said: [said("user"), said("assistant"), said("user")] },
      given: { tasks: 2, given: 2, said: [said("user"), said("assistant")] },
    });
    const { parts } = await open(services);
    const left = await parts.restart.leftTasks();
    expect(left.map((task) => [task.id, !wasInterrupted(task), task.title])).toEqual([
      ["task_done_1", true, "look around"],
      ["task_cut_1", false, "look around"],
      ["task_between_1", false, "look around"],
      ["task_queued_1", false, "look around"],
      ["task_resumed_2", false, "look around"],
    ]);
  });

  it("go with being given or resumed, the first durably", async () => {
    const services = earlier({ a: { said: [] }, b: { said: [] } });
    const { parts, each } = await open(services);
    expect(await parts.restart.leftTasks()).toHaveLength(2);
    parts.delegations.handOut(["task_a_1"], "call");
    each((part) => part.observe?.(collected("root", "call", "completed"), true));
    expect((await parts.restart.leftTasks()).map(({ agent }) => agent)).toEqual(["b"]);
    await services.clock.advance(200);
    expect(givenIn(services)).toEqual(givenTo({ ses_a: 1, ses_b: 0 }));
    // What ends sooner than that notes it at its end.
    const ends = earlier({ c: { said: [] } });
    const conversations = createConversations(ends);
    const short = await open(ends, conversations);
    short.parts.delegations.handOut(["task_c_1"], "call");
    short.each((part) => part.observe?.(collected("root", "call", "completed"), true));
    await conversations.dispose();
    expect(givenIn(ends)).toEqual(givenTo({ ses_c: 1 }));
    services.engine.tasks.add(taskOf({ id: "task_b_2", agent: "b", sessionId: "ses_b" }));
    expect(await parts.restart.leftTasks()).toEqual([]);
    // The answer of the call that waited for it is stored, and so it is given.
    const outcome = ended("completed", "");
    services.engine.tasks.dispatch("task_b_2", { type: "ended", at: 1, outcome });
    each((part) => part.observe?.(collected("root", "c", "completed"), true));
    await services.clock.advance(200);
    expect(givenIn(services)).toEqual(givenTo({ ses_a: 1, ses_b: 2 }));
  });
});

it("the first message after a restart lists what is open with an offer to go on, once", async () => {
  const state = {
    ...initialState("root", DEFAULTS, 0),
    workUnit: "unit",
    wave: { id: "w1", workUnit: "unit", approved: true },
  };
  const services = earlier(
    { minerva: { said: [said("user"), said("assistant")] }, hephaestus: { said: [said("user")] } },
    state,
  );
  const { parts } = await open(services);
  parts.planning.begin({ kind: "planning", reviews: 0 });
  const parsed_json = { assumptions: [{ text: "JWT", confidence: 0.8 }] };
  parts.questions.collect({ task_id: "t", status: "completed", agent: "minerva", parsed_json });
  const text = await parts.restart.forMessage();
  expect(text).toContain("<gaia-open>");
  expect(text).toMatch(/minerva \(task_minerva_1\).*finished.*collect_results/);
  expect(text).toMatch(/hephaestus .*interrupted; delegate_gaia with session_id ses_hephaestus/);
  expect(text).toContain("a plan is being made");
  expect(text).toContain("wave w1 of unit is open; its approval ended");
  expect(text).toContain("JWT (minerva, 0.8)");
  expect(text).toContain("offer to go on");
  expect(await parts.restart.forMessage()).toBe("");
  // The plugin's own words are there for the question that she is told to ask.
  const [asked] = Object.values(parts.questions.open("call", [{ header: "Assumptions" }], true) ?? []);
  expect(asked).toMatchObject({ question: expect.stringContaining("JWT") });
});

it("what was interrupted is told when the terminal shows the conversation again, and not once more with a message", async () => {
  const services = earlier({ hephaestus: { said: [said("user")] } });
  const notes = vi.spyOn(services.host.sessions, "note");
  const cleared = vi.spyOn(services.host, "clearProgress");
  const { parts, outbox } = await open(services);
  for (const _again of [1, 2]) {
    await parts.restart.tellUser();
    await outbox.flush();
  }
  expect(await parts.restart.forMessage()).toContain("hephaestus");
  await outbox.flush();
  expect(notes.mock.calls.map(([, , text]) => text)).toEqual([
    expect.stringContaining("✗ hephaestus › look around · interrupted"),
  ]);
  expect(cleared).toHaveBeenCalledTimes(1);
});
