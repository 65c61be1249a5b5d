import { afterEach, describe, expect, it, vi } from "vitest";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, plan, UNIT, write } from "./collaboration-scenes.ts";
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

describe("one plan in two conversations", () => {
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
    await open("autopilot", { lanes: { mode: "auto" } });
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
