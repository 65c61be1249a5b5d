import { describe, expect, it } from "vitest";
import { NEEDS_OPENCODE_1, setup } from "../../src/host/opencode-2.ts";
import plugin from "../../src/index.ts";

/** A context that records what is registered with it; anything else that is reached for is an error. */
function contextOf(capabilities: Record<string, unknown>) {
  const registered: unknown[] = [];
  const add = (entry: unknown): void => void registered.push(entry);
  const only = (known: Record<string, unknown>): unknown =>
    new Proxy(known, {
      get(target, name) {
        if (typeof name === "string" && !(name in target)) throw new Error(`reached for ${name}`);
        return Reflect.get(target, name) as unknown;
      },
    });
  const parts = {
    tool: {},
    session: {},
    command: { transform: (change: (of: object) => void) => change({ add }) },
  };
  const ui = { slot: add, toast: add };
  return { registered, server: only({ ...parts, ui: undefined, ...capabilities }), ui };
}

describe("OpenCode 2", () => {
  it("finds what it looks for beside what OpenCode 1 does", () => {
    expect(plugin).toMatchObject({ id: "opencode-gaia", server: expect.any(Function) as unknown, setup });
  });

  it("is told in the slash menu what is needed, and nothing else is registered", async () => {
    const { registered, server } = contextOf({});
    await setup(server);
    expect(registered).toEqual([
      { name: "gaia", description: NEEDS_OPENCODE_1, execute: expect.any(Function) as unknown },
    ]);
    expect(NEEDS_OPENCODE_1).toContain("needs OpenCode >=1.15.13 <2");
  });

  it("is told on the screen", async () => {
    const { registered, ui } = contextOf({});
    await setup({ ui });
    expect(registered).toMatchObject([{ message: NEEDS_OPENCODE_1 }]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["the registration-only one of OpenCode 1.18.33", { agent: {}, command: { transform: throws } }],
    ["without commands", { tool: {}, session: {} }],
    [
      "whose commands have another form",
      { tool: {}, session: {}, command: { transform: (of: (c: object) => void) => of({}) } },
    ],
    ["that refuses", { tool: {}, session: {}, command: { transform: throws } }],
    ["whose toast refuses", { ui: { slot: throws, toast: throws } }],
    ["of OpenCode 1's terminal", { ui: { toast: throws, dialog: {} } }],
  ])("is left alone with a context: %s", async (_which, context) => {
    await expect(setup(context)).resolves.toBeUndefined();
  });
});

function throws(): never {
  throw new Error("called");
}
