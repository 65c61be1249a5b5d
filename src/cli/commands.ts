import { check } from "./check.ts";
import { demo } from "./demo/command.ts";
import { doctor } from "./doctor/command.ts";
import { init } from "./init/command.ts";
import { knowledge } from "./knowledge.ts";
import { lanes } from "./lanes.ts";
import { mcp } from "./mcp/command.ts";
import { report } from "./report.ts";
import { trust } from "./trust.ts";
import { uninstall } from "./uninstall.ts";

/** Every command of the CLI, in the order in which `--help` lists them. */
export const COMMANDS = [init, doctor, trust, check, report, knowledge, lanes, mcp, demo, uninstall];
