import { join } from "node:path";

/** Where a project keeps what is left of lanes. */
export function keptFolder(project: string): string {
  return join(project, ".gaia/.local/lanes");
}
