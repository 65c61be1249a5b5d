import type { Facts } from "../facts.ts";
import { error, ok, type Diagnosis } from "../finding.ts";
import { isBelow, isInRange } from "../../../lib/version-range.ts";

const INSTALL = "npm install -g opencode-ai";

/** Node runs only this CLI; the plugin runs in OpenCode's own runtime. */
export function checkNode({ node, own }: Facts): Diagnosis | Diagnosis[] {
  if (isInRange(node, own.engines.node) === true) return ok(`Node ${node}.`);
  return error(`Node ${node} is not supported: the CLI needs ${own.engines.node}.`, "Install a newer Node.");
}

export function checkOpenCode({ openCode, own }: Facts): Diagnosis | Diagnosis[] {
  switch (openCode.state) {
    case "missing":
      return error("OpenCode was not found on the PATH.", `Install it: ${INSTALL}`);
    case "failed":
      return error(`OpenCode does not run. ${openCode.message}`, `Install it again: ${INSTALL}`);
    case "skipped":
      return [];
    case "read":
      return diagnose(openCode.value, own.version, own.engines.opencode);
  }
}

function diagnose(version: string, ownVersion: string, range: string): Diagnosis {
  const supported = isInRange(version, range);
  if (supported === true) return ok(`OpenCode ${version}; supported is ${range}.`);
  if (supported === null) {
    return error(`OpenCode gives no version that can be read: "${version}".`, `Install it again: ${INSTALL}`);
  }
  const what = `OpenCode ${version} is not supported: opencode-gaia ${ownVersion} needs ${range}. It was not examined further.`;
  if (isBelow(version, range)) return error(what, `Update it: opencode upgrade, or ${INSTALL}@latest`);
  return error(what, "Update this plugin: npm install opencode-gaia@latest");
}
