import { posix } from "node:path";
import { matchesEnd } from "../lib/path-pattern.ts";
import { pathExpression } from "./glob.ts";

/** Files and folders that hold keys or credentials, in lower case, wherever a home lies. `.env*` includes `.envrc`. */
const SENSITIVE = pathExpression(String.raw`
  .env*
  [\w-]+.env
  id_{rsa,dsa,ecdsa,ed25519,xmss}{,[-_.]*}
  *.{pem,key,p12,pfx,jks,keystore,ppk,kdb,kdbx,tfstate,tfstate.backup}
  [._]{netrc,pgpass,npmrc,pypirc,my.cnf,mylogin.cnf,git-credentials,htpasswd,dockercfg,boto,s3cfg}
  [._]{vault-token,terraformrc,yarnrc}
  credentials{,.json,.yml,.yaml,.ini,.toml}
  application_default_credentials.json
  *service{,-,_}account*.json
  *firebase-adminsdk*.json
  client_secret*.json
  secret{,s}.{yml,yaml,json,toml,ini,properties}
  .dev.vars*
  .vault{-,_}pass*
  .(?!hist)[a-z]*_history
  .{ssh,gnupg,azure}/**
  .aws{,/(?!config$)**}
  .kube/config*/**
  .docker/config.json
  .config/{gcloud,hub}/**
  .config/{gh/hosts.yml,glab-cli/config.yml,pypoetry/auth.toml,containers/auth.json,op/config}
  .config/{doctl/config.yaml,configstore/firebase-tools.json,rclone/rclone.conf,fish/fish_variables}
  .{cargo/credentials{,.toml},gem/credentials,m2/settings.xml,gradle/gradle.properties}
  .{nuget/nuget.config,composer/auth.json,config/composer/auth.json}
  .terraform.d/credentials*/**
  library/keychains/**
  opencode/{,mcp-}auth.json
  .local/share/opencode-gaia{,/(?!worktree/)**}
  .gaia/knowledge/**
  .gaia/{,archive/}*/memory.md
  .{codex,claude,gemini}/{,.}{auth,credentials,oauth_creds}.json
  {.mozilla,.thunderbird}/**
  .config/{google-chrome,chromium,bravesoftware,microsoft-edge}/**
  library/{cookies,application support/{google/chrome,firefox,bravesoftware}}/**
  /etc/{shadow,gshadow,sudoers}*/**
  /etc/{ssl/private,networkmanager/system-connections,wireguard}/**
  /etc/{kubernetes/**/*.conf,rancher/k3s/k3s.yaml}
  /var/lib/iwd/**
  /proc/**/{environ,mem}`);
/** Examples, public keys, and names of code that end like the ones above. */
const HARMLESS = pathExpression(`
  .env{,.*}{.,-}{example,sample,template,dist}
  *.{example,sample,template,dist}.env
  *.pub
  .ssh/known_hosts{,.old}
  {process,meta,import.meta,deno,bun,os}.env`);
/** What no setting opens: who reads the first can pass for the user, and of the others only a person says what counts. */
const NEVER_ALLOWED = pathExpression(`
  opencode-gaia/panel.key
  .gaia/knowledge/**
  .gaia/{,archive/}*/memory.md`);

/**
 * True for a file that may hold secrets, by its name and place alone (SPEC 9). Cases are not told apart, as some file
 * systems do not. The caller passes the target of a symbolic link as well.
 * @param allow patterns of files that the user allows after all: `*` within a segment, `**` across, matched at the
 *   end of the path
 */
export function isSensitivePath(path: string, allow: readonly string[] = []): boolean {
  const plain = /\\|\/\.?\/|^\.\//u.test(path)
    ? path
        .replaceAll("\\", "/")
        .replaceAll(/\/(?:\.?\/)+/gu, "/")
        .replace(/^\.\//u, "")
    : path;
  const written = plain.toLowerCase();
  // Where a folder on the way is a link, it leads elsewhere: as it is written counts as well.
  const lower = written.includes("/..") ? posix.normalize(written) : written;
  if (!(SENSITIVE.test(lower) || SENSITIVE.test(written)) || HARMLESS.test(lower)) return false;
  return NEVER_ALLOWED.test(lower) || !allow.some((glob) => matchesEnd(lower, glob.toLowerCase()));
}
