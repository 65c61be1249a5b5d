const COMPOSE = "(ps|logs|ls|images|top|version|config|port|volumes|stats|events)";
const COMPOSE_OPTIONS = "[-f= --file= -p= --project-name= --profile= --project-directory=]";
const AWS =
  "[--profile= --region= --output= --query= --no-cli-pager --no-paginate --color= --cli-connect-timeout= --cli-read-timeout= --endpoint-arn=]";
/** Verbs that ask, but for those whose answer is a secret or goes to a file. */
const AWS_ASKING = String.raw`(?!(?:batch-)?get-(?:instance-access-details$|read-set$|.*(?:secret|token|credential(?!-report)|password(?!-policy)|federation)|login$|login-password|.*-sdk$|sdk$|export$|media$|object$|object-torrent$|job-output$|.*thing-shadow$|.*snapshot-block$|.*version-asset$|clip$|configuration$|latest-configuration$|hosted-configuration-version$))(?:describe|list|get|batch-get|lookup|check|detect|estimate|admin-get|admin-list|test-dns)-[a-z\d-]+`;
const GCLOUD =
  "[--project= --format= --account= --configuration= --region= --zone= --location= --filter= --limit= --verbosity= --quiet -q]";
/** What stands between a service and its verb: a noun, for behind another verb the same word would be a name. */
const NOUN = String.raw`(?!(?:abandon|ack|acquire|activate|add|apply|approve|attach|bind|break|bulk|call|cancel|clone|connect|copy|cp|create|deactivate|decrypt|delete|deploy|destroy|detach|disable|drain|enable|encrypt|evaluate|exec|execute|export|failover|grant|import|ingest|init|insert|install|invalidate|invoke|kill|link|lock|login|migrate|modify|move|mv|patch|pause|promote|publish|pull|purge|push|rebuild|recreate|register|reimage|reject|remove|renew|repair|replace|reset|resize|restart|restore|resume|revoke|rm|rollback|rolling|rotate|rsync|run|scp|seek|set|sign|simulate|ssh|start|stop|submit|suspend|switch|sync|tag|test|transfer|truncate|undelete|unlink|unlock|unregister|unset|untag|update|upgrade|upload|wait|write)(?:-|$))[a-z][\da-z-]*`;
const AZ =
  "[--output= --query= --subscription= --resource-group= --name= --verbose --only-show-errors -g= -n= -o=]";
const AZ_NOUN = String.raw`(?!(?:.*-)?(?:keys?|secrets?|credentials?|tokens?|sas)$|connection-string|appsettings|kv$)${NOUN}`;
const AZ_ASKING = String.raw`(?!.*(?:key|secret|credential|token|password|connection-string|publishing))(?:(?:list|show|get|check|exists)(?:-[a-z-]+)?|version|logs|tail|summarize)`;

/** Services and clouds, with the verbs that only ask. */
export const clouds = String.raw`
  # -o and its like write files; --kubeconfig and -s could name a program or another machine.
  kubectl [-n= --namespace= --context= --cluster= --request-timeout=] (get|describe|logs|top|explain|version|api-resources
    |api-versions|config view|config get-contexts|config current-context|config get-clusters|config get-users|auth can-i
    |auth whoami|completion|options|rollout status|rollout history|events|cluster-info|diff|wait|plugin list) [--client --output=] ... !-s !--kubeconfig !--token
    !--server !--as !--raw !--cache-dir !--profile !--log-file !--log-dir !--client- !--output-directory => read
  kubectl|oc kustomize ... !--enable !--output !-o !--helm-command !--network !--env => project
  docker|podman ${COMPOSE_OPTIONS} (system events|context inspect|service list|node ps|plugin inspect|buildx version
    |buildx imagetools inspect|trust inspect|config ls|secret inspect|events|search|manifest inspect|buildx ls|buildx inspect|buildx du|plugin ls|secret ls
    |stack ls|stack ps|stack services|service ps|service inspect|service logs|service ls|node inspect|node ls
    |container stats|container diff|ps|images|inspect|logs|version|info|top|port|diff|history|stats|image ls|image list
    |image inspect|image history|container ls|container list|container inspect|container logs|container top
    |container port|network ls|network inspect|volume ls|volume inspect|system df|system info|context ls|context show
    |compose ${COMPOSE}) ... !-H !--host !--config !-c !--context !-o !--output !--bootstrap !--lock => read
  docker-compose ${COMPOSE_OPTIONS} ${COMPOSE} ... !-H !--host !-c !--context !-o !--output !--lock => read
  helm [-n= --namespace= --kube-context= --debug] (completion|help|verify|plugin (ls|verify)|repo ls|list|ls|status|get|history|search|show|inspect|repo list|version|env|lint
    |template|plugin list|dependency list|dep list) [--output=]
    ... !--output-dir !--post-rend !--kubeconfig !--kube-api !--kube-token
    !--kube-as !--kube-ca !--registry-c !--repository-c => read
  # Queries by the form of their names; those that get an object write it to a file.
  aws ${AWS} (s3 ls|sts get-caller-identity|logs tail|logs filter-log-events|configure (list|list-profiles|get)|s3api head-object
    |s3api head-bucket|dynamodb (query|scan|transact-get-items)|cloudtrail lookup-events|cloudformation validate-template
    |rds download-db-log-file-portion|iam /simulate-[a-z-]+/|/[a-z][\da-z-]*/ /${AWS_ASKING}/)
    ... !--endpoint !--no-verify !--no-sign !--ca- !--cli-input !--cli-auto !--include-value !--with-secret !/userData/ => read
  aws (/[a-z][\da-z-]*/ /[\da-z-]+/?)? help => read
  aws ${AWS} /[a-z][\da-z-]*/ wait /[a-z-]+/ ... !--endpoint !--no-verify !--no-sign !--ca- !--cli-input !--cli-auto => read
  aws ${AWS} ec2 /[a-z-]+/ (--dry-run) ... !--no-dry !--endpoint !--no-verify !--cli-input => read
  aws s3 (cp|mv|rm|sync) (--dryrun) [--recursive --delete --exclude= --include= --quiet ${AWS.slice(1)} F* => read
  # What these get lies where they are called.
  aws ${AWS} s3 (cp|sync) [--recursive --exclude= --include= --quiet --no-progress] /s3:\/\/.+/ L => project
  gcloud ${GCLOUD} storage (ls|du|hash) ... !--flags-file !--access-token !--log-http !--impersonate => read
  gsutil [-m -q] rsync (-n) [-{drcCpu} -x=] W+ => read
  gsutil [-m -q] (ls|stat|du|hash|version|help) [-{lLabrRdshc}] W* => read
  gcloud ${GCLOUD} (alpha|beta)? /[a-z][\da-z-]*/ /(?!snapshot$|deprecate$)${NOUN}/* (describe|read|/list(?:-[a-z-]+)?|get(?!.*credential)(?:-[a-z-]+)?/)
    ... !--flags-file !--access-token !--log-http !--impersonate => read
  gcloud ${GCLOUD} (help|topic|version|info) ... !--flags-file !--log-http => read
  az ${AZ} (/[a-z][\da-z-]*/ /${AZ_NOUN}/*)? /${AZ_ASKING}/ ... !--debug => read
  az ${AZ} (graph|monitor (log-analytics|app-insights)) query ... !--debug => read
  az ${AZ} keyvault (secret|key|certificate) (list|list-deleted|list-versions|get-versions) ... !--debug => read
  az ${AZ} find W+ => read
  az ${AZ} devops configure (-l|--list) => read
  # What a chart would change; --post-renderer runs a program.
  helm [-n= --namespace= --kube-context= --debug -f= --values= --set= --version= --install -i] (install|upgrade|uninstall|rollback)
    --dry-run?/client|server/ ... !/^--dry-run=(?!client$|server$)/ !--post-rend !--kubeconfig => project
  # --web starts a browser; api asks only while it is given no field, body or method.
  gh (auth status|config list|config get /(?!.*token).+/|variable get) [-h=I -e=I --env=I --host=I --hostname=I -R=W --repo=W] W* => read
  gh [-R= --repo=] browse (-n|--no-browser) ... => read
  # What these download lies where they are called.
  gh [-R= --repo=] (run|release|attestation) download ... !--clobber => project
  gh|glab repo clone /[\w.\/-]+/ L? => project
  gh [-R= --repo=] pr checkout ... !-f !--force => history
  gh [-R= --repo= --raw] (codespace (list|view)|cs (list|view)|extension search|ext (list|search)|rs (list|view|check)
    |attestation (verify|trusted-root)|at (verify|trusted-root)|ssh-key list|gpg-key list|release (verify|verify-asset)|pr list|pr view|pr diff|pr status|pr checks|issue list|issue view|issue status|run list|run view
    |run watch|repo view|repo list|release list|release view|workflow list|workflow view|label list|search|status
    |auth status|gist list|gist view|cache list|secret list|variable list|alias list|config list|extension list
    |ruleset list|ruleset view|ruleset check|org list|project list|project view|project item-list|project field-list|api)
    ... !--web !/^-[a-zA-Z]*w$/ !--show-token !/^-t$/ !-X !--method !-f !-F !--field !--raw-field !--input !--cache
    !--hostname => read
  terraform|tofu (version|state list|state show|workspace list|workspace show|show|output|providers schema|validate|graph)
    ... !-chdir !-plugin-dir => read
  terraform|tofu providers => read
  terraform|tofu (modules|metadata functions) ... !-chdir => read
  terragrunt (init|fmt|get|plan) ... => project
  helm (lint|template|create|package|dependency|dep) ... => project
  pulumi preview ... => project
  pulumi (whoami|about|org get-default|stack ls|stack history|stack output|plugin ls|logs) ... !--show-secrets !-C !--cwd !--config-file => read
  sam (validate|build|local (invoke|start-api|start-lambda|generate-event)|logs|list) ... => project
  serverless|sls (info|package|invoke local) ... => project
  wrangler (whoami|types|docs|(deployments|versions) (list|view|status)|kv:key (get|list)|kv:namespace list|kv (key (get|list)|namespace list)
    |r2 bucket (list|info)|d1 (list|info)|pages (project|deployment) list|queues list|secret list|tail|dns-records list) ... !--config !-c !--cwd
    => read
  wrangler dev ... !--remote !-r => project
  vercel [-S= --scope= -d --debug] (ls|list|inspect|logs|whoami|(project|domains|dns|alias|certs|teams|env|git) ls|(project|domains|dns) inspect|(promote|rollback) status) ... !-t !--token !--cwd !-Q !-A !--global !--local => read
  vercel|netlify build ... !--cwd => project
  netlify (status|sites:list|functions:list) [--json --verbose] => read
  heroku [-a= --app= -r= --remote= -n= --num= -t --tail -s= --source= -d= --dyno= -p= --ps= --json] (logs|ps|releases|apps|info|addons
    |domains|status|whoami|buildpacks|features|maintenance|pipelines|regions|certs|access|releases:info|apps:info|addons:info|pg:info|redis:info|pg:ps) => read
  heroku releases:info|addons:info [-a= --app= -r= --remote= --json] W => read
  fly|flyctl [-a= --app=] (status|logs|releases|history|doctor|version|(apps|orgs|volumes|machine|machines|ips|checks|regions|services|certs|secrets) list
    |(scale|image) show|auth whoami|platform (regions|vm-sizes|status)) [-j --json -n --no-tail -i= --instance= -r= --region= -o= --org=] => read
  firebase [-P= --project= -j --json] projects:list|apps:list|functions:list|hosting:sites:list|hosting:channel:list|functions:log => read
  argocd (app|appset|cluster|proj|repo|account) (list|get|history|diff|resources|logs) ... !--refresh !--hard !--auth !--server !--config !--core !--grpc => read
  flux (get|logs|version|check|tree|stats|events|trace) ... !--kubeconfig !--server !--token !--as !--insecure => read
  bq [--project_id= --format= --location= -q] query (--dry_run) [--use_legacy_sql= --nouse_legacy_sql] W => read
  bq [--project_id= --format= --location= -q] (ls|show|head|version|help) ... !--api !--cred !--service !--bigqueryrc !--flagfile => read
  vault [-namespace= -format=] status [-format=] => read
  op (whoami|account (list|ls|get)|(item|vault|user|group|document) (list|ls)|vault get) [--vault= --format= --account= --categories= --tags=] W* => read
  glab [-R= --repo=] (repo|project|mr|issue|release|ci|pipeline|label|milestone|schedule|job|incident) (list|ls|view|show|status|get|diff)
    ... !--web !/^-[a-zA-Z]*w$/ => read
  glab variable (list|ls) => read
  glab api [-X=/GET/ --method=/GET/ --paginate] /(?!.*(?:variables|token|key))[\w\/%.?=&:-]+/ => read
  packer|terraform|tofu (-help|-h|-version) => read
  packer version => read
  packer (validate|inspect|fmt|console) ... => project
  packer plugins (installed|required) W* => read
  # One word between a service and what it lists: behind a verb, \`list\` would be a name.
  doctl|hcloud|linode-cli|railway|render|supabase|fly|flyctl|vault|nomad /(?!up$|down$|launch$|read$|run$|unwrap$|kv$)${NOUN}/ list
    [-o= --output= --format= --no-header --service= --limit= --json] !/^(?:variables?|env|tokens?|keys?)$/ => read
  doctl (compute|kubernetes|databases) /${NOUN}/ list [-o= --output= --format= --no-header] => read
  oci /[a-z]+/ /${NOUN}/ list ... !--file !--config !--auth !--from !--cert !--endpoint => read
  doctl|hcloud|railway|render|nomad (version|status|whoami) [-o= --json] => read
  # Synthesis runs the project's own program; --app names another one.
  cdk [-q --quiet -j --json -v --verbose --profile= -c= --context=] (list|ls|diff|synth|synthesize|doctor|metadata|notices|acknowledge|ack|context|version)
    ... !--app !-a !--plugin !-p => project
  ansible (--list-hosts) [-i= --inventory=] W => project
  ansible-playbook (--syntax-check|--list-hosts|--list-tasks|--list-tags) [-i= --inventory= -e= --limit= -l= --tags= -t=] W+ => project
  ansible-galaxy ((role|collection) (list|search|info|verify)|list|search|info) ... !--token !--api-key !--server => project
  terraform|tofu fmt -- -check [-diff -recursive] W* => read
  terraform|tofu [-chdir=] (init|fmt|get|plan|validate|console|providers (lock|mirror|schema)|workspace select /.+/) ... !-or-create
    !-backend-config => project
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] => read
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] (log|status|st|diff|show
    |evolog|obslog|interdiff|root|op log|operation log|op show|bookmark list|b list|branch list|file list|file show
    |file annotate|file search|config list|config get|config path|workspace list|workspace root|tag list|git remote list
    |version|help) ... !--conf !--too => read
  jj [-R= --repository= --color= --at-op= --at-operation= --no-pager --ignore-working-copy --quiet] (git push|op abandon
    |operation abandon|util gc|git remote|config set|config edit|config unset|git clone) ... => outside
  jj ... !--config !--config-toml !--config-file !--tool => history
`;

/** One statement that asks: no further one behind it, no function but plain ones, nothing that locks or writes. */
const SQL = String.raw`(?!.*\b(?:into|drop|delete|insert|update|exec|execute|merge|truncate|alter|create|grant|revoke|call|shutdown|kill|copy|use|backup|restore|waitfor|share|system|source)\b)(?!.*from\s+['"])(?!.*["'\u0060\]]\s*\()(?!.*\b(?!(?:count|sum|min|max|avg|lower|upper|length|coalesce|round|abs|now|date|distinct|in|exists|and|or|not|any|all|as|by|on|from|join|where|select|over|version)\s*\()\w+\s*\()\s*(?:select|explain\s+(?:analyze\s+)?select|show|describe|desc)\b[^;\\\n]*;?\s*`;

const RCLONE =
  "-{vqPRli} -v -q -P --progress --max-depth= --recursive --include= --exclude= --json --human-readable --fast-list --files-only --dirs-only --one-way --size-only --checksum --transfers= --checkers= --log-level=";

const RESTIC = "-r= --repo= --json --no-lock --quiet -q -v --verbose --compression= --no-cache";

const DUCKDB =
  "[-readonly -safe -json -csv -table -line -column -box -list -markdown -separator= -newline= -nullvalue=]";

/** Databases that are asked something with one statement on the command line. */
export const databases = String.raw`
  psql (-c=/${SQL}|\\(?:d[a-zA-Z]*\+?|l\+?|z|conninfo)(?:\s[\w.*]+)?/is|--command=/${SQL}/is)
    [-h= -p= -U= -d= --host= --port= --username= --dbname= -A -t -x -H -q -X -w --csv -P= -F= --tuples-only --no-align --expanded]
    /[\w-]+/? => read
  mysql|mariadb (-e=/${SQL}/is|--execute=/${SQL}/is)
    [-h= -P= -u= -D= --host= --port= --user= --database= -B -H -X -N -t -E -s -r --batch --html --xml --table --vertical
    --skip-column-names] /[\w-]+/? => read
  sqlcmd query [-d= --database= -q=/${SQL}/is -t=/${SQL}/is --query=/${SQL}/is --text=/${SQL}/is] /${SQL}/is? => read
  duckdb (-c=/${SQL}/is|-s=/${SQL}/is) ${DUCKDB} /(?!(?:\w+:)?\/\/)\S+/? => read
  duckdb ${DUCKDB} /(?!(?:\w+:)?\/\/)\S+/ /${SQL}/is => read
  mongosh [--quiet --host= --port= --norc] W? (--eval=/(?:db(?:\.\w+)*\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|version|getCollectionNames)\([^;$()]*\)(?:\.(?:limit|sort|skip|count|pretty|toArray|explain)\([^;$()]*\))*|show\s(?:dbs|databases|collections|tables));?/)
    => read
  kafka-topics|kafka-topics.sh|kafka-consumer-groups|kafka-consumer-groups.sh|kafka-configs|kafka-configs.sh (--list|--describe)
    [--bootstrap-server= --zookeeper= --topic= --group= --entity-type= --entity-name= --all-groups --exclude-internal] => read
  nats [-s= --server= --context=] ((stream|str|consumer|con|kv|object|obj) (info|ls|list|report|state|subjects|find)|kv (get|history|status)
    |server (info|list|ls|ping)|account info|context ls|rtt) W* => read
  rabbitmqctl [-n= -q --quiet] (status|cluster_status|ping|version|/list_(?!user_limits)\w+/) W* => read
  rclone [${RCLONE}] (ls|lsd|lsl|lsf|lsjson|size|check|about|md5sum|sha1sum|tree|listremotes|version) /[^:,-][^,]*/* => read
  rclone (-n|--dry-run) [${RCLONE}] (sync|copy|copyto|move|moveto|delete|purge) /[^:,-][^,]*/+ => read
  restic [${RESTIC}] (snapshots|ls|stats|check|diff|find|version) [--tag= --host= --path= --latest= --mode= --name --group-by= --read-data
    --long --compact -l -c] W* => read
  borg [--repo= -r=] (list|info|diff|check|version) [--json --json-lines --short --format= --last= --first= --prefix= -P= --glob-archives= -a= --list] W* => read
  restic [${RESTIC}] (forget|prune|backup|restore|rewrite) (-n|--dry-run) ... !-o !--option !--password-c !/^--dry-run=/ => read
  borg (extract|create|prune|delete|compact|recreate) (-n|--dry-run) ... !--remote-p !--rsh => read
  mc [--json] (ls|stat|du|diff|tree|admin info) [--recursive -r --json] W+ => read
  mysqladmin (status|ping|version|processlist|extended-status|variables) => read
  sqlcmd config (view|cs|connection-strings) => read
`;
