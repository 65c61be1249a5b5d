import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { HookEvents } from "../../src/host/hook-events.ts";
import { listFileTools } from "../../src/tools/registry.ts";
import { writeIn } from "../support/directory.ts";
import { compose } from "../support/composition.ts";

/** Each is off by itself; what switches it on, and what it may weigh in bytes, name and schema included. */
describe.each([
  ["ast_gaia", { ast: "on" }, 700],
  ["edit_gaia", { editing: "anchored" }, 900],
] as const)("%s", (name, config, most) => {
  it("is nowhere while it is off", async () => {
    const { runtime } = await compose();
    expect(listFileTools(runtime)).toEqual([]);
    expect(JSON.stringify(runtime.agents.entries)).not.toContain(name);
  });

  it("is small, and there for specialists alone once it is on", async () => {
    const { runtime, hooks } = await compose({}, async (directory) => {
      await writeIn(directory, "opencode/gaia.jsonc", JSON.stringify(config));
      return {};
    });
    const tool = listFileTools(runtime).find((each) => each.name === name);
    const schema = z.toJSONSchema(z.object(tool?.args ?? {}), { io: "input" });
    const sent = JSON.stringify({ name, description: tool?.description, parameters: schema });
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(most);
    expect(tool?.description).toMatch(/^[A-Z].*\.$/);
    const having = Object.entries(runtime.agents.entries).flatMap(([agent, { permission }]) =>
      permission[name] === "allow" ? agent : [],
    );
    expect(having).toContain("hephaestus");
    expect(having).not.toContain("gaia");
    expect(having).not.toContain("demeter");
    const register = vi.fn<HookEvents["configuration"]["register"]>(() => ({
      commands: [],
      agents: [],
      denied: { read: [], edit: [], commands: [] },
    }));
    await hooks.find(({ id }) => id === "register")?.run({ register });
    expect(register).toHaveBeenCalledWith(
      expect.objectContaining({ tools: expect.arrayContaining([name]) as unknown }),
    );
  });
});
