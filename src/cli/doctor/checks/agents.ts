import { GAIA } from "../../../agents/gaia.ts";
import type { Facts } from "../facts.ts";
import { ok, warn, type Diagnosis } from "../finding.ts";

/** Who is missing from GAIA's roster, and who said so. */
export function checkDisabled({ config, agentNames }: Facts): Diagnosis[] {
  const disabled = agentNames.filter((name) => config.config.agents[name]?.disabled === true);
  return disabled.map((name) => {
    const key = `agents.${name}.disabled`;
    const source = config.provenance.get(key) ?? "default";
    if (name === GAIA)
      return warn(
        `GAIA is switched off by the ${source}: nobody can select her.`,
        `Remove "${key}" to have her back.`,
      );
    return ok(`${name} is disabled by the ${source}.`, `To have it back: remove "${key}".`);
  });
}

/** What the user's own files change about our agents: they win, often unnoticed. */
export function checkOverridden({ overrides }: Facts): Diagnosis[] {
  return overrides.map(({ agent, file, entry }) => {
    if (entry["disable"] === true) return describeSwitchedOff(agent, file);
    const keys = Object.keys(entry).join(", ");
    return warn(
      `${agent} is overridden in ${file}: ${keys}.`,
      'If that is not meant, remove it there. Settings under "agents" in .gaia/config.jsonc are known to GAIA as well.',
    );
  });
}

function describeSwitchedOff(agent: string, file: string): Diagnosis {
  if (agent === GAIA)
    return warn(`GAIA is switched off in ${file}.`, 'Remove "disable" there to select her.');
  return warn(
    `${agent} is disabled in ${file}, which GAIA does not see: she goes on delegating to it.`,
    `Write "agents": {"${agent}": {"disabled": true}} into .gaia/config.jsonc instead.`,
  );
}
