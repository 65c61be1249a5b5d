import { afterEach, expect, it } from "vitest";
import { say } from "../../src/scripted-model/turn.ts";
import { recordOf } from "../../src/lib/json.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, done, plan, stateOf, UNIT, untilState, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

// The scripted model numbers the calls of each answer anew, as some providers do: every call here is a `call_0`.
it("a yes to a background specialist's edit approves nothing of GAIA's that asks at the same time", async () => {
  project = await openProject();
  project.model.script(
    "gaia",
    delegate(undefined, { background: true }),
    UNIT,
    plan("open_wave", { wave_id: "w1" }),
    say("Done."),
  );
  project.model.script(
    "hephaestus",
    { ...write(project, "a.txt"), delayMs: 500 },
    write(project, "b.txt"),
    done,
  );
  project.model.always("gaia", say("Seen."));
  const session = await project.start("gaia", "Build it");
  const isWave = ({ permission }: { permission: string }): boolean => permission.startsWith("gaia_approval");
  const wave = await project.permission(isWave);
  const approved = async () => recordOf((await stateOf(project, session))["wave"])["approved"];
  const seen = new Set([wave.id]);
  for (const name of ["a.txt", "b.txt"]) {
    const edit = await project.permission(({ id }) => !seen.has(id));
    seen.add(edit.id);
    await project.answer(edit, "once");
    const isKnown = (state: object): boolean => JSON.stringify(state).includes(`"${name}"`);
    await untilState(project, session, `${name} to be known`, isKnown);
    expect(await approved()).not.toBe(true);
  }
  expect(await project.call("GET", "/permission")).toMatchObject([{ id: wave.id }]);

  await project.answer(wave, "once");
  await project.until("the wave's yes", async () => (await approved()) === true);
  await project.idle(session);
});
