import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import {
  addFindings,
  changeState,
  parseFindings,
  type NewFinding,
  type StateChange,
} from "../documents/finding.ts";
import { changeDocument, refusalOf, recordPath, type OperationContext, defineLocalMap } from "./context.ts";

const FINDINGS = "findings.md";
const MAX_HOLDS = 1_000;

const schema = lazy(() =>
  z.object({
    session: z.string(),
    unit: z.nullable(z.string()),
    /** The process in which the conversation is open; its id means something on `host` only. */
    pid: z.number(),
    host: z.string(),
    /** The finding's state as the plugin wrote it last: where the row says anything else, a person has. */
    state: z.string(),
  }),
);

/** Which conversation works on a finding, where this checkout alone can know it. */
export type FindingHold = z.infer<ReturnType<typeof schema>>;

const holdings = defineLocalMap("findings.json", schema);

/** A change of a finding's state by who works on it, or by who finds that nobody does. */
export interface HeldChange extends StateChange {
  /** Who works on it from now on; null for nobody. Its `state` is the one that is written. */
  readonly hold: Omit<FindingHold, "state"> | null;
  /** Nothing is changed where someone else holds it by now; undefined for no matter who that is. */
  readonly judged?: FindingHold | undefined;
}

export const findingOperations = ({ files, method, clean }: OperationContext) => ({
  /** What reviewers and CI found, in the order of the file; `line` is one-based. */
  readFindings: method(async () => {
    const parsed = parseFindings((await files.read(FINDINGS)) ?? "");
    if (!parsed.ok) throw refusalOf(FINDINGS, parsed);
    return { path: recordPath(FINDINGS), findings: parsed.findings, unread: parsed.unread };
  }),
  addFindings: clean(async (given: readonly NewFinding[]) => ({
    path: recordPath(FINDINGS),
    ...(await files.exclusive((writer) =>
      changeDocument(writer, FINDINGS, (text) => addFindings(text, given)),
    )),
  })),
  findingHolds: method(async () => ({ holds: await holdings.all(files) })),
  /** Writes the state of a finding where nobody else has, and who works on it: of all processes, one does so at a time. */
  stateFinding: clean(async ({ hold, judged, ...change }: HeldChange) => {
    const id = change.id.toLowerCase();
    return files.exclusive(async (writer) => {
      const held = await holdings.get(writer, id);
      const isOthers = judged !== undefined && JSON.stringify(judged) !== JSON.stringify(held);
      const given = { ...change, was: isOthers ? [] : change.was };
      const changed = changeState((await writer.read(FINDINGS)) ?? "", given);
      // First: a process that is killed behind it leaves no row that nobody holds.
      if (changed.ok && changed.result.changed) {
        const next = hold === null ? null : schema().parse({ ...hold, state: change.state });
        await holdings.set(writer, id, next, MAX_HOLDS);
      }
      return changeDocument(writer, FINDINGS, (text) => changeState(text, given));
    });
  }),
});
