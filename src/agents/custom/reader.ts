import { isDenial } from "../../trust/file-powers.ts";
import type { SpecialistDefinition } from "../define.ts";

/** Until the user trusts it a project's own specialist only reads. What its file denies stays denied; prompt, models and contract are as written. */
export function asReader(definition: SpecialistDefinition): SpecialistDefinition {
  const { steps: _steps, permission = {}, ...rest } = definition;
  const denied = Object.entries(permission).filter(([tool, rule]) => isDenial(tool, rule));
  return {
    ...rest,
    role: null,
    access: { edit: "deny", web: false, commands: false },
    permission: { ...Object.fromEntries(denied), skill: "deny" },
  };
}
