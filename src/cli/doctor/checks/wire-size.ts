import type { Facts } from "../facts.ts";
import { ok, warn, type Diagnosis } from "../finding.ts";

/** What GAIA costs per request; information, since there is no limit that would fit everyone. */
export function checkWireSize({ wire }: Facts): Diagnosis | Diagnosis[] {
  if (wire.state === "failed") {
    return warn(
      `The plugin could not be composed: ${wire.message}`,
      "Please report this with the output of --json.",
    );
  }
  if (wire.state === "skipped") return [];
  const { prompt, tools } = wire.value;
  const sizes = Object.values(tools);
  const own = sizes.reduce((sum, size) => sum + size, 0);
  const number = (bytes: number): string => bytes.toLocaleString("en-US");
  return ok(
    `GAIA adds about ${number(prompt + own)} bytes to her own requests (prompt ${number(prompt)}, ${sizes.length} tools ${number(own)}), and nothing to those of other agents.`,
  );
}
