import { failureForPerson } from "../../lib/for-person.ts";
import { MAKER } from "../../agents/registry.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { renderErrors } from "../../plan/errors.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { type CommandContext, type CommandReply, refuseCommand } from "../define.ts";

const MAX_TITLE = 80;
/** Units that are looked at for a free name. */
const MAX_NAMES = 50;

/** Makes the unit, and has GAIA carry it out. */
export async function startAb(
  argumentText: string,
  { conversation, runtime: { agents, config, host, verifier, workspace } }: CommandContext,
): Promise<CommandReply> {
  const [title = "", ...more] = argumentText
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const no = async (why: string) => refuseCommand(host, "started", why);
  if (title === "") return no("Say what is to be done: /gaia-ab <task>");
  if (conversation.state.knobs.mode === "locked") return no("GAIA is locked; /supervised unlocks.");
  const has = (key: string): boolean => more.some((line) => new RegExp(`^[-* ]*${key}:`, "i").test(line));
  const lines = [
    ...(has("agent") || !agents.specialists.has(MAKER) ? [] : [`agent: ${MAKER}`]),
    ...(has("candidates") ? [] : ["candidates: 2"]),
    ...more.map((line) => line.replace(/^[-*] /, "")),
  ];
  const markdown = `## Goal\n\n${title}\n\n## Tasks\n\n- [ ] 1. ${title}\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  const { errors, tasks } = parsePlan(markdown);
  if (errors.length > 0) return no(`These lines do not say what is to be done:\n${renderErrors(errors)}`);
  const isJudged = tasks.some((task) => task.verify !== undefined || task.hidden !== undefined);
  const checks = config.wavePolicy.boundaryRule === "manual" ? [] : await verifier.commands();
  if (!isJudged && checks.length === 0)
    return no(
      "Nothing would judge them: add a line `verify: <command>`, or have the project's checks found by /gaia-init.",
    );
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = `ab-${words}`.slice(0, 40).replaceAll(/-+/g, "-").replace(/-$/, "");
  for (let count = 1; count <= MAX_NAMES; count += 1) {
    const slug = count === 1 ? name : `${name}-${count}`;
    if ((await workspace.planStanding({ slug })).ok) continue;
    const made = await workspace.createWorkUnit({ slug, title: excerpt(title, MAX_TITLE), markdown });
    if (!made.ok) return no(failureForPerson(made));
    conversation.parts.planning.end();
    conversation.dispatch({ type: "work-unit-changed", workUnit: slug });
    return {
      forModel: `The user has one task done by several who know nothing of each other: ${excerpt(title, MAX_TITLE)}\nIts plan is written. Call plan_gaia run with slug ${slug}, and do what next in its result says. In the end say which was kept, why, and how it was verified.`,
    };
  }
  return no(`There are ${MAX_NAMES} units named like ${name}.`);
}
