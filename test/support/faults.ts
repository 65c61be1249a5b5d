import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Project } from "./project.ts";

/** The built plugin behind an OpenCode that does not always answer it; see {@link setFaults}. */
export const FAULTY_PLUGIN = resolve("test/e2e/fixtures/faulty-plugin.ts");

/** What a request of the plugin's meets in place of OpenCode's answer. */
export interface Fault {
  /** Method and path as OpenCode's own types write it: `get /session/{sessionID}`. */
  readonly request: string;
  /** The session that it is about; by default any. */
  readonly session?: string;
  readonly how: "fails" | "throws" | "is missing" | "hangs" | "answers late";
}

/** From now on the plugin in this project meets these faults, and no others. */
export async function setFaults(project: Project, faults: readonly Fault[]): Promise<void> {
  await writeFile(`${project.directory}.faults.json`, JSON.stringify(faults));
}
