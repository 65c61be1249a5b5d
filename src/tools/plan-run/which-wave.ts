import type { PlanWave } from "../../plan/waves.ts";
import { findWave } from "../../record/documents/wave-ledger.ts";
import { hasUncommitted } from "./commit.ts";
import type { Run } from "./run.ts";

/** As many names are tried for a wave whose own was used before. */
const MAX_NAMES = 20;

/** The wave that is open, which may lack only its end; else the first with an open task. */
export function nextWave({ conversation, unit }: Run, waves: readonly PlanWave[]): PlanWave | null {
  const { wave } = conversation.state;
  const current = wave?.workUnit === unit ? wave.id : null;
  // Under another name only where its own was used before.
  const named =
    waves.find(({ id }) => id === current) ?? waves.find(({ id }) => current?.startsWith(`${id}.`));
  return waves.find((each) => each === named || each.tasks.some(({ done }) => !done)) ?? null;
}

/** Where all of a plan was done before, and is to be committed now: its last wave once more, which holds nothing but that. */
export async function waveToCommit(
  run: Run,
  waves: readonly PlanWave[],
  over: ReadonlySet<string>,
): Promise<PlanWave | null> {
  const last = waves.at(-1);
  const isWanted = run.commit !== null && last !== undefined && (run.to === null || run.to === last.id);
  if (!isWanted || over.has(last.id)) return null;
  if (await hasUncommitted(run)) return last;
  run.notes.push("revision: none, no uncommitted work was found");
  return null;
}

/** Its name in the plan; a wave that got another task after its end is another one. */
export async function nameOfWave({ runtime, conversation, unit }: Run, { id }: PlanWave): Promise<string> {
  const known = await runtime.workspace.readWaves({ slug: unit });
  const ledger = known.ok ? known.waves : [];
  const isFree = (name: string): boolean => {
    const entry = findWave(ledger, name);
    return entry === null || (entry.end === null && entry.owner === conversation.rootId);
  };
  const names = [id, ...Array.from({ length: MAX_NAMES }, (_, index) => `${id}.${index + 2}`)];
  return names.find(isFree) ?? id;
}
