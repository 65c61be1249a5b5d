import { join } from "node:path";
import { namesCredential } from "../lib/redaction.ts";
import { matchesStars } from "../lib/path-pattern.ts";
import { words } from "./hidden-places.ts";
import type { ContainmentProfile, EnvironmentChange } from "./profile.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Ways to programs that run outside of the containment: agents, buses, container engines, editors. */
const MESSENGERS = words(`
  SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GPG_TTY DBUS_* DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR
  DOCKER_* CONTAINER_HOST PODMAN_* TMUX TMUX_PANE STY VSCODE_* NVIM NVIM_LISTEN_ADDRESS
  GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS OPENCODE_*`);
/** Names that sound secret and are settings. */
const SETTINGS = /^(?:npm_config_|GIT_CONFIG_(?:KEY|VALUE|COUNT))/u;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE/iu;
/** Services in whose addresses a user and a password stand, and what such an address is called. */
const WITH_PASSWORD = words(`
  DATABASE DB POSTGRES POSTGRESQL PG MYSQL MONGO MONGODB REDIS AMQP RABBITMQ CLOUDAMQP ELASTICSEARCH SMTP SENTRY`);
const ADDRESS = new Set(["URL", "URI", "DSN"]);
/** Tools' caches by the variable that names them: each is given one that no other program reads. */
const CACHES: Readonly<Record<string, string>> = {
  npm_config_cache: "npm",
  YARN_CACHE_FOLDER: "yarn",
  GOCACHE: "go-build",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  DENO_DIR: "deno",
  COREPACK_HOME: "corepack",
  RUFF_CACHE_DIR: "ruff",
};

/**
 * What is different for a contained command: variables that hold secrets or lead to programs outside are gone, temporary
 * files go to the private folder, and caches apart from the user's are named.
 * @param temp the private folder as the command sees it
 */
export function environmentChange(
  environment: Environment,
  profile: ContainmentProfile,
  temp: string,
  caches: string,
): EnvironmentChange {
  const isRemoved = (name: string): boolean =>
    MESSENGERS.some((each) => matchesStars(name, each)) || (isSecretVariable(name) && !SETTINGS.test(name));
  const cacheVariables = profile.caches
    ? Object.entries(CACHES).map(([name, folder]) => [name, join(caches, folder)] as const)
    : [];
  return {
    set: {
      ...Object.fromEntries(["TMPDIR", "TMP", "TEMP"].map((name) => [name, temp])),
      ...Object.fromEntries(cacheVariables),
      // Git's own: `git status` does not try to write the index, which is read-only.
      GIT_OPTIONAL_LOCKS: "0",
      GAIA_CONTAINED: profile.network ? "network" : profile.project,
    },
    unset: Object.keys(environment).filter((name) => environment[name] !== undefined && isRemoved(name)),
  };
}

/** True for a variable that sounds as if it held a secret. */
function isSecretVariable(name: string): boolean {
  const [service = "", address = ""] = name.split("_").slice(-2);
  const isAddress = WITH_PASSWORD.includes(service) && ADDRESS.has(address);
  return SECRET_NAME.test(name) || isAddress || name.includes("CONNECTION_STRING") || namesCredential(name);
}
