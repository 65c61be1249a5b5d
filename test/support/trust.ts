import { join } from "node:path";
import { systemClock } from "../../src/lib/async.ts";
import { openWithTrust } from "../../src/project/trust.ts";
import { homeOf } from "./opencode.ts";

/**
 * Says yes, as the user of a server, to everything that a project's files ask for as they are now, where and how the
 * product keeps it.
 * @param root the server's
 * @param options in the plugin's own entry of the project's opencode.json
 */
export async function trustProject(root: string, directory: string, options: object = {}): Promise<void> {
  const home = homeOf(root);
  const environment = {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
  };
  const { trust } = await openWithTrust({ directory, options, environment, clock: systemClock });
  const { ungranted } = await trust.survey();
  if (ungranted.length > 0) await trust.grant(ungranted);
}
