import { afterEach, describe, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { parseRow } from "../../src/lib/markdown.ts";
import { startOpenCode } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, HEPHAESTUS_DONE, plan, type, UNIT, write } from "./collaboration-scenes.ts";

let project: Project;
afterEach(async () => project.close());

const QUESTION = call("question", {
  questions: [
    { question: "jose or jsonwebtoken?", header: "Library", options: [{ label: "jose", description: "" }] },
  ],
});
const HARVEST = { log_entry: "x", decisions: [], learnings: [], plan_updates: [], session_summary: "x" };
const rowsOf = async (): Promise<string[][]> => {
  const text = await project.read(".gaia/unit/decisions.md").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line.startsWith("| 2"))
    .map(parseRow);
};
/** The question, the choice and the reason of each row. */
const said = async (): Promise<string[]> =>
  (await rowsOf()).map(([, question, choice, rationale]) => [question, choice, rationale].join(" · "));

describe("the user's decisions", () => {
  it("outlive a crash without the historian, who later adds reasons and no rows", async () => {
    const server = await startOpenCode();
    project = await openProject({ server });
    project.model.script(
      "gaia",
      delegate(),
      UNIT,
      QUESTION,
      plan("open_wave", { wave_id: "w1", title: "Tokens" }),
      say("Begun."),
      say("Live."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    const session = await project.start("gaia", "Build it");
    await project.answer(
      await project.permission(({ permission }) => permission === "edit"),
      "reject",
      "tabs",
    );
    await project.reply(await project.question(), [["jose"]]);
    await project.answer(
      await project.permission(({ permission }) => permission.startsWith("gaia_approval: wave")),
      "once",
    );
    await project.idle(session);
    await type(project, session, "autopilot");
    const expected = [
      "May write run? · rejected · tabs",
      "jose or jsonwebtoken? · jose · ",
      expect.stringMatching(/mode.*autopilot/i),
    ];
    await project.until("three rows", async () => (await rowsOf()).length === 3);
    expect(await project.read(".gaia/unit/log.md")).toMatch(/^- .{16} · Approve wave w1 .*`wave:per_\w+`$/mu);
    await server.kill();
    expect(await said()).toEqual(expected);
    expect(project.model.requestsOf("demeter")).toEqual([]);
    // The session's summary stands there already, without a model or a command.
    const summary = await project.read(".gaia/unit/sessions.md");
    expect(summary).toContain("- Asked: Build it\n");
    expect(summary).toContain("- Decided: jose or jsonwebtoken? → jose\n");

    const again = await server.restart();
    project = await openProject({ server: again, resume: project });
    const reasons = (await rowsOf()).map(([date, question, choice, rationale, impact]) =>
      [date, question, choice, rationale || "as the historian heard it", impact || "the unit"].join(" | "),
    );
    project.model.script("gaia", call("delegate_gaia", { agent: "demeter", goal: "harvest" }), say("Done."));
    project.model.script(
      "demeter",
      plan("append_decisions", {
        slug: "unit",
        content: { markdown: reasons.map((row) => `| ${row} |`).join("\n") },
      }),
      result(HARVEST),
    );
    await project.prompt("gaia", "Write it down", { session });
    const rows = await rowsOf();
    expect(rows).toHaveLength(3);
    expect(rows.map(([, , , rationale]) => rationale)).toEqual([
      "tabs",
      "as the historian heard it",
      "as the historian heard it",
    ]);
    expect(rows.every(([, , , , impact]) => impact !== "")).toBe(true);
    let sessions = "";
    await project.until("the summary to go on", async () => {
      sessions = await project.read(".gaia/unit/sessions.md");
      return /Asked: Build it\n- Asked: Write it down\n- Done: hephaestus failed, demeter\n/.test(sessions);
    });
    expect(sessions.match(/^## .*— Session /gm)).toHaveLength(1);
    await again.kill();
  }, 150_000);
});
