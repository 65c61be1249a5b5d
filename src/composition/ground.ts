import { sandboxOf } from "../config/sandbox.ts";
import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import { createRedactor } from "../lib/redaction.ts";
import { createSeal } from "../lib/seal.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import type { Ground, Start } from "../runtime.ts";
import { readEnvFiles } from "../project/env-files.ts";
import { openVcs } from "../snapshot/vcs.ts";

export function layGround(start: Start): Ground {
  const { host, config } = start;
  return {
    ...start,
    sandbox: sandboxOf(config),
    vcs: openVcs(host.worktree, host.project),
    redact: createRedactor(process.env, ...readEnvFiles(host.project)),
    seal: createSeal(() => loadPanelKey(panelKeyPath(process.env))),
    isSensitive: (path) => isSensitivePath(path, config.policy.allowSensitive),
  };
}
