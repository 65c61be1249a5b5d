import { describeError } from "../../lib/error.ts";
import { foreignLine } from "../../lib/markdown.ts";
import { renderErrors, parsePlan } from "../../plan/grammar.ts";
import { stateOfPlan, updatePlan, type PlanState } from "../../plan/update.ts";
import type { GaiaWriter } from "../store/gaia-files.ts";
import { ARCHIVE, refuseSlug } from "../gaia-path.ts";
import { renderTemplate } from "../templates.ts";
import { approvals } from "./plans.ts";
import { ledgers } from "./waves.ts";
import {
  failure,
  inUnit,
  readActive,
  requireSlug,
  recordPath,
  SPEC,
  UNIT_DOCUMENTS,
  unitOf,
  writeActive,
  type OperationContext,
  type UnitRef,
} from "./context.ts";

/** `problem`: why the plan could not be read; the counts are then zero. */
type UnitSummary = PlanState & { slug: string; title: string; problem?: string };

export const unitOperations = ({ files, today, method, clean }: OperationContext) => {
  const summarize = async (slug: string): Promise<UnitSummary> => {
    try {
      const plan = parsePlan((await files.read(`${slug}/plan.md`)) ?? "");
      const { errors, title } = plan;
      const problem = errors.length === 0 ? {} : { problem: renderErrors(errors.slice(0, 1)) };
      return { slug, title, ...stateOfPlan(plan), ...problem };
    } catch (error) {
      return { slug, title: "", status: null, tasks_total: 0, tasks_done: 0, problem: describeError(error) };
    }
  };
  const foldersIn = async (path: string): Promise<string[]> =>
    (await files.list(path)).flatMap(({ name, isFolder }) => (isFolder ? [name] : [])).toSorted();

  return {
    /** Creates a unit and makes it active. `markdown`: its plan; nothing is created when that is not in the grammar. */
    createWorkUnit: clean(
      async ({ slug, title, markdown }: { slug: string; title: string; markdown?: string }) => {
        requireSlug(slug);
        const values = { title: foreignLine(title) || slug, date: today() };
        const template = await renderTemplate("plan.md", values);
        const plan = markdown === undefined ? null : updatePlan(template, { markdown });
        if (plan?.ok === false) throw failure(plan.error, plan.hint);
        await files.exclusive(async (writer) => {
          if (await writer.exists(`${slug}/plan.md`)) {
            const hint = "Go on with it by set_active, or choose another slug.";
            throw failure(`The work unit "${slug}" exists already.`, hint);
          }
          const make = async (name: (typeof UNIT_DOCUMENTS)[number], text?: string): Promise<void> => {
            const fresh = text ?? (await renderTemplate(name, values));
            await writer.change(`${slug}/${name}`, (known) => ({ text: known ?? fresh, result: null }));
          };
          await make("log.md");
          await make("decisions.md");
          await writeActive(writer, slug);
          // By its plan a unit is there: killed before it, the same call makes it as if nothing had been.
          await make("plan.md", plan?.text);
        });
        const state: Partial<PlanState> = plan?.ok === true ? plan.result : {};
        return {
          slug,
          plan_path: recordPath(`${slug}/plan.md`),
          log_path: recordPath(`${slug}/log.md`),
          decisions_path: recordPath(`${slug}/decisions.md`),
          ...state,
        };
      },
    ),
    readWorkUnit: method(async ({ slug }: UnitRef = {}) => {
      const unit = await unitOf(files, slug);
      const names = [...UNIT_DOCUMENTS, SPEC];
      const texts = await Promise.all(names.map((name) => files.read(`${unit}/${name}`)));
      const [plan = null, log = null, decisions = null, spec = null] = texts;
      const { title, status, tasks, errors } = parsePlan(plan ?? "");
      return {
        slug: unit,
        title,
        status,
        tasks,
        /** What of the plan is not in the grammar, a line each; it then has no tasks. */
        problem: errors.length === 0 ? undefined : renderErrors(errors),
        paths: names
          .filter((_name, index) => texts[index] !== null)
          .map((name) => recordPath(`${unit}/${name}`)),
        content: {
          plan_md: plan ?? "",
          log_md: log ?? "",
          decisions_md: decisions ?? "",
          spec_md: spec ?? undefined,
        },
      };
    }),
    listWorkUnits: method(async () => {
      const units = (await foldersIn("")).filter((name) => refuseSlug(name) === null);
      return {
        active: await readActive(files),
        units: await Promise.all(units.map(summarize)),
        archived: await foldersIn(ARCHIVE),
      };
    }),
    activeWorkUnit: method(async () => ({ slug: await readActive(files) })),
    setActive: method(async ({ slug }: { slug: string | null }) => {
      if (slug !== null) await unitOf(files, slug);
      await files.exclusive((writer) => writeActive(writer, slug));
      return { slug };
    }),
    /** Moves a unit to `archive/<day>.<slug>[-2…]`. `isProven` false: ticks are claims, and the status stays. */
    archiveWorkUnit: method(async ({ slug, isProven = true }: UnitRef & { isProven?: boolean } = {}) =>
      inUnit(files, slug, async (writer, unit) => {
        const wasActive = (await readActive(writer)) === unit;
        if (isProven) await completePlan(writer, unit);
        const name = `${ARCHIVE}/${today()}.${unit}`;
        let target = name;
        for (let copy = 2; await writer.exists(target); copy += 1) target = `${name}-${copy}`;
        await writer.move(unit, target);
        if (wasActive) await writeActive(writer, null);
        // Another unit of its name has its own.
        for (const local of [approvals, ledgers]) await local.set(writer, unit, null);
        return { slug: unit, archived_path: recordPath(target) };
      }),
    ),
  };
};

/** A plan that cannot be changed, or says nothing about its status, is archived as it is. */
async function completePlan(writer: GaiaWriter, unit: string): Promise<void> {
  await writer.change(`${unit}/plan.md`, (text) => {
    const { status, tasks } = parsePlan(text ?? "");
    const isDone = status !== null && tasks.length > 0 && tasks.every(({ done }) => done);
    const changed = isDone ? updatePlan(text ?? "", { status: "complete" }) : null;
    return { text: changed?.ok === true ? changed.text : null, result: null };
  });
}
