import { afterEach, expect, it, vi } from "vitest";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import { done, follow, LONG_MS, plan, planOf, recorded, reports, reviewed, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const task = (files: string) => ({ text: `Write ${files}`, wave: "1", files, verify: `test -s ${files}` });
const MARKDOWN = planOf("Files.", ["1.txt", "2.txt"].map(task));
const PLANNED = plan("create_work_unit", { slug: "unit", title: "U", content: { markdown: MARKDOWN } });
/** The one who is given a file writes it. */
const writes = (request: RecordedRequest): Turn => {
  const name = /TASK: Write ([\w.]+)/.exec(lastText(request, "user"))?.[1];
  return name === undefined || toolResults(request).length > 0 ? done : write(project, name);
};
/** GAIA's turns, by how the conversation began. */
const script = (turns: Record<string, Turn[]>): void =>
  project.model.always("gaia", ({ body }: RecordedRequest) => {
    // What GAIA is told of other conversations stands behind the words.
    const said = messagesOf(body).flatMap(({ role, content }) =>
      role === "user" ? [JSON.stringify(content).slice(0, 60)] : [],
    );
    const opening = Object.keys(turns).find((each) => said.some((text) => text.includes(each))) ?? "";
    return turns[opening]?.shift() ?? say("No more.");
  });

it("one plan in two conversations is carried out once: the other is told where, and goes on with it once the user has stopped it", async () => {
  project = await openProject({ gaia: { mode: "autopilot", lanes: { mode: "auto" } } });
  project.model.always("hephaestus", { trouble: "hang" });
  project.model.always("demeter", recorded);
  for (const reviewer of ["aether", "hades"] as const) project.model.always(reviewer, reviewed(reviewer));
  const onward = plan("run", { slug: "unit" });
  script({ "Build it": [PLANNED, plan("run"), say("A.")], "Go on": [onward, say("B.")] });
  const first = await project.start("gaia", "Build it");
  await project.until("the work", () => project.model.requestsOf("hephaestus").length > 1);
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
