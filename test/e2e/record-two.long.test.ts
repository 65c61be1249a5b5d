import { afterEach, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { plan } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

it("takes nothing from one of two conversations into the unit of the other, in a hundred operations side by side", async () => {
  project = await openProject({ gaia: { mode: "autopilot" }, patienceMs: 100_000 });
  const done = { one: 0, two: 0 };
  project.model.always("gaia", ({ raw }) => {
    const name = raw.includes("Plan unit one") ? "one" : "two";
    const at = (done[name] += 1);
    if (at === 1) return plan("create_work_unit", { slug: name, title: name });
    const tasks = Array.from({ length: 24 }, (_, index) => `- [ ] ${index + 1}. ${name} ${index + 1}`);
    if (at === 2) return plan("update_plan", { content: { markdown: ["## Tasks", ...tasks].join("\n") } });
    if (at > 50) return say(`${name} is over.`);
    return at % 2 === 0
      ? plan("update_plan", { tick: [String(at / 2 - 1)] })
      : plan("append_log", { content: { markdown: `- ${name} did ${at}` } });
  });
  const [one, two] = await Promise.all(
    (["one", "two"] as const).map(async (name) => {
      const session = await project.start("gaia", `Plan unit ${name}`);
      await project.until(`the last answer of ${name}`, () => done[name] > 50);
      await project.idle(session);
      return project.outcome(session);
    }),
  );
  expect([one?.text, two?.text]).toEqual(["one is over.", "two is over."]);
  expect(
    [one, two]
      .flatMap((each) =>
        each === undefined ? [] : each.tools.map(({ output }) => recordOf(JSON.parse(output ?? "null"))),
      )
      .map((answer) => answer["ok"]),
  ).toEqual(Array.from({ length: 100 }, () => true));
  for (const [name, other] of [
    ["one", "two"],
    ["two", "one"],
  ] as const) {
    const [log, text] = [
      await project.read(`.gaia/${name}/log.md`),
      await project.read(`.gaia/${name}/plan.md`),
    ];
    expect(log.match(new RegExp(`^- ${name} did `, "gm"))).toHaveLength(24);
    expect(text.match(/- \[x\]/g)).toHaveLength(24);
    expect(log + text).not.toContain(`${other} `);
  }
}, 120_000);
