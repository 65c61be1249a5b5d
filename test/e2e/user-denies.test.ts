import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCases } from "../support/cases.ts";
import { toolNames, openProject, type Project } from "../support/project.ts";
import { type Attack, bash, delegated, turnsOf } from "./scenes.ts";

const GPT = "gpt-5-scripted";
const SECRET = "for the user alone";

let project: Project;
const server = createServer((_request, response) => response.end(SECRET));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project = await openProject({
    files: { "private/a.txt": `${SECRET}\n`, "secret/b.txt": "as it was\n", "open.txt": "open\n" },
    models: [GPT],
    config: {
      permission: {
        read: { "private/*": "deny" },
        edit: { "secret/*": "deny" },
        bash: { "touch *": "deny" },
        glob: "deny",
        grep: "deny",
        webfetch: "deny",
      },
    },
    gaia: {
      mode: "autopilot",
      agents: { hephaestus: { model: "scripted/main" }, artemis: { model: `scripted/${GPT}` } },
    },
  });
  project.autoAnswer(() => "once");
});
afterAll(async () => {
  server.close();
  await project.close();
});

const at = (path: string): string => join(project.directory, path);
describe("what the user's opencode.json denies", () => {
  const attacks = readCases<Attack>("e2e/user-denies");
  it.each(["hephaestus", "artemis", "minerva", "apollo"])("is denied to %s in autopilot", async (agent) => {
    const own = attacks.filter((attack) => attack.agent === agent);
    const { port } = server.address() as AddressInfo;
    const places = { project: project.directory, port: String(port) };
    const { tools } = await delegated(
      project,
      agent,
      own.flatMap((attack) => turnsOf(attack, places)),
    );
    const [request] = project.model.requestsOf(agent);
    for (const [index, { how, tool }] of own.entries()) {
      // A tool that is denied as a whole is not offered, and OpenCode takes its call for one of no tool.
      if (["glob", "grep", "webfetch"].includes(tool)) {
        expect(request === undefined ? [tool] : toolNames(request)).not.toContain(tool);
        expect([how, tools[index]?.tool]).toEqual([how, "invalid"]);
      } else expect([how, tools[index]?.status]).toEqual([how, "error"]);
    }
    expect(JSON.stringify(tools)).not.toContain(SECRET);
    expect(await project.read("secret/b.txt")).toBe("as it was\n");
    for (const file of ["secret/c.txt", "made.txt"]) expect(existsSync(at(file))).toBe(false);
  });

  it("is closed to the commands of a specialist as well, and the rest is open", async () => {
    const line =
      "cat private/a.txt; ls private; echo x > secret/b.txt; echo x > secret/c.txt; cat open.txt; echo y > fine.txt";
    const { tools } = await delegated(project, "hephaestus", [bash(line)]);
    expect(tools[0]?.status).toBe("completed");
    expect(JSON.stringify(tools)).not.toContain(SECRET);
    expect(tools[0]?.output).toContain("open");
    expect(await project.read("secret/b.txt")).toBe("as it was\n");
    expect(existsSync(at("secret/c.txt"))).toBe(false);
    expect(await project.read("fine.txt")).toBe("y\n");
  });
});
