import { readFrontMatter } from "../../lib/front-matter.ts";
import { isRecord, recordOf, textOf } from "../../lib/json.ts";
import { load } from "js-yaml";
import type { SkillServer } from "../catalogue.ts";

const MAX_SERVERS = 8;
const NAME = /^[\w.-]{1,64}$/;

/** MCP servers in a skill's front matter, as other tools write them; `network` is our own word. @throws Error for broken YAML */
export function readServers(content: string, tell: (message: string) => void): SkillServer[] {
  const { head } = readFrontMatter(content);
  const servers = Object.entries(recordOf(recordOf(load(head))["mcp"])).slice(0, MAX_SERVERS);
  return servers.flatMap(([name, given]) => {
    const { command, args = [], env, environment = env ?? {}, network } = recordOf(given);
    const words: unknown[] = [command, args].flat();
    const [program, ...rest] = words.map((word) => (typeof word === "number" ? String(word) : textOf(word)));
    const values = isRecord(environment) ? Object.entries(environment) : [];
    if (!NAME.test(name) || !program || rest.includes(undefined)) {
      tell(`its MCP server ${name} names no command that can be started`);
      return [];
    }
    const own = values.map(([variable, value]) => [variable, String(value)]);
    const line: [string, ...string[]] = [program, ...rest.filter((word) => word !== undefined)];
    const variables = Object.fromEntries(own) as Record<string, string>;
    return [{ name, command: line, environment: variables, network: network === true }];
  });
}
