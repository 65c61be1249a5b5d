import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { toolNames } from "../support/scripted-model.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import { childOf, HEPHAESTUS_DONE } from "./collaboration-scenes.ts";

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

/** GAIA delegates to an agent, which makes one call; the child's transcript. */
async function delegated(agent: string, turn: Turn): Promise<Outcome> {
  project.model.script("gaia", call("delegate_gaia", { agent, goal: "try it" }), say("Done."));
  project.model.script(agent, turn);
  project.model.always(agent, result(HEPHAESTUS_DONE));
  const { sessionId } = await project.prompt("gaia", "Try it");
  return childOf(project, sessionId);
}

const at = (path: string): string => join(project.directory, path);
const bash = (command: string): Turn => call("bash", { command, description: "try" });

describe("what the user's opencode.json denies", () => {
  it.each<[string, string, () => Turn]>([
    ["read", "hephaestus", () => call("read", { filePath: at("private/a.txt") })],
    [
      "edit",
      "hephaestus",
      () => call("edit", { filePath: at("secret/b.txt"), oldString: "as", newString: "not as" }),
    ],
    ["write", "hephaestus", () => call("write", { filePath: at("secret/c.txt"), content: "new\n" })],
    [
      "apply_patch",
      "artemis",
      () =>
        call("apply_patch", { patchText: "*** Begin Patch\n*** Add File: secret/c.txt\n+c\n*** End Patch" }),
    ],
    ["bash", "hephaestus", () => bash("touch made.txt")],
    ...["GAIA_SANDBOX=off touch", "GAIA_SANDBOX=network touch", "A=1 touch", "env touch"].map(
      (spelling): [string, string, () => Turn] => [
        spelling,
        "hephaestus",
        () => bash(`${spelling} made.txt`),
      ],
    ),
    ["glob", "minerva", () => call("glob", { pattern: "**/*.txt" })],
    ["grep", "minerva", () => call("grep", { pattern: "user" })],
    [
      "webfetch",
      "apollo",
      () =>
        call("webfetch", {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          format: "text",
        }),
    ],
  ])("%s by %s is denied in autopilot", async (tool, agent, turn) => {
    const { tools } = await delegated(agent, turn());
    // A tool that is denied as a whole is not offered, and OpenCode takes its call for one of no tool.
    if (["glob", "grep", "webfetch"].includes(tool)) {
      const [request] = project.model.requestsOf(agent);
      expect(request === undefined ? [tool] : toolNames(request)).not.toContain(tool);
      expect(tools[0]?.tool).toBe("invalid");
    } else expect(tools[0]?.status).toBe("error");
    expect(JSON.stringify(tools)).not.toContain(SECRET);
    expect(await project.read("secret/b.txt")).toBe("as it was\n");
    for (const file of ["secret/c.txt", "made.txt"]) expect(existsSync(at(file))).toBe(false);
  });

  it("is closed to the commands of a specialist as well, and the rest is open", async () => {
    const line =
      "cat private/a.txt; ls private; echo x > secret/b.txt; echo x > secret/c.txt; cat open.txt; echo y > fine.txt";
    const { tools } = await delegated("hephaestus", bash(line));
    expect(tools[0]?.status).toBe("completed");
    expect(JSON.stringify(tools)).not.toContain(SECRET);
    expect(tools[0]?.output).toContain("open");
    expect(await project.read("secret/b.txt")).toBe("as it was\n");
    expect(existsSync(at("secret/c.txt"))).toBe(false);
    expect(await project.read("fine.txt")).toBe("y\n");
  });
});
