/**
 * Checks of what modules of cloud-init should have done: it continues after an error in any of them, and would make a
 * node of a host that lacks what the claim asks for. They run before anything else in the script.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Order } from '../provisioner.ts';
import type { Step } from '../script.ts';
import { isNumbered } from './owners.ts';

type Checked = Pick<Customisation, 'users' | 'files' | 'packages' | 'caCertificates' | 'timezone' | 'ntp'>;

/** @param last path of the last new file that is written before users exist: those before it were written, too */
export function checkSteps({ plan, customisation }: Order<'scripted'>, last: string | undefined): readonly Step[] {
  return [
    ...each(customisation.users, 'users', userExists),
    ...each(customisation.files, 'files', fileExists),
    ...(last === undefined ? [] : [{ field: `${plan.provider} files`, command: `[ -e ${quoted(last)} ]` }]),
    ...each(customisation.packages, 'packages', packageIsInstalled),
    ...each(customisation.caCertificates, 'caCertificates', isTrusted),
    ...timeSteps(customisation),
  ];
}

function each<Entry>(
  entries: readonly Entry[],
  list: keyof Checked,
  command: (entry: Entry) => string,
): readonly Step[] {
  return entries.map((entry, index) => ({ field: `${list}[${index}]`, command: command(entry) }));
}

/** cloud-init leaves a user of the image as it is. */
function userExists({ name, groups, uid, primaryGroup, homeDir }: Checked['users'][number]): string {
  const lines = `id -nG ${name} | tr ' ' '\\n'`;
  const facts = [
    ...groups.map((group) => `${lines} | grep -xF ${quoted(group)} >/dev/null`),
    ...(uid === undefined ? [] : [`[ "$(id -u ${name})" = ${uid} ]`]),
    ...(primaryGroup === undefined ? [] : [`[ "$(id -gn ${name})" = ${quoted(primaryGroup)} ]`]),
    ...(homeDir === undefined ? [] : [`[ "$(getent passwd ${name} | cut -d: -f6)" = ${quoted(homeDir)} ]`]),
  ];
  return facts.length === 0 ? `id ${name} >/dev/null` : facts.join('\n');
}

/** cloud-init sets the owner last. Numeric ones are set by the script. */
function fileExists({ path, owner }: Checked['files'][number]): string {
  const place = quoted(path);
  if (isNumbered(owner) || owner === 'root:root') return `[ -e ${place} ]`;
  return `[ "$(stat -c ${owner.includes(':') ? '%U:%G' : '%U'} ${place})" = ${quoted(owner)} ]`;
}

/**
 * By the package manager, because a name may be that of something a package provides. apt would install what is missing;
 * an older version that is there has brackets.
 */
function packageIsInstalled(name: string): string {
  const word = quoted(name);
  return `if command -v apt-get >/dev/null; then
  found="$(apt-get -qq -s install ${word})"
  case "$found" in *'Inst '*) ! printf '%s\\n' "$found" | grep '^Inst [^ ]* (' >/dev/null ;; esac
elif command -v rpm >/dev/null; then
  rpm -q ${word} >/dev/null || rpm -q --whatprovides ${word} >/dev/null
fi`;
}

/** Of Debian and similar, Red Hat and similar, SUSE. */
const BUNDLES =
  '/etc/ssl/certs/ca-certificates.crt /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem /etc/ssl/ca-bundle.pem';

/** By its end, its signature, however the lines of the bundle are wrapped. */
function isTrusted(pem: string): string {
  const base64 = pem.replaceAll(/-----[^-]*-----|\s/g, '');
  return `{ cat ${BUNDLES} 2>/dev/null || :; } | tr -d '\\n' | grep -F ${quoted(base64.slice(-48))} >/dev/null`;
}

function timeSteps({ timezone, ntp }: Checked): readonly Step[] {
  const places = '/etc/chrony /etc/chrony.conf /etc/systemd/timesyncd.conf.d /etc/ntp.conf /etc/ntpsec /etc/openntpd';
  return [
    ...(timezone === undefined
      ? []
      : [
          {
            field: 'timezone',
            // cmp is not in every image.
            command: `[ "$(cksum </usr/share/zoneinfo/${timezone})" = "$(cksum </etc/localtime)" ]`,
          },
        ]),
    ...(ntp === undefined ? [] : [{ field: 'ntp', command: `grep -rqsF ${quoted(ntp.servers[0] ?? '')} ${places}` }]),
  ];
}
