import type { Vcs } from "../../vcs/port.ts";
import { judgeClaim, type JudgedClaim } from "./claims.ts";
import { keyOf } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";
import type { NamedCommand, Pins } from "./pins.ts";

/** Where the project's checks stand, by what was seen of them for a unit; runs nothing. */
export async function judgeChecks(
  checks: readonly (NamedCommand & { readonly id: string })[],
  unit: string | null,
  { vcs, ledger, pins }: { vcs: Pick<Vcs, "fingerprint">; ledger: Ledger; pins: Pins },
): Promise<readonly JudgedClaim[]> {
  const tree = checks.length === 0 ? null : await vcs.fingerprint();
  return Promise.all(
    checks.map(async ({ id, command, cwd }) => {
      const claim = { id: `check ${id}`, kind: "task", text: id, wave: null, isTicked: true } as const;
      const evidence = await ledger.latest(unit, keyOf(command, cwd));
      const objection = await pins.changed(unit, command, cwd);
      return judgeClaim({ ...claim, command }, { evidence, objection }, tree);
    }),
  );
}
