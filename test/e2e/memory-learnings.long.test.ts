import { entryTexts, learnt } from "../support/entries.ts";
import { readdir, readFile } from "node:fs/promises";
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

/** All of the record but what was spent, which is no memory. */
async function record(): Promise<Record<string, string>> {
  const folder = join(project.directory, ".gaia");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const all = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(
    await Promise.all(all.map(async (path) => [path, await readFile(path, "utf8")] as const)),
  );
}

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

  it("counts at once where the user lets their own words do so, and is told with the next message about it", async () => {
    project = await openProject({
      files: FILES,
      gaia: { mode: "autopilot", learn: "own-words", knowledge: { timeoutMs: 5_000 } },
    });
    await takeBack();
    await project.until("the entry", async () =>
      /^status: accepted$[^]*^Nein, bitte mit/m.test(await entryTexts(project.directory)),
    );
    project.model.script("gaia", say("Aye."));
    await project.prompt("gaia", "Weiter mit src/a.ts");
    const request = project.model.requestsOf("gaia").at(-1);
    expect(request && lastText(request, "user")).toContain("- correction: Nein, bitte mit Ziffern zählen");
  });

  it("is nothing where the user goes to another branch, whatever they ask for there", async () => {
    project = await openProject({ files: FILES, gaia: { mode: "autopilot" } });
    await project.git("switch", "-qc", "feature");
    project.model.script("gaia", delegate(), say("Done."), say("I see."));
    const filePath = join(project.directory, "src/a.ts");
    project.model.script(
      "hephaestus",
      call("write", { filePath, content: "one\ntwo\n" }),
      result(HEPHAESTUS_DONE),
    );
    const { sessionId } = await project.prompt("gaia", "Count on in src/a.ts");
    await project.git("commit", "-qam", "Count on");
    await project.git("switch", "-q", "-");
    expect(await project.read("src/a.ts")).toBe("one\n");
    await project.prompt("gaia", "And now the login page", { session: sessionId });
    await project.call("POST", "/instance/dispose");
    expect(await entryTexts(project.directory)).not.toContain("login");
  });

  it("is not followed where capture is off: the record stays as it is, byte by byte", async () => {
    project = await openProject({
      files: { "src/a.ts": "one\n", ".gaia/gaia-init.md": "# Ours\n" },
      gaia: { mode: "autopilot", capture: { enabled: false } },
    });
    const before = await record();
    await takeBack();
    await project.call("POST", "/instance/dispose");
    expect(await record()).toEqual(before);
  });
});

describe("what a pull or a person's editor brings", () => {
  const entry = (status: string, more = ""): string =>
    `---\nstatus: ${status}\nby: ann\n${more}---\nRequests are repeated twice.\n`;
  const toasts = (): string => JSON.stringify(project.events.filter(({ type }) => type === "tui.toast.show"));

  it("is told where it waits for a yes, and no model hears of it", async () => {
    project = await openProject({
      files: { ...FILES, ".gaia/knowledge/retry.md": entry("rejected") },
    });
    project.model.always("gaia", say("Hello."));
    const { sessionId } = await project.prompt("gaia", "Hello");
    await project.idle(sessionId);
    await project.write(".gaia/knowledge/later.md", entry("proposed"));
    const noticed = "Noticed: note: Requests are repeated twice.";
    for (const words of ["And here?", "And there?"])
      await project.prompt("gaia", words, { session: sessionId });
    await project.until("what is new", () => toasts().includes(noticed));
    expect(toasts().split(noticed)).toHaveLength(2);
    for (const { raw } of project.model.requests) expect(raw).not.toContain("Requests are repeated");
  });

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

  it("is neither told nor brought up by itself where that is switched off, and is found by who asks", async () => {
    project = await openProject({
      files: { ...FILES, ".gaia/knowledge/retry.md": entry("accepted") },
      gaia: { knowledge: { inject: false, timeoutMs: 5_000 } },
    });
    project.model.script(
      "gaia",
      say("Hello."),
      call("recall_gaia", { query: "requests repeated twice" }),
      say("Twice."),
    );
    const { sessionId } = await project.prompt("gaia", "How often are requests repeated?");
    await project.write(".gaia/knowledge/retry.md", entry("rejected", "reason: too slow\n"));
    await project.write(".gaia/knowledge/retry.md", entry("accepted"));
    await project.prompt("gaia", "How often are requests repeated?", { session: sessionId });
    const asked = project.model.requestsOf("gaia").map(({ raw }) => raw.includes("are repeated twice"));
    expect(asked).toEqual([false, false, true]);
    expect(toasts()).not.toContain("Knowledge");
  });
});
