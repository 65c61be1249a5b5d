const COMPOSE = "(ps|logs|ls|images|top|version|config|port|volumes|stats|events)";
const COMPOSE_OPTIONS = "[-f= --file= -p= --project-name= --profile= --project-directory=]";
const CLOUD_OPTIONS =
  "[--output= --format= --project= --zone= --region= --limit= --filter= --resource-group= --name= --query= --subscription= -g= -n= -o= -l=]";

/** Services and clouds, with the verbs that only ask. */
export const clouds = String.raw`
  # -o and its like write files; --kubeconfig and -s could name a program or another machine.
  kubectl [-n= --namespace= --context= --cluster= --request-timeout=] (get|describe|logs|top|explain|version|api-resources
    |api-versions|config view|config get-contexts|config current-context|config get-clusters|config get-users|auth can-i
    |auth whoami|rollout status|rollout history|events|cluster-info|diff|wait|plugin list) [--client --output=] ... !-s !--kubeconfig !--token
    !--server !--as !--raw !--cache-dir !--profile !--log-file !--log-dir !--client- !--output-directory => read
  docker|podman ${COMPOSE_OPTIONS} (events|search|manifest inspect|buildx ls|buildx inspect|buildx du|plugin ls|secret ls
    |stack ls|stack ps|stack services|service ps|service inspect|service logs|service ls|node inspect|node ls
    |container stats|container diff|ps|images|inspect|logs|version|info|top|port|diff|history|stats|image ls|image list
    |image inspect|image history|container ls|container list|container inspect|container logs|container top
    |container port|network ls|network inspect|volume ls|volume inspect|system df|system info|context ls|context show
    |compose ${COMPOSE}) ... !-H !--host !--config !-c !--context !-o !--output !--bootstrap !--lock => read
  docker-compose ${COMPOSE_OPTIONS} ${COMPOSE} ... !-H !--host !-c !--context !-o !--output !--lock => read
  helm [-n= --namespace= --kube-context=] (list|ls|status|get|history|search|show|inspect|repo list|version|env|lint
    |template|plugin list|dependency list|dep list) [--output=]
    ... !--output-dir !--post-rend !--kubeconfig !--kube-api !--kube-token
    !--kube-as !--kube-ca !--registry-c !--repository-c => read
  # Queries by the form of their names; those that get an object write it to a file.
  aws [--profile= --region= --output= --query= --no-cli-pager --no-paginate] (s3 ls|sts get-caller-identity|logs tail
    |logs filter-log-events|logs get-log-events|configure list|configure list-profiles|s3api head-object|s3api head-bucket
    |ce get-cost-and-usage|cloudwatch get-metric-statistics|lambda get-function-configuration|lambda get-policy
    |iam get-user|iam get-role|iam get-policy|iam get-policy-version|/[a-z][\da-z-]*/ /(?:describe|list)-[a-z-]+/)
    ... !--endpoint !--no-verify !--no-sign !--ca- !--cli-input !--cli-auto => read
  gcloud ((config|auth|projects) list|(projects|config configurations) (list|describe)
    |config get|config get-value|logging read|info|(compute|container|run|sql|functions|iam|dns|pubsub|artifacts|builds)
    (instances|disks|networks|firewall-rules|addresses|clusters|node-pools|services|revisions|jobs|databases|topics
    |subscriptions|repositories|roles|service-accounts|managed-zones) (list|describe)) ${CLOUD_OPTIONS} W* => read
  az (account|group|vm|aks|acr|webapp|functionapp|resource|disk|storage account|network vnet|network nsg
    |sql server|keyvault|containerapp) (list|show) ${CLOUD_OPTIONS} W* => read
  # --web starts a browser; api asks only while it is given no field, body or method.
  gh [-R= --repo=] (pr list|pr view|pr diff|pr status|pr checks|issue list|issue view|issue status|run list|run view
    |run watch|repo view|repo list|release list|release view|workflow list|workflow view|label list|search|status
    |auth status|gist list|gist view|cache list|secret list|variable list|alias list|config list|extension list
    |ruleset list|ruleset view|ruleset check|org list|project list|project view|project item-list|project field-list|api)
    ... !--web !/^-[a-zA-Z]*w$/ !--show-token !/^-t$/ !-X !--method !-f !-F !--field !--raw-field !--input !--cache
    !--hostname => read
  terraform|tofu (version|state list|state show|workspace list|workspace show|show|output|providers schema|validate|graph)
    ... !-chdir !-plugin-dir => read
  terraform|tofu providers => read
  terraform|tofu fmt -- -check [-diff -recursive] W* => read
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] => read
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] (log|status|st|diff|show
    |evolog|obslog|interdiff|root|op log|operation log|op show|bookmark list|b list|branch list|file list|file show
    |file annotate|file search|config list|config get|config path|workspace list|workspace root|tag list|git remote list
    |version|help) ... !--conf !--too => read
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] (git push|op abandon
    |operation abandon|util gc|git remote|config set|config edit|config unset|git clone) ... => outside
  jj ... !--config !--config-toml !--config-file !--tool => history
`;
