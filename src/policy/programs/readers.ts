/**
 * Programs that have no option, in GNU's or BSD's version, that writes a file, changes the system or runs another
 * program. One that has such an option does not belong here but gets a usage line of its own.
 */
const READERS = `
  cat tac head tail wc nl cut tr rev fold expand unexpand paste join comm cmp diff fmt
  grep egrep fgrep zcat bzcat xzcat zipinfo
  ls dir vdir exa eza stat du df pwd realpath readlink basename dirname
  echo true false :
  uname id whoami groups logname users who w last uptime free nproc tty getconf locale cal
  ps pgrep pidof pstree lscpu lsblk lsusb lspci lsmod vmstat vm_stat sw_vers netstat
  md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum base32
  od hexdump hd strings readelf
  seq bc factor numfmt expr jq column tsort look
  col pathchk mountpoint findmnt getfacl getcap lsattr namei ipcs lsipc lsns lslocks lsmem uuidgen iostat mpstat
  tokei shellcheck hadolint yamllint c++filt pdfinfo pdffonts pg_isready otool mdfind pbpaste system_profiler
  which whereis type dirs times help getent yes zgrep zegrep zfgrep
  cd pushd popd break continue exit return shift
`;

export const readers = `${READERS.trim().split(/\s+/u).join("|")} * => read`;
