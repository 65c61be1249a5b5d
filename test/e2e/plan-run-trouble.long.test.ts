import { afterEach, describe, expect, it, vi } from "vitest";
import { PANEL_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, notesOf, plan, type, UNIT, write } from "./collaboration-scenes.ts";
import { follow, LONG_MS, reviewed } from "./gates-scenes.ts";
import { recorded, reports } from "./lanes-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const done = result(HEPHAESTUS_DONE);
const task = (number: number): string =>
  `- [ ] ${number}. Write ${number}.txt\n  - agent: hephaestus\n  - wave: 1\n  - files: ${number}.txt\n  - verify: test -s ${number}.txt\n`;
const planOf = (tasks: number): string =>
  `## Goal\n\nFiles.\n\n## Tasks\n\n${Array.from({ length: tasks }, (_, at) => task(at + 1)).join("")}`;
const planned = (markdown: string): Turn[] => [
  UNIT,
  plan("update_plan", { content: { markdown } }),
  plan("request_approval", { kind: "plan" }),
];
/** The one who is given a file writes it. */
const writes = (request: RecordedRequest): Turn => {
  const name = /TASK: Write ([\w.]+)/.exec(lastText(request, "user"))?.[1];
  return name === undefined || toolResults(request).length > 0 ? done : write(project, name);
};

async function open(mode: string, rest: object = {}): Promise<void> {
  project = await openProject({ gaia: { mode, ...rest }, models: ["spare"] });
  project.autoAnswer(() => "once");
  project.model.always("hephaestus", writes);
  project.model.always("demeter", recorded);
  project.model.always("hades", reviewed("hades"));
  project.model.always("aether", reviewed("aether"));
}

describe("a provider that answers again in an hour", () => {
  it("is told in the line, the status, the panel and the run, which goes on with another model", async () => {
    await open("autopilot");
    const limit: Turn = { status: 429, message: "Rate limit reached", headers: { "retry-after": "3600" } };
    project.model.always("hephaestus", limit);
    project.model.script("gaia", ...planned(planOf(1)), plan("run"), say("It waits."));
    const outcome = await follow(project, "Build it");
    const { sessionId } = outcome;
    const [report] = reports(outcome);
    const at = /\d\d:\d\d:\d\d/.exec(String(report?.["why"]))?.[0] ?? "none";
    expect(report).toMatchObject({
      ok: false,
      status: "decision",
      why: expect.stringMatching(/^Task 1 is not done: .*It answers again at \d/u),
    });
    const panel = async (): Promise<string> => {
      const { metadata } = recordOf(await project.call("GET", `/session/${sessionId}`));
      return JSON.stringify(recordOf(metadata)[PANEL_KEY]);
    };
    await project.until("the panel", async () =>
      (await panel()).includes(`↻ hephaestus limited until ${at}`),
    );
    const notes = (await notesOf(project, sessionId)).join("\n");
    expect(notes).toMatch(new RegExp(`✗ hephaestus › .* · limited until ${at}: Rate limit reached`));
    project.model.script("gaia", say("Shown."));
    await type(project, sessionId, "gaia-status");
    expect((await notesOf(project, sessionId)).join("\n")).toContain(
      `limited until ${at}: Rate limit reached`,
    );
    // What a person can do about it at once.
    project.model.always("hephaestus", writes);
    project.model.script("gaia", plan("run"), say("Built."));
    const after = await project.prompt("gaia", "Go on", { session: sessionId, model: "spare" });
    expect(reports(after).at(-1)).toMatchObject({ ok: true, status: "finished", open: [] });
    await project.until("the panel", async () => !(await panel()).includes("limited until"));
  });
});

describe("a wave beyond its budget", () => {
  it("stops with what to do, and goes on to its end by /next", async () => {
    await open("autopilot", {
      autopilotSafeguards: { maxToolCallsPerWave: 3 },
      delegation: { maxConcurrent: { perModel: { "scripted/main": 3 } } },
    });
    project.model.script("gaia", ...planned(planOf(5)), plan("run"), say("It stopped."));
    const begun = await follow(project, "Build it");
    const { sessionId } = begun;
    let report = reports(begun).at(-1);
    expect(report).toMatchObject({ ok: false, why: expect.stringMatching(/budget.*of 3 tool calls/) });
    let rounds = 0;
    while (report?.["ok"] !== true && (rounds += 1) < 6) {
      project.model.script("gaia", plan("run"), say("On."));
      await type(project, sessionId, "next");
      report = reports(await project.outcome(sessionId)).at(-1);
    }
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(rounds).toBeGreaterThan(0);
  });
});

describe.each(["off", "auto"])("one plan in two conversations, with lanes %s", (mode) => {
  /** GAIA's turns, by how the conversation began. */
  const script = (turns: Record<string, Turn[]>): void =>
    project.model.always("gaia", ({ body }: RecordedRequest) => {
      const said = messagesOf(body).flatMap(({ role, content }) =>
        role === "user" ? [JSON.stringify(content).slice(0, 60)] : [],
      );
      const of = Object.keys(turns).find((opening) => said.some((text) => text.includes(opening)));
      return turns[of ?? ""]?.shift() ?? say("No more.");
    });
  const begin = async (
    turns: readonly Turn[],
    specialist: Turn | ((request: RecordedRequest) => Promise<Turn>),
  ): Promise<string> => {
    await open("autopilot", { lanes: { mode } });
    project.model.always("hephaestus", specialist);
    script({ "Build it": [...planned(planOf(2)), plan("run"), say("A.")], "Go on": [...turns, say("B.")] });
    const first = await project.start("gaia", "Build it");
    await project.until("the work", () => project.model.requestsOf("hephaestus").length > 1);
    return first;
  };
  const onward = plan("run", { slug: "unit" });

  it("is carried out once: the other is told where, and goes on with it once the user has stopped it", async () => {
    const first = await begin([onward], { trouble: "hang" });
    const other = await project.prompt("gaia", "Go on with unit");
    expect(reports(other)).toEqual([
      expect.objectContaining({
        ok: false,
        status: "user",
        why: "The plan of unit is being carried out in another conversation.",
        open: [1, 2],
      }),
    ]);
    expect(project.model.requestsOf("hephaestus")).toHaveLength(2);
    await project.abort(first);
    await project.idle(first);
    project.model.always("hephaestus", writes);
    script({ "Go on": [onward, say("B.")] });
    const after = await follow(project, "Go on", other.sessionId);
    expect(reports(after).at(-1)).toMatchObject({ ok: true, status: "finished", open: [] });
    expect([await project.read("1.txt"), await project.read("2.txt")]).toEqual(["1.txt\n", "2.txt\n"]);
    // A third goes on from that end, and so does the first: what was stopped there is shown to hold by now.
    const asked = project.model.requestsOf("hephaestus").length;
    for (const session of [undefined, first]) {
      script({ "Go on": [onward, say("C.")] });
      const later = await follow(project, "Go on from there", session);
      expect(reports(later).at(-1)).toMatchObject({ ok: true, status: "finished", open: [] });
    }
    expect(project.model.requestsOf("hephaestus")).toHaveLength(asked);
  });
});
