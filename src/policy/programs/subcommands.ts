import { literal, textOf } from "../shell/arg.ts";
import type { Program } from "./program.ts";

const VERSION = /^--(?:version|help)$/u;
const HELP = /^(?:-h|-help|help|-v|-version|version)$/u;
/** Programs that say of each verb what it does, and then do nothing else. */
const EXPLAINING =
  /^(?:brew|gh|glab|kubectl|oc|helm|helmfile|argocd|flux|istioctl|skaffold|eksctl|minikube|kind|k3d|kops|aws|az|gcloud|gsutil|cdk|terraform|tofu|packer|pulumi|sam|serverless|sls|vault|wrangler|vercel|netlify|heroku|fly|flyctl|firebase|supabase|railway|doctl|hcloud|linode-cli|turso|neonctl|pscale|eb|cf|mc|prisma|drizzle-kit|knex|sequelize|typeorm|alembic|flyway|liquibase|dbmate|sqlx|diesel|rabbitmqctl|etcdctl|goreleaser|semantic-release|poetry|hatch|uv|pipx|conda|pip|pip3|composer|bundle|rustup|go|dotnet|rclone|restic|borg|docker|podman|nats|twine|gem|npm|cargo|sqlcmd|ansible|ansible-playbook|ansible-galaxy)$/u;
/** Verbs that hand a further `--help` on to what they run. */
const HANDING_ON = /(?:^|:)(?:exec|run|debug|x|alias|extension|plugin|proxy|ssh|codespace|tool)$/u;
/** Programs that do something where they are told nothing. */
const BUSY = /^(?:sqlcmd|vercel|bundle|semantic-release|goreleaser|mc)$/u;

/** A program that may always be asked for its version, and some for the help on a verb, whatever else they can do. */
export function orVersion(program: Program): Program {
  return (call) => {
    const texts = call.args.map((arg) => textOf(arg) ?? "-");
    const last = texts.at(-1) ?? "";
    const verbs = texts.slice(0, -1);
    const asks = last === "" ? !BUSY.test(call.name) : HELP.test(last);
    const explains = EXPLAINING.test(call.name) && asks;
    if (verbs.length === 0) return VERSION.test(last) || explains ? undefined : program(call);
    if (last === "--help" && verbs.length === 1 && call.name === "docker") return undefined;
    const isHelp = /^--?help$/u.test(last) && EXPLAINING.test(call.name) && verbs.length <= 3;
    const plain = verbs.every((verb) => /^[a-z][\da-z:-]*$/u.test(verb) && !HANDING_ON.test(verb));
    return isHelp && plain ? undefined : program(call);
  };
}

/** kubectl, with changes that are only tried out: one `--dry-run`, before what a container would be given. */
export function withDryRun(asks: Program): Program {
  return (call) => {
    const texts = call.args.map((arg) => textOf(arg) ?? "--dry-run");
    const end = texts.indexOf("--");
    const own = end === -1 ? texts : texts.slice(0, end);
    const tried = own.filter((text) => /^--(?:dry|edit|enable|kubeconfig|server|token|as)/u.test(text));
    const dry = tried.length === 1 && /^--dry-run=(?:client|server)$/u.test(tried[0] ?? "");
    const more = /-last-applied$|^token$/u.test(own[1] ?? "");
    return dry &&
      !more &&
      /^(?:create|apply|run|expose|delete|label|annotate|patch|replace|scale|autoscale|set|drain|cordon|uncordon|taint|rollout)$/u.test(
        own[0] ?? "",
      )
      ? undefined
      : asks(call);
  };
}

const FIELD = /^(?:-f|-F|--field|--raw-field)$/u;

/** gh, with fields that are parameters of a query where the method is said to be GET, and variables of one in GraphQL. */
export function withFields(asks: Program): Program {
  return (call) => {
    const given = call.args.map((arg) => textOf(arg));
    const texts = given.filter((text) => text !== undefined);
    if (texts.length !== given.length || texts[0] !== "api") return asks(call);
    const fields = texts.filter((_, index) => FIELD.test(texts[index - 1] ?? ""));
    if (fields.some((field) => field.includes("=@"))) return asks(call);
    const rest = texts.filter((text, index) => !FIELD.test(text) && !FIELD.test(texts[index - 1] ?? ""));
    const asked = texts[1] === "graphql" ? withoutMutation(rest, fields) : withoutGet(rest);
    return asks(asked === undefined ? call : { ...call, args: asked.map((text) => literal(text)) });
  };
}

function withoutMutation(rest: string[], fields: readonly string[]): string[] | undefined {
  const [query = "", ...more] = fields.filter((field) => field.startsWith("query="));
  const asks = /^query=\s*(?:query\b|\{)/u.test(query) && !/\b(?:mutation|subscription)\b/u.test(query);
  return asks && more.length === 0 ? rest : undefined;
}

function withoutGet(rest: string[]): string[] | undefined {
  const attached = rest.findIndex((text) => /^(?:-X=?|--method=)GET$/u.test(text));
  if (attached > 0) return rest.toSpliced(attached, 1);
  const method = rest.findIndex((text) => /^(?:-X|--method)$/u.test(text));
  return method > 0 && rest[method + 1] === "GET" ? rest.toSpliced(method, 2) : undefined;
}
