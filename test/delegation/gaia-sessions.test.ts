import { describe, expect, it } from "vitest";
import { createGaiaSessions } from "../../src/delegation/gaia-sessions.ts";
import type { HostEvent } from "../../src/host/port.ts";
import { createFakeHost, sessionOf } from "../support/fake-host.ts";

const created = (id: string, metadata = {}, parentId: string | null = null): HostEvent => ({
  type: "session.created",
  session: sessionOf(id, { parentId, metadata, canAsk: false }),
});

it("a session in which the user speaks with a specialist belongs to the conversation that its mark names", async () => {
  const sessions = createGaiaSessions(createFakeHost(), "gaia");
  const mark = { gaia_child: { agent: "minerva", talk_of: "root" } };
  sessions.observe(created("talk", mark));
  // Whatever is selected there, and in a fork of it.
  sessions.spoke("talk", "gaia", null);
  const talk = { rootId: "root", specialist: "minerva", isGuest: false, isTalk: true };
  sessions.observe(created("fork", mark));
  for (const id of ["talk", "fork"]) expect(await sessions.find(id)).toMatchObject(talk);
  sessions.observe(created("other"));
  sessions.observe(created("child", mark, "other"));
  expect(await sessions.find("child")).toMatchObject({ rootId: "other" });
  expect((await sessions.find("child"))?.isTalk).toBeUndefined();
});

describe("whose a session is", () => {
  const isSpecialist = (agent: string): boolean => agent === "minerva" || agent === "aether";
  const child = { gaia_child: { agent: "minerva", work_unit: "unit", wave_id: "w1" } };
  const setUp = () => {
    const host = createFakeHost();
    return { host, sessions: createGaiaSessions(host, "gaia", isSpecialist) };
  };

  it("is told by who speaks, by its mark and by its parent", async () => {
    const { sessions } = setUp();
    const root = { rootId: "root", isGuest: false };
    const rows = [
      ["root", {}, null, "gaia", { ...root, specialist: null }],
      ["delegated", child, "root", null, { ...root, specialist: "minerva", workUnit: "unit" }],
      ["subtask", {}, "root", "general", { ...root, specialist: "general" }],
      ["native", {}, null, "build", null],
      ["named", {}, "native", "minerva", { rootId: "named", specialist: "minerva", isGuest: true }],
      ["other", {}, "native", "general", null],
    ] as const;
    for (const [id, metadata, parentId, agent] of rows) {
      sessions.observe(created(id, metadata, parentId));
      if (agent !== null) sessions.spoke(id, agent, null);
    }
    for (const [id, , , , found] of rows)
      if (found === null) expect(await sessions.find(id), id).toBeNull();
      else expect(await sessions.find(id), id).toMatchObject(found);
  });

  it("is told alike after a restart, when only OpenCode knows", async () => {
    const { host, sessions } = setUp();
    const create = async (parentId: string, metadata = {}): Promise<string> =>
      (await host.sessions.create({ parentId, title: "", agent: "", metadata })).id;
    const root = await create("", { gaia: { root: true } });
    const delegated = await create(root, child);
    const subtask = await create(root);
    const named = await create(await create(""));
    sessions.spoke(named, "aether", null);
    expect(await sessions.find(delegated)).toMatchObject({ rootId: root, specialist: "minerva" });
    expect(await sessions.find(subtask)).toMatchObject({ rootId: root, specialist: "subtask" });
    expect(await sessions.find(named)).toMatchObject({ rootId: named, specialist: "aether", isGuest: true });
  });

  it("is not remembered from a failure, of its own or of its parent's", async () => {
    const { host, sessions } = setUp();
    const root = (await host.sessions.create({ parentId: "", title: "", agent: "", metadata: { gaia: {} } }))
      .id;
    const subtask = (await host.sessions.create({ parentId: root, title: "", agent: "" })).id;
    const { get } = host.sessions;
    for (const broken of [subtask, root]) {
      host.sessions.get = async (id) => {
        if (id === broken) throw new Error("no answer");
        return get(id);
      };
      await expect(sessions.find(subtask)).rejects.toThrow("no answer");
    }
    host.sessions.get = get;
    expect(await sessions.find(subtask)).toMatchObject({ rootId: root });
  });
});
