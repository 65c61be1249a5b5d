import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { recordOf } from "../../src/lib/json.ts";
import { listFileTools } from "../../src/tools/registry.ts";
import { writeIn } from "../support/directory.ts";
import { compose, type Composition } from "../support/composition.ts";

/** Each is off by itself; what switches it on, and what it may weigh in bytes, name and schema included. */
const TOOLS = [
  ["ast_gaia", { ast: "on" }, 700],
  ["edit_gaia", { editing: "anchored" }, 900],
] as const;

const whoHas = ({ runtime }: Composition, tool: string): string[] =>
  Object.entries(runtime.agents.entries).flatMap(([name, { permission }]) =>
    permission[tool] === "allow" ? [name] : [],
  );

describe.each(TOOLS)("%s", (name, config, most) => {
  it("is nowhere while it is off", async () => {
    const composition = await compose();
    expect(listFileTools(composition.runtime)).toEqual([]);
    expect(JSON.stringify(composition.runtime.agents.entries)).not.toContain(name);
  });

  it("is small, and there for specialists alone once it is on", async () => {
    const composition = await compose({}, async (directory) => {
      await writeIn(directory, "opencode/gaia.jsonc", JSON.stringify(config));
      return {};
    });
    const tool = listFileTools(composition.runtime).find((each) => each.name === name);
    const schema = z.toJSONSchema(z.object(tool?.args ?? {}), { io: "input" });
    const sent = JSON.stringify({ name, description: tool?.description, parameters: schema });
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(most);
    expect(tool?.description).toMatch(/^[A-Z].*\.$/);
    const having = whoHas(composition, name);
    expect(having).toContain("hephaestus");
    expect(having).not.toContain("gaia");
    expect(having).not.toContain("demeter");
    let denied: unknown;
    const register = composition.hooks.find(({ id }) => id === "register");
    const registering = {
      register(given: unknown) {
        denied = recordOf(given)["tools"];
        return { commands: [], agents: [], denied: { read: [], edit: [], commands: [] } };
      },
    };
    await register?.run(registering);
    expect(denied).toContain(name);
  });
});
