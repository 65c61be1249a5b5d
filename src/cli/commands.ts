import type { Command } from "./command.ts";
import { check } from "./check/command.ts";
import { demo } from "./demo/command.ts";
import { doctor } from "./doctor/command.ts";
import { finding } from "./finding/command.ts";
import { hook } from "./hook/command.ts";
import { report } from "./report/command.ts";
import { knowledge } from "./knowledge/command.ts";
import { lanes } from "./lanes/command.ts";
import { mcp } from "./mcp/command.ts";
import { trust } from "./trust/command.ts";
import { init } from "./init/command.ts";

/** Every command of the CLI, in the order in which `--help` lists them. */
export const COMMANDS: readonly Command[] = [
  init,
  doctor,
  trust,
  check,
  report,
  knowledge,
  finding,
  lanes,
  mcp,
  hook,
  demo,
];
