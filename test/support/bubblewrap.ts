import { spawnSync } from "node:child_process";

/** Whether commands can be contained on this machine: bubblewrap is there, and may make its namespaces. */
export const canContain =
  spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "/bin/true"], { stdio: "ignore" }).status === 0;
