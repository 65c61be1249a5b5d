import { entryTexts, learnt } from "../support/entries.ts";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { lastText } from "../support/scripted-model.ts";
import { openProject, type Project } from "../support/project.ts";
import { canContain } from "../support/bubblewrap.ts";
import { delegate, HEPHAESTUS_DONE } from "./collaboration-scenes.ts";

let project: Project;
afterEach(async () => project.close());

const TODAY = new Date().toISOString().slice(0, 10);
const LEARNING = `- **pattern** src/a.ts counts in words — ${TODAY}`;
const FILES = { "src/a.ts": "one\n", ...learnt(LEARNING) };

/** GAIA is told of a file, has it changed, and the user puts it back and says why. */
async function takeBack(): Promise<void> {
  project.model.script("gaia", delegate(), say("Done."), say("I see."));
  project.model.script(
    "hephaestus",
    call("write", { filePath: join(project.directory, "src/a.ts"), content: "one\ntwo\n" }),
    result(HEPHAESTUS_DONE),
  );
  const { sessionId } = await project.prompt("gaia", "Count on in src/a.ts");
  expect(await project.read("src/a.ts")).toBe("one\ntwo\n");
  await project.write("src/a.ts", "one\n");
  await project.prompt("gaia", "Nein, bitte mit Ziffern zählen", { session: sessionId });
}

describe("what the user takes back", () => {
  it("has their words proposed, in any language, and leaves the learnings as they are", async () => {
    project = await openProject({ files: FILES, gaia: { mode: "autopilot" } });
    await takeBack();
    const proposed = await project.until("the proposal", async () => {
      const text = await entryTexts(project.directory);
      return text.includes("Nein, bitte mit Ziffern zählen") && text;
    });
    expect(proposed).toMatch(
      /^kind: correction$[^]*^about: \["src\/a\.ts"\]$[^]*^status: proposed$[^]*^Nein, bitte mit/m,
    );
    const told = project.model.requestsOf("gaia").map((request) => lastText(request, "user"));
    expect(told[0]).toContain(`- pattern: src/a.ts counts in words (${TODAY})`);
  });
});

describe("what a pull or a person's editor brings", () => {
  const entry = (status: string, more = ""): string =>
    `---\nstatus: ${status}\nby: ann\n${more}---\nRequests are repeated twice.\n`;

  it.runIf(canContain)(
    "counts at once where a person writes it, also after contained work of an agent's",
    async () => {
      project = await openProject({
        files: { ...FILES, ".gaia/knowledge/retry.md": entry("proposed") },
        gaia: { mode: "autopilot", knowledge: { timeoutMs: 5_000 } },
      });
      const ask = "How often are requests repeated?";
      project.model.script("gaia", delegate(), say("Done."), say("Twice."));
      project.model.script(
        "hephaestus",
        call("bash", { command: "echo two > src/a.ts", description: "Write" }),
        result(HEPHAESTUS_DONE),
      );
      const { sessionId } = await project.prompt("gaia", ask);
      expect(await project.read("src/a.ts")).toBe("two\n");
      for (const { raw } of project.model.requests) expect(raw).not.toContain("are repeated twice");
      await project.write(".gaia/knowledge/retry.md", entry("accepted"));
      await project.prompt("gaia", ask, { session: sessionId });
      const newest = project.model.requestsOf("gaia").at(-1);
      expect(newest && lastText(newest, "user")).toContain("Requests are repeated twice.");
    },
  );
});
