import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { idOfLearning } from "../../src/record/documents/learning.ts";
import { createWorkspace } from "../../src/record/workspace.ts";

/**
 * One of several processes that write to the same record: `writer-process <directory> <name> <count>` appends `count`
 * entries to log, decisions and learnings each. Says `ready`, then the number of every entry once it stands in all three.
 */
const [directory = "", name = "", count = "0"] = process.argv.slice(2);
const workspace = createWorkspace({
  directory,
  clock: systemClock,
  logger: silentLogger,
  lockWaitMs: 5000,
});

async function learn(text: string): Promise<{ readonly ok: boolean }> {
  const learnings = [{ kind: "insight" as const, text }];
  const observed = await workspace.observe({ learnings, unit: "unit" });
  return observed.ok ? workspace.acceptProposals({ ids: [idOfLearning(text)] }) : observed;
}

process.stdout.write("ready\n");
for (let index = 0; index < Number(count); index += 1) {
  const entry = `entry ${name}.${index}`;
  const results = await Promise.all([
    workspace.appendLog({ slug: "unit", markdown: `- ${entry}` }),
    workspace.appendDecisions({ slug: "unit", rows: [{ question: entry, choice: "yes" }] }),
    learn(entry),
  ]);
  const failed = results.find((result) => !result.ok);
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
  process.stdout.write(`${index}\n`);
}
