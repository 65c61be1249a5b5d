import { projectTools, reaching } from "./changes.ts";
import { clouds, databases } from "./clouds.ts";
import { inspectors } from "./inspectors.ts";
import { machineTools } from "./machine.ts";
import { readers } from "./readers.ts";
import { runtimes } from "./runtimes.ts";
import { textLines } from "./text-lines.ts";

/** Usage lines of all programs that have them, earlier ones first; the build puts its text, packed, into this file's place. */
export const TABLE = [
  readers,
  textLines,
  machineTools,
  runtimes,
  inspectors,
  clouds,
  databases,
  projectTools,
  reaching,
].join("\n");
