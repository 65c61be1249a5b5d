import { loadPanelKey, panelKeyPath } from "../../conversation/display/panel-key.ts";
import type { Knowledge } from "../../knowledge/open.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLogger } from "../../lib/logger.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { createSeal } from "../../lib/seal.ts";
import { createKnownQuery } from "../../memory/known-query.ts";
import { documentsOf } from "../../memory/recall/known.ts";
import { createRecall, type Recall } from "../../memory/recall/recall.ts";
import { createWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { openProjectKnowledge } from "../knowledge/open.ts";

/** The project that a server was started for, and no other. Its files are read when they are asked for. */
export interface McpProject {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly workspace: Workspace;
  readonly knowledge: Knowledge;
  readonly recall: Recall;
  readonly askKnown: ReturnType<typeof createKnownQuery>;
  readonly redact: Redactor;
}

export async function openMcpProject(from: string, environment: NodeJS.ProcessEnv): Promise<McpProject> {
  const { directory, knowledge, redact, config } = await openProjectKnowledge(from, environment);
  // What is committed from here on may be anyone's.
  knowledge.mark();
  const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact, seal });
  const known = async () => documentsOf(await knowledge.accepted());
  const recall = createRecall(workspace, silentLogger, known, knowledge.leftLearnings);
  const askKnown = createKnownQuery(recall, knowledge, systemClock, config.knowledge.timeoutMs);
  return { directory, environment, workspace, knowledge, recall, askKnown, redact };
}
