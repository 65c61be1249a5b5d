import { type Sample, samples } from "./sample.ts";

/** Lines that one shell or version reads in another way than a parser does; the payload is something that writes. */
export const misread: readonly Sample[] = samples("mutating", [
  // single quotes inside double quotes and here-documents, which quote nothing or something
  "echo \"${x:-$'$(touch y)'}\"",
  "echo \"${x#'$(touch y)'}\"",
  "echo \"${x/a/'$(touch y)'}\"",
  "echo \"${x+$'`touch y`'}\"",
  "echo \"${x%$'$(touch y)'}\"",
  "echo \"${x//$'a$(touch y)'/b}\"",
  'echo "${x:-$\'}"; touch y; echo "\'}"',
  "cat <<E\n${x:-$'$(touch y)'}\nE",
  "cat <<E\n\"${x:-'$(touch y)'}\"\nE",
  // a line that goes on in the middle of an operator
  "echo $\\\n((touch y) )",
  'echo "$\\\n(touch y)"',
  "cat <<E\n$\\\n(touch y)\nE",
  "cat <\\\n(touch y)",
  "echo $\\\n'\\x60touch y\\x60'",
  // braces that leave empty words
  "bash -c {,touch}",
  "bash -c {,'touch y'}",
  "sed {,-i} p f",
  "find {,-delete}",
  // the redirection that is read
  "echo ls | bash 0<<<'touch y'",
  "bash <<<ls <f",
  "bash <<<ls 0<f",
  "bash <<<ls <&3",
  "bash 3<<<ls",
  "bash <<E\nls \\\ntouch y\nE",
  "printf -- 'touch y' | bash",
  // options that take a word from within a bundle
  "bash -oc history 'touch y'",
  "bash -oc posix 'touch y'",
  "bash -Oc extglob 'touch y'",
  "sh -oc errexit 'touch y'",
  // devices
  "cat /dev//sda",
  "cat < /dev/./sda",
  "cat /dev/sd?",
  "cat < /dev/../dev/sda",
]);

/** Devices and bundles spelled in another way than usual. */
export const disguised: readonly Sample[] = samples("dangerous", [
  "bash -c {,reboot}",
  "bash -oc posix 'sudo ls'",
  "echo ls | bash 0<<<reboot",
  "dd if=/dev/zero of=/dev//sda",
  "dd if=/dev/zero of=/dev/./sda",
  "dd if=/dev/zero of=//dev/sda",
  "dd if=/dev/zero of=/dev/../dev/sda",
  "echo x > /dev//sda",
  "echo x > /dev/[s]da",
  "echo x > /dev/s?a",
  "cd /dev; dd if=/dev/zero of=sda",
  "cd /dev; echo x > sda",
  "cd /; echo x > dev/sda",
  "tee /dev//sda",
  "cp x /dev//nvme0n1",
]);
