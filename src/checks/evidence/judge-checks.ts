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
  const { baseline } = await ledger.of(unit);
  return Promise.all(
    checks.map(async ({ id, command, cwd }) => {
      const rest = { kind: "task", text: id, wave: null, isTicked: true, files: [] } as const;
      const key = keyOf(command, cwd);
      const red = baseline?.red.find((each) => each.key === key);
      const before = baseline === null ? null : (red ?? { status: "passed" as const });
      const known = {
        evidence: await ledger.latest(unit, key),
        before,
        changed: (await pins.listChanged(unit, [{ command, cwd }]))[0] ?? null,
        objection: null,
      };
      return judgeClaim({ ...rest, id: `check ${id}`, command }, known, tree);
    }),
  );
}
