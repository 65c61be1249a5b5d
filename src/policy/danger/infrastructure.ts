import { type Arg, leading, shown, textOf } from "../shell/arg.ts";
import type { DangerRule } from "./rule.ts";

const terraform: DangerRule = ({ args }) => {
  const texts = args.map((arg) => shown(arg));
  if (/^--?help$/u.test(texts.at(-1) ?? "")) return undefined;
  const verbs = texts.filter((text) => !text.startsWith("-"));
  if (verbs.slice(0, 4).some((verb) => verb === "destroy" || verb === "destroy-all"))
    return "destroys infrastructure";
  const applies = verbs.some((verb) => verb === "apply" || verb === "apply-all" || verb === "run-all");
  const asked = texts.some((text) => /^--?destroy(?:=|$)/u.test(text) && !/=(?:false|0|f)$/iu.test(text));
  return applies && asked ? "destroys infrastructure" : undefined;
};

const NAMESPACE = /^(?:ns|namespaces?|projects?)(?:\.[\w.]*)?$/iu;
const KUBE_VALUE =
  /^(?:-n|-f|-l|-k|-o|-c|-s|--(?:namespace|context|cluster|user|filename|selector|kustomize|output|field-selector|grace-period|timeout|kubeconfig|server|token|as|as-group))$/u;

/** The first operand after the verb is a list of types, or holds `type/name`. */
function namesNamespace(operand: Arg, first: boolean): boolean {
  const text = textOf(operand) ?? leading(operand);
  const types = text.includes("/") ? [text.split("/", 1)[0] ?? ""] : first ? text.split(",") : [];
  return types.some((type) => NAMESPACE.test(type));
}

const kubectl: DangerRule = ({ args }) => {
  const verb = args.findIndex(
    (arg, index) => textOf(arg) === "delete" && !KUBE_VALUE.test(textOf(args[index - 1]) ?? ""),
  );
  if (verb === -1) return undefined;
  const rest = args.slice(verb + 1);
  if (rest.some((arg) => /\/namespaces\/[^/]+\/?$/u.test(shown(arg))))
    return "deletes a Kubernetes namespace";
  const operands = rest.filter(
    (arg, index) => !leading(arg).startsWith("-") && !KUBE_VALUE.test(textOf(rest[index - 1]) ?? ""),
  );
  if (operands.some((arg, index) => namesNamespace(arg, index === 0)))
    return "deletes a Kubernetes namespace";
  const [type] = operands;
  return type !== undefined && leading(type) === "" && textOf(type) === undefined
    ? "deletes something in Kubernetes whose kind is only known at run time, which may be a namespace"
    : undefined;
};

/** Destruction of infrastructure that version control cannot bring back. */
export const infrastructure: Readonly<Record<string, DangerRule>> = {
  terraform,
  tofu: terraform,
  opentofu: terraform,
  terragrunt: terraform,
  pulumi: terraform,
  cdktf: terraform,
  cdk: terraform,
  kubectl,
  k: kubectl,
  oc: kubectl,
  k3s: kubectl,
  microk8s: kubectl,
  "microk8s.kubectl": kubectl,
  minikube: kubectl,
  k0s: kubectl,
};
