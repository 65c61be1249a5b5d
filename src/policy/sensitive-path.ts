import { posix } from "node:path";
import { matchesEnd } from "./glob.ts";

/** File names that hold keys or credentials, in lower case. `.env*` includes `.envrc`, which holds the same. */
const NAMES = [
  /^\.env/u,
  /^[\w-]+\.env$/u,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:[-_.].*)?$/u,
  /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx?|tfstate)$/u,
  /\.tfstate\.backup$/u,
  /^[._](?:netrc|pgpass|npmrc|pypirc|my\.cnf|mylogin\.cnf|git-credentials|htpasswd|dockercfg|boto|s3cfg|vault-token|terraformrc|yarnrc)$/u,
  /^(?:credentials|credentials\.(?:json|ya?ml|ini|toml)|application_default_credentials\.json)$/u,
  /service[-_]?account.*\.json$/u,
  /firebase-adminsdk.*\.json$/u,
  /^client_secret.*\.json$/u,
  /^secrets?\.(?:ya?ml|json|toml|ini|properties)$/u,
  /^\.dev\.vars/u,
  /^\.vault[-_]pass/u,
  // What someone typed, passwords among it.
  /^\.(?!hist)[a-z]\w*_history$/u,
];
/** The beginnings of paths to files and folders that hold credentials, wherever a home lies. */
const PLACES = [
  /(?:^|\/)\.(?:ssh|gnupg)(?:\/|$)/u,
  /(?:^|\/)\.aws(?:\/(?!config$)|$)/u,
  /(?:^|\/)\.kube\/config/u,
  /(?:^|\/)\.docker\/config\.json$/u,
  /(?:^|\/)\.(?:azure|config\/gcloud)(?:\/|$)/u,
  /(?:^|\/)\.config\/(?:gh\/hosts\.yml|hub|glab-cli\/config\.yml|pypoetry\/auth\.toml|containers\/auth\.json|op\/config|doctl\/config\.yaml|configstore\/firebase-tools\.json|rclone\/rclone\.conf|fish\/fish_variables)$/u,
  /(?:^|\/)\.(?:cargo\/credentials(?:\.toml)?|gem\/credentials|m2\/settings\.xml|gradle\/gradle\.properties|nuget\/nuget\.config|composer\/auth\.json|config\/composer\/auth\.json)$/u,
  /^\/etc\/(?:kubernetes\/.*\.conf|rancher\/k3s\/k3s\.yaml)$/u,
  /(?:^|\/)\.terraform\.d\/credentials/u,
  /(?:^|\/)library\/keychains\//u,
  /(?:^|\/)opencode\/(?:mcp-)?auth\.json$/u,
  // Worktrees there are projects.
  /(?:^|\/)\.local\/share\/opencode-gaia(?:\/(?!worktree\/)|$)/u,
  // What someone proposed is not for models; what was accepted of it they are told.
  /(?:^|\/)(?:\.gaia\/knowledge|opencode\/gaia-knowledge)(?:\/|$)/u,
  // What was noted in one conversation is not for others.
  /(?:^|\/)\.gaia\/(?:archive\/)?[^/]+\/memory\.md$/u,
  /(?:^|\/)\.(?:codex|claude|gemini)\/\.?(?:auth|credentials|oauth_creds)\.json$/u,
  /^\/etc\/(?:g?shadow|sudoers|ssl\/private\/)/u,
  /^\/(?:etc\/networkmanager\/system-connections|var\/lib\/iwd|etc\/wireguard)(?:\/|$)/u,
  // What browsers remember.
  /(?:^|\/)(?:\.mozilla|\.thunderbird|\.config\/(?:google-chrome|chromium|bravesoftware|microsoft-edge)|library\/(?:cookies|application support\/(?:google\/chrome|firefox|bravesoftware)))(?:\/|$)/u,
  /^\/proc\/(?:[^/]+\/)*(?:environ|mem)$/u,
];
/** What no setting opens: who reads the first can pass for the user, and of the others only a person says what counts. */
const NEVER_ALLOWED =
  /(?:^|\/)(?:opencode-gaia\/panel\.key$|\.gaia\/(?:knowledge(?:\/|$)|(?:archive\/)?[^/]+\/memory\.md$)|opencode\/gaia-knowledge(?:\/|$))/u;
const EXAMPLE =
  /^\.env(?:\..+)?[.-](?:example|sample|template|dist)$|\.(?:example|sample|template|dist)\.env$/u;
const PUBLIC = /\.pub$|(?:^|\/)\.ssh\/known_hosts(?:\.old)?$/u;
/** Names of code that end like the ones above. */
const CODE = /^(?:process|meta|import\.meta|deno|bun|os)\.env$/u;

/** Matches every path that one of the above matches, and more: a quick look at the many that none does. */
const POSSIBLE = new RegExp(
  [
    ...NAMES.map(({ source }) => source.replace(/^\^/u, "(?:^|\\/)")),
    ...PLACES.map(({ source }) => source),
  ].join("|"),
  "u",
);

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
  if (!POSSIBLE.test(lower) && !POSSIBLE.test(written)) return false;
  const name = lower.split("/").at(-1) ?? "";
  const found =
    NAMES.some((pattern) => pattern.test(name)) ||
    PLACES.some((pattern) => pattern.test(lower) || pattern.test(written));
  if (!found || EXAMPLE.test(name) || PUBLIC.test(lower) || CODE.test(name)) return false;
  return NEVER_ALLOWED.test(lower) || !allow.some((glob) => matchesEnd(glob.toLowerCase(), lower));
}
