import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode } from "../support/opencode.ts";
import { openProject } from "../support/project.ts";
import { HEPHAESTUS_DONE, notesOf, type, UNIT, write } from "./collaboration-scenes.ts";
import { LONG_MS, to } from "./gates-scenes.ts";

vi.setConfig({ testTimeout: LONG_MS });
const FINDINGS = ".gaia/findings.md";

it("a finding whose OpenCode was killed is given back to who comes next, and begun again", async () => {
  const server = await startOpenCode();
  let project = await openProject({
    server,
    files: { "sum.txt": "five\n", "check.sh": "grep -q four sum.txt\n" },
  });
  const report = async (id: string): Promise<void> => {
    const args = ["finding", "add", "--id", id, "--type", "lint", "--text", `What ${id} is about`];
    await promisify(execFile)(process.execPath, [resolve("dist/cli.js"), ...args], {
      cwd: project.directory,
    });
  };
  const rowOf = async (id: string): Promise<string> =>
    (await project.read(FINDINGS)).split("\n").find((line) => line.startsWith(`| ${id} |`)) ?? "";
  const untilRow = async (id: string, words: string): Promise<void> =>
    project
      .until(`${id} to be ${words}`, async () => (await rowOf(id)).includes(words))
      .then(() => undefined);
  try {
    for (const id of ["asked", "unit"]) await report(id);
    const options = [{ label: "four", description: "as the test has it" }];
    const ask = { questions: [{ question: "Which sum is right?", header: "Sum", options }] };
    project.model.script("gaia", say("Hello."), call("question", ask));
    const { sessionId: first } = await project.prompt("gaia", "Hello");
    type(project, first, "gaia-findings", "start asked").catch(() => null);
    await project.question();
    project.model.script("gaia", say("Hello."), UNIT, say("Shall I plan it?"));
    const { sessionId: second } = await project.prompt("gaia", "Hello");
    await type(project, second, "gaia-findings", "start unit");
    expect([await rowOf("asked"), await rowOf("unit")]).toEqual([
      expect.stringContaining("| started |"),
      expect.stringContaining("| started |"),
    ]);

    await project.until("the unit to be known", async () =>
      (await project.read(".gaia/.local/findings.json")).includes('"unit": "unit"'),
    );
    project = await openProject({ server: await server.restart(), resume: project });
    project.model.script("gaia", say("Hello."), say("Shown."));
    const { sessionId: third } = await project.prompt("gaia", "Hello");
    await untilRow("asked", "| open: the OpenCode that worked on it has ended |");
    await untilRow("unit", "| blocked: the OpenCode that worked on it has ended; its work unit is unit |");
    await type(project, third, "gaia-findings");
    expect((await notesOf(project, third)).join("\n")).toContain("asked [open: the OpenCode");

    // Whoever begins it again ends it as what the host has seen of it.
    project.autoAnswer(() => "once");
    project.model.script(
      "gaia",
      to("hephaestus", { lane: "quick-fix", verify: "sh check.sh" }),
      say("Fixed."),
    );
    project.model.script(
      "hephaestus",
      write(project, "sum.txt", "four\n"),
      call("bash", { command: "sh check.sh", description: "Checks it" }),
      result({ ...HEPHAESTUS_DONE, checks_run: [{ command: "sh check.sh", exit_code: 0 }] }),
    );
    const going = type(project, third, "gaia-findings", "start asked");
    await untilRow("asked", "| started |");
    await going;
    await untilRow("asked", "| done: proven by `sh check.sh` |");
  } finally {
    await project.close();
    await server.close();
  }
});
