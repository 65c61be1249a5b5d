/** Questions that tools answer about code, documents and data. */
export const inspectors = String.raw`
  ar (/-?[tp]v?/ W+) => read
  ar (-t|-p) [-{v}] W+ => read
  7z l|t [-slt -ba] W+ => read
  gofmt [-l -s -d -e] W* => read
  goimports [-l -d -e] W* => read
  rustfmt --check [--edition=N] W+ => read
  shfmt [-d -l -s -p -ci -bn -sr -i=N -ln=/\w+/] W* => read
  cloc [--json --csv --yaml --md --quiet --by-file --vcs=/git/ --exclude-dir= --include-lang= --exclude-lang=] W+ => read
  scc [--by-file --no-cocomo --ci --wide -f=/\w+/ -i=/\w+/ -s=/\w+/ -w] W* => read
  # ldd runs what it looks at.
  ldd [-v] /\/(?:usr\/)?(?:local\/)?s?bin\/[\w.+-]+/ => read
  pdftotext [-layout -raw -nopgbrk -q -simple -table -f=N -l=N] W - => read
  pdfimages -list W => read
  ffprobe [-hide_banner -show_format -show_streams -show_chapters -show_packets -i -v=W -loglevel=W -select_streams=W
    -show_entries=W -of=W -print_format=W] W => read
  exiftool [-s -ss -sss -S -j -json -G -G0 -G1 -a -n] W+ => read
  conda|mamba|micromamba list|info [--json -e --envs -n=/\w+/] /\w[\w.-]*/* => read
  conda /shell\.\w+/ hook => read
  rustup (target|component) list [--installed --toolchain=I] => read
  git-lfs env|status|version|ls-files [-l --long -s --size -n --name-only -a --all -d --debug --json] => read
  gpg|gpg2 (-k|--list-keys|--list-public-keys|--fingerprint) [--with-colons --keyid-format=I] W* => read
  conda env list [--json] => read
  conda config (--show|--show-sources) [--json] /\w[\w.-]*/* => read
  gem list|env|environment|info|outdated|which|contents|specification|dependency [--local -l -a] W* => read
  nvm (ls|list|current|version|which) I? => read
  pyenv|rbenv (versions|version|root|which I) => read
  ollama (list|ls|ps|show W) => read
  info /\w[\w.-]*/ => read
  hg status|st|log|diff|annotate|blame|branches|tags|heads|identify|id|paths|summary|manifest|files|parents|root
    [-{lrcGpvnuA} --stat --graph --limit --rev --verbose --removed --added --modified] /(?!\S*:\/\/).+/* => read
  svn status|st|log|info|diff|list|ls|blame|annotate|cat|propget|proplist [-{lrucvq} --verbose --limit --revision --quiet
    --show-updates --stop-on-copy] /https:\/\/.+|(?!\S*:\/\/).+/* => read
  # A database opened read-only; what is asked for writes, loads and runs nothing by a function of the shell's.
  sqlite3 -readonly [-header -noheader -json -csv -column -line -list -table -box -markdown -batch -bail] F
    /(?!.*(?:writefile|edit|load_extension|vacuum|attach|tokenizer))\s*(?:(?:select|with|explain|pragma)\b[^;=]*|(?:select|with|explain)\b[^;]*);?\s*|\.(?:tables|schema|indexes|databases)(?:\s[\w%]+)?/is+
    => read
  redis-cli [-h=/[\w.-]+/ -n=N -p=N --raw --no-raw --csv --json --no-auth-warning] (--scan|--bigkeys) [--pattern=W] => read
  redis-cli [-{0-9} -h=/[\w.-]+/ -n=N -p=N --raw --no-raw --csv --json --no-auth-warning]
    (/[hm]?get|mget|keys|scan|info|ping|p?ttl|type|exists|strlen|llen|lrange|hmget|hgetall|hkeys|hvals|hlen|smembers/i
    |/sismember|scard|zrange|zcard|zscore|xlen|xrange|dbsize|time|lastsave/i|/config|slowlog/i /get/i|/client/i /list/i
    |/memory/i /usage/i|/object/i /encoding/i) W* => read
  openssl x509 [-noout -text -dates -enddate -startdate -subject -issuer -serial -fingerprint -pubkey -modulus -hash -sha1
    -sha256 -purpose -email -in=W -inform=W -checkend=W -ext=W -nameopt=W] => read
  openssl (dgst /sha\d+|md5/|/sha\d+|md5/) [-hex -r] W+ => read
  openssl dgst (-md5|-sha1|-sha224|-sha256|-sha384|-sha512) [-hex -r] W+ => read
  openssl rand [-hex -base64] N => read
  openssl ciphers|version => read
  # A format of tmux may hold a command to run, and a semicolon begins another command.
  tmux [-L=I -S=/[\w./-]+/] ls|lsw|lsp|lsc|list-sessions|list-windows|list-panes|list-clients|list-commands|list-keys
    |list-buffers|has|has-session|show|show-options|showenv|show-environment|show-buffer|info|server-info
    ... !/;|#\(|#\{(?:[^}#]|#(?!\{))*[ET]:/ => read
  tmux [-L=I -S=/[\w./-]+/ -t=] display|display-message -p ... !/;|#\(|#\{(?:[^}#]|#(?!\{))*[ET]:/ => read
  tmux [-L=I -S=/[\w./-]+/ -E= -t= -e -J -a -N -q] capturep|capture-pane (-p|-pt=|-ep|-pe|-pJ|-Jp|-ept=|-pet=)
    ... !/;/ => read
  tmux -V => read
`;
