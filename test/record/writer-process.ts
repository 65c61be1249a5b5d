import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { acceptLearnings, openEntries } from "../support/entries.ts";

/**
 * One of several processes that write to the same record: `writer-process <directory> <name> <count>` appends `count`
 * entries to log and decisions each, and as many learnings. Says `ready`, then the number of every entry once it is there.
 */
const [directory = "", name = "", count = "0"] = process.argv.slice(2);
const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
const knowledge = openEntries(directory);

process.stdout.write("ready\n");
for (let index = 0; index < Number(count); index += 1) {
  const entry = `entry ${name}.${index}`;
  const results = await Promise.all([
    workspace.appendLog({ slug: "unit", markdown: `- ${entry}` }),
    workspace.appendDecisions({ slug: "unit", rows: [{ question: entry, choice: "yes" }] }),
    acceptLearnings(knowledge, entry).then(() => ({ ok: true })),
  ]);
  const failed = results.find((result) => !result.ok);
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
  process.stdout.write(`${index}\n`);
}
