/** Options with which about any tool changes what it looks at, accepts it, sets itself up or runs another program. */
export const WRITING_OPTION =
  /^--?(?:(?:unsafe-|auto-?|eslint-)?fix(?!ture|-dry|-type|ed)[\w-]*|write(?:-changes)?|update-?(?:snapshots?|goldens?|baseline|expect\w*|all|todo)?|[\w-]*update-(?:snapshots?|goldens?|baselines?)|snapshot-update|auto-?correct(?:-all)?|auto-gen-config|(?:generate|set|create|update|write|save)-baseline|in-?place|overwrite|bless|accept|apply[\w-]*|init|install(?:-types)?|save|migrate|refactor|suppress-(?:all|rule)|prune-suppressions|toolexec|exec|rulesdir|script-shell|init-script|add-noqa|publish|(?:vcr-)?record(?:-mode)?)(?:=(?!(?:false|never|none|no)$)|$)/iu;

/** Options that name an output, of about any tool. */
export const OUTPUT_OPTION =
  /^--(?:out(?:put)?-?(?:file|dir|path)?|junit-?xml|log-?file|log-junit|reports?-?(?:file|path|dir|log)|coverage-?dir(?:ectory)?|coverage\.reportsdirectory|target-dir|cache-?(?:location|dir|directory|file)|basetemp|tsbuildinfofile|declarationdir|results?-?(?:file|dir|directory))$/iu;

/** What tools call having them change, install or hand out something. */
export const WRITING_VERB =
  /^(?:fix|fmt|format|install|i|add|remove|rm|publish|deploy|push|upgrade|update|generate|get|tidy|init|migrate|release|bump|login|upload|autocorrect|write)$/u;
