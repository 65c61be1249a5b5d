import { literal, textOf } from "../shell/arg.ts";
import { inForms } from "./forms.ts";
import type { Program } from "./program.ts";
import { orVersion, withVerbs } from "./subcommands.ts";

const words = (text: string): string[] => text.trim().split(/\s*,\s*/u);

/** `-o` and its like write files; `--kubeconfig` and `-H` could name a program or another machine. */
const kubectlAsks = withVerbs({
  verbs: words(
    "get, describe, logs, top, explain, version, api-resources, api-versions, config view, config get-contexts, config current-context, config get-clusters, auth can-i, auth whoami, rollout status, rollout history, events, cluster-info, diff, wait, plugin list, config get-users",
  ),
  globals: /^(?:-n|--namespace|--context|--cluster|--request-timeout)$/u,
  refused:
    /^-(?:s|-(?:kubeconfig|token|server|as|raw|cache-dir|profile|log-file|log-dir|client-|output-directory))/u,
});

const COMPOSE = "ps, logs, ls, images, top, version, config, port, volumes, stats, events";

/** Changes that are only tried out: one `--dry-run`, before what a container would be given. */
const kubectl: Program = (call) => {
  const texts = call.args.map((arg) => textOf(arg) ?? "--dry-run");
  const end = texts.indexOf("--");
  const own = end === -1 ? texts : texts.slice(0, end);
  const tried = own.filter((text) => /^--(?:dry|edit|enable|kubeconfig|server|token|as)/u.test(text));
  const dry = tried.length === 1 && /^--dry-run=(?:client|server)$/u.test(tried[0] ?? "");
  const more = /-last-applied$|^token$/u.test(own[1] ?? "");
  return dry && !more && /^(?:create|apply|run|expose|delete|label|annotate)$/u.test(own[0] ?? "")
    ? undefined
    : kubectlAsks(call);
};

const docker = withVerbs({
  verbs: words(
    "events, search, manifest inspect, buildx ls, buildx inspect, buildx du, plugin ls, secret ls, stack ls, stack ps, stack services, service ps, service inspect, service logs, node inspect, container stats, container diff, ps, images, inspect, logs, version, info, top, port, diff, history, stats, image ls, image list, image inspect, image history, container ls, container list, container inspect, container logs, container top, container port, network ls, network inspect, volume ls, volume inspect, system df, system info, context ls, context show, node ls, service ls",
  ).concat(words(COMPOSE).map((verb) => `compose ${verb}`)),
  globals: /^(?:-f|--file|-p|--project-name|--profile|--project-directory)$/u,
  refused: /^(?:-H|--host|--config|-c|--context|-o|--output|--bootstrap|--lock)/u,
});

const compose = withVerbs({
  verbs: words(COMPOSE),
  globals: /^(?:-f|--file|-p|--project-name|--profile|--project-directory)$/u,
  refused: /^(?:-H|--host|-c|--context|-o|--output|--lock)/u,
});

/** `--web` starts a browser; `gh api` asks only while it is given no field, body or method. */
const ghAsks = withVerbs({
  verbs: words(
    "pr list, pr view, pr diff, pr status, pr checks, issue list, issue view, issue status, run list, run view, run watch, repo view, repo list, release list, release view, workflow list, workflow view, label list, search, status, auth status, gist list, gist view, cache list, secret list, variable list, alias list, config list, extension list, ruleset list, ruleset view, ruleset check, org list, project list, project view, project item-list, project field-list, api",
  ),
  globals: /^(?:-R|--repo)$/u,
  refused:
    /^(?:--web|-[a-zA-Z]*w|--show-token|-t|-X|--method|-f|-F|--field|--raw-field|--input|--cache|--hostname|-[fFX].+|--(?:method|field|raw-field|input|cache|hostname)=.*)$/u,
});

const FIELD = /^(?:-f|-F|--field|--raw-field)$/u;

/** Fields are parameters of a query where the method is said to be GET, and variables of one in GraphQL. */
const gh: Program = (call) => {
  const given = call.args.map((arg) => textOf(arg));
  const texts = given.filter((text) => text !== undefined);
  if (texts.length !== given.length || texts[0] !== "api") return ghAsks(call);
  const fields = texts.filter((_, index) => FIELD.test(texts[index - 1] ?? ""));
  if (fields.some((field) => field.includes("=@"))) return ghAsks(call);
  const rest = texts.filter((text, index) => !FIELD.test(text) && !FIELD.test(texts[index - 1] ?? ""));
  const asked = texts[1] === "graphql" ? withoutMutation(rest, fields) : withoutGet(rest);
  return ghAsks(asked === undefined ? call : { ...call, args: asked.map((text) => literal(text)) });
};

function withoutMutation(rest: string[], fields: readonly string[]): string[] | undefined {
  const [query = "", ...more] = fields.filter((field) => field.startsWith("query="));
  const asks = /^query=\s*(?:query\b|\{)/u.test(query) && !/\b(?:mutation|subscription)\b/u.test(query);
  return asks && more.length === 0 ? rest : undefined;
}

function withoutGet(rest: string[]): string[] | undefined {
  const method = rest.findIndex((text) => /^(?:-X|--method)$/u.test(text));
  return method > 0 && rest[method + 1] === "GET" ? rest.toSpliced(method, 2) : undefined;
}

const helm = withVerbs({
  verbs: words(
    "list, ls, status, get, history, search, show, inspect, repo list, version, env, lint, template, plugin list, dependency list, dep list",
  ),
  globals: /^(?:-n|--namespace|--kube-context)$/u,
  refused: /^--(?:output-dir|post-rend|kubeconfig|kube-(?:api|token|as|ca)|re(?:gistry|pository)-c)/u,
});

/** Queries of services by the form of their names; those that get an object write it to a file. */
const aws = withVerbs({
  verbs: words(
    "s3 ls, sts get-caller-identity, logs tail, logs filter-log-events, logs get-log-events, configure list, configure list-profiles, s3api head-object, s3api head-bucket, ce get-cost-and-usage, cloudwatch get-metric-statistics, lambda get-function-configuration, lambda get-policy, iam get-user, iam get-role, iam get-policy, iam get-policy-version",
  ),
  patterns: /^[a-z][\da-z-]* (?:describe|list)-[a-z-]+$/u,
  globals: /^--(?:profile|region|output|query)$/u,
  flags: /^--no-(?:cli-pager|paginate)$/u,
  refused: /^--(?:endpoint|no-verify|no-sign|ca-|cli-(?:input|auto))/u,
});

const CLOUD_OPTION = String.raw`(?: (?:--(?:output|format|project|zone|region|limit|filter|resource-group|name|query|subscription)[ =]\S+|-[gnol] \S+|[^-\s]\S*))*$`;
const gcloud = inForms(
  new RegExp(
    `^(?:(?:(?:config|auth|projects) list|(?:projects|config configurations) (?:list|describe)|config get(?:-value)?|logging read|info|(?:compute|container|run|sql|functions|iam|dns|pubsub|artifacts|builds) (?:instances|disks|networks|firewall-rules|addresses|clusters|node-pools|services|revisions|jobs|databases|topics|subscriptions|repositories|roles|service-accounts|managed-zones) (?:list|describe)))${CLOUD_OPTION}`,
    "u",
  ),
);
const az = inForms(
  new RegExp(
    `^(?:account|group|vm|aks|acr|webapp|functionapp|resource|disk|storage account|network vnet|network nsg|sql server|keyvault|containerapp) (?:list|show)${CLOUD_OPTION}`,
    "u",
  ),
);

const terraformAsks = withVerbs({
  verbs: words(
    "version, state list, state show, workspace list, workspace show, show, output, providers schema, validate, graph",
  ),
  refused: /^-(?:chdir|plugin-dir)/u,
});

const terraformForms = inForms(/^(?:providers|fmt -check(?: -(?:diff|recursive))*(?: [^-\s]\S*)*)$/u);
const terraform: Program = (call) => terraformForms(call) && terraformAsks(call);

const jj = withVerbs({
  verbs: words(
    "log, status, st, diff, show, evolog, obslog, interdiff, root, op log, operation log, op show, bookmark list, b list, branch list, file list, file show, file annotate, file search, config list, config get, config path, workspace list, workspace root, tag list, git remote list, version, help",
  ),
  globals: /^(?:-R|--repository|--color|--at-op|--at-operation)$/u,
  flags: /^--(?:no-pager|ignore-working-copy|quiet)$/u,
  refused: /^--(?:conf|too)/u,
  bare: true,
});

const systemctl = withVerbs({
  verbs: words(
    "status, show, cat, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, is-active, is-enabled, is-failed, get-default",
  ),
  flags: /^--(?:user|system|no-pager|all|failed)$/u,
  refused: /^(?:-H|--host|-M|--machine)/u,
  bare: true,
});

const brewForms = inForms(/^--(?:prefix|cellar|caskroom|repo(?:sitory)?|cache)(?: [^-\s]\S*)?$/u);
const brewAsks = withVerbs({
  verbs: words(
    "list, ls, info, deps, uses, leaves, config, search, desc, services list, services info, tap-info, formulae, casks",
  ),
  refused: /^--github|\/.*\//u,
});
const brew: Program = (call) => brewForms(call) && brewAsks(call);

const dpkg: Program = ({ args }) => {
  const [mode, ...names] = args.map((arg) => textOf(arg) ?? "-");
  const asks = /^-[lLsS]$/u.test(mode ?? "") && names.every((name) => !name.startsWith("-"));
  return asks ? undefined : "dpkg changes packages";
};

const packages: readonly (readonly [string, Program])[] = [
  [
    "apt",
    withVerbs({ verbs: ["list", "show", "search", "policy"], refused: /^(?:-o|-c|--option|--config)/u }),
  ],
  [
    "apt-cache",
    withVerbs({
      verbs: ["policy", "show", "search", "depends", "rdepends", "madison"],
      refused: /^(?:-o|-c|--option|--config)/u,
    }),
  ],
  ["brew", brew],
  ["dpkg", dpkg],
];

/** Command lines of services and package managers, with the verbs that only ask. */
export const clouds: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["kubectl", orVersion(kubectl)],
  ["docker", orVersion(docker)],
  ["podman", orVersion(docker)],
  ["docker-compose", orVersion(compose)],
  ["helm", orVersion(helm)],
  ["aws", orVersion(aws)],
  ["gcloud", orVersion(gcloud)],
  ["az", orVersion(az)],
  ["gh", orVersion(gh)],
  ["terraform", orVersion(terraform)],
  ["tofu", orVersion(terraform)],
  ["jj", orVersion(jj)],
  ["systemctl", orVersion(systemctl)],
  ...packages.map(([name, program]): [string, Program] => [name, orVersion(program)]),
]);
