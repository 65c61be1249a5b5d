const PACKED = "-{dqvkn0-9} -S= --decompress --uncompress --quiet --verbose --keep";
const TAR = `-{vzjJaOnhp} -C= -X= --verbose --gzip --bzip2 --xz --zstd --lzma --auto-compress --directory=
    --exclude= --wildcards --no-wildcards --full-time --utc --numeric-owner --quoting-style= --totals`;
const YQ = `-{erCMPNjcn} -o= -p= -I= --output-format= --input-format= --prettyPrint --no-doc --colors --no-colors
    --tojson --null-input --indent= --unwrapScalar? --raw-output`;

/** Programs that look at text and files. */
export const textLines = String.raw`
  sort [-{bdfghiMnRrVcCsmuz} -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
    --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse --version-sort --check?
    --stable --unique --zero-terminated --key= --field-separator= --buffer-size= --parallel= --sort= --debug] F* => read
  # The second operand of uniq and xxd is overwritten.
  uniq -- [-{cdDuiz0-9} -f= -s= -w= --count --repeated --all-repeated? --unique --ignore-case --zero-terminated
    --skip-fields= --skip-chars= --check-chars= --group?] F? => read
  xxd -- [-a -b -e -E -i -p -P -r -u -v -ps -plain -c=/\d\w*/ -g=/\d\w*/ -l=/\d\w*/ -s=/\+?\d\w*/ -o=/\d\w*/] F? => read
  fd [-{HIUuasiLpF01lgqhV} -E= -d= -t= -e= -S= -o= -c= -j= --exclude= --max-depth= --min-depth= --exact-depth= --type=
    --extension= --size= --owner= --color= --threads= --max-results= --changed-within= --changed-before=
    --base-directory= --search-path= --path-separator= --batch-size= --ignore-file= --format= --and= --hidden --no-ignore
    --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --absolute-path --relative-path
    --follow --no-follow --full-path --fixed-strings --regex --glob --print0 --max-one-result --list-details --quiet
    --prune --one-file-system --strip-cwd-prefix? --show-errors --hyperlink?] F* => read
  rg [--pretty --pre-glob=] ... !--pre !--hostname-bin => read
  ag ... !--pager => read
  # A word with "system" may run a program; with a verb the expression comes second.
  yq [${YQ}] (eval|e|eval-all|ea)? => read
  yq [${YQ}] eval|e|eval-all|ea /(?!.*\bsystem\b).*/s F* => read
  yq [${YQ}] /(?!(?:eval|e|eval-all|ea)$)(?!.*\bsystem\b).*/s F* => read
  tree [-{adfilxpshugDFqNvtcUrACSnJX} -L= -P= -I= --noreport --dirsfirst --filesfirst --gitignore --du --si --prune
    --matchdirs --ignore-case --inodes --device --sort? --filelimit= --charset= --timefmt=] F* => read
  shuf [-{ezr} -i= -n= --echo --zero-terminated --repeat --input-range= --head-count=] F* => read
  # Binutils load what --plugin names.
  objdump|nm|size [-{adfhprtxsSTgCDwlzeHGWLgnuAPov} -j= -M= -b= -m= --disassemble --disassemble-all --headers --syms
    --dynamic-syms --section= --demangle? --full-contents --source --line-numbers --reloc --dynamic-reloc
    --private-headers --no-show-raw-insn --dynamic --extern-only --defined-only --undefined-only --print-size
    --size-sort --numeric-sort] F* => read
  addr2line [-{afipsC} -e= -j=] F* => read
  base64 [-{dDi} -w= -b= --decode --ignore-garbage --wrap= --break=] F* => read
  iconv [-{lcs} -f= -t= --from-code= --to-code= --list --silent] F* => read
  # A + begins a command that a pager runs at the start.
  less|more [-{NSRFXiIMmrs}] /\+(?:[gGF]|\d+)/? F* => read
  bat|batcat [-{pnAS} -l= -r= -H= --plain --number --language= --line-range= --highlight-line= --style= --color=
    --decorations= --paging= --wrap= --show-all --list-languages] F* => read
  tee -- [-{aip}] /\/dev\/(?:null|stderr|stdout|tty)/* => read
  # Compressors replace their operand unless told to print, list or test.
  gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd [${PACKED}] => read
  zstdcat [${PACKED}] F* => read
  gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|zstdcat -- (-c|-l|-t|--stdout|--to-stdout|--list|--test) [${PACKED}] F* => read
  unzip -- (-l|-v|-t|-p|-Z|-c) [-{qCahmsz12}] F* => read
  # tar lists, or writes what it packs or unpacks to its standard output; an archive with a colon is on another machine.
  tar|gtar|bsdtar -- (-t|--list) [-f=L --file=L ${TAR}] F* => read
  tar|gtar|bsdtar -- (-f=L|--file=L) -x -O [${TAR}] F* => read
  tar|gtar|bsdtar -- (-f=/-|\/dev\/null/|--file=/-|\/dev\/null/) -c [${TAR}] F* => read
  tar|gtar|bsdtar /[vzjJa]*t[vzjJa]*/ [-f=L ${TAR}] W* => read
  tar|gtar|bsdtar /(?=\w*t)[tvzjJa]+f/ L [${TAR}] W* => read
  tar|gtar|bsdtar /(?=\w*x)(?=\w*O)[xOvzjJa]+f/ L [${TAR}] W* => read
  tar|gtar|bsdtar /(?=\w*x)[xvzjJa]+f/ L -O [${TAR}] W* => read
  tar|gtar|bsdtar /(?=\w*c)[cvzjJa]+f/ (-|/\/dev\/null/) [${TAR}] W* => read
  xmllint [--noout --format --nonet --html --recover --huge --nowarning --noblanks --xpath= --schema= --relaxng= --pretty=
    --encode=] F* => read
  date [-{uRjn} -d= -r= -f= -v= -I? --date= --reference= --file= --utc --universal --rfc-2822 --rfc-email --iso-8601?
    --rfc-3339= --debug] P* => read
  date -- -j [-{uRn} -d= -r= -f= -v= -I?] F* => read
  printenv [-0] /\w+/* => read
  # Nothing is copied where rsync is told so, between folders of this machine.
  rsync [-{avrlptgoDzhiuHAXxcPqEWCm} --archive --verbose --recursive --itemize-changes --stats --human-readable --checksum
    --exclude= --include= --progress --update --links --perms --times] /[^:]*/+ => project
  rsync (-n|--dry-run|--list-only) [-{avrlptgoDzhiuHAXxcPqEWCm} --archive --verbose --recursive --delete --delete-after
    --delete-during --delete-excluded --itemize-changes --stats --human-readable --checksum --exclude= --include=
    --exclude-from= --filter= --progress --list-only --update --size-only --links --perms --times] /[^:]*/* => read
`;
