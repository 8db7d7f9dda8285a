/**
 * What a first boot would refuse of the settings of a host. The API server refuses it in new values, by CEL; functions
 * refuse it before there is a machine. No schema refuses it when it parses: an older claim may have it.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** As the API server and the functions say them. */
export const RULE = {
  file: 'is not accepted; accepted: the path of a file, without / at its end, outside /var/run, which is emptied at each boot, and /var/lib/slipway, which the first boot uses itself',
  hash: 'is not a password hash; accepted: a crypt(3) hash such as $6$salt$hash',
  sudo: 'is not accepted; accepted: a sudoers rule such as ALL=(ALL) NOPASSWD:ALL',
  shell: 'is not accepted; accepted: an absolute path such as /bin/bash',
  sysctl: 'its key is not a kernel parameter; accepted: a name such as net.ipv4.ip_forward',
  sysctlValue: 'is not accepted; accepted: a value that is not empty',
  certificate: 'is not a certificate; accepted: certificates in PEM, and no private key',
  authority: 'is not a certificate of an authority; accepted: certificates in PEM with CA:TRUE, and no private key',
  lockPassword: 'is not accepted; accepted: true, since the user has no passwordHash',
  address: 'is not accepted; accepted: an IPv4 or IPv6 address such as 10.0.0.9',
  partition: 'is missing; accepted: a size of each partition but the last, which may be the rest of the disk',
  mount:
    'is not accepted; accepted: another folder such as /var/lib/data: a mount over /, /boot, /bin, /etc, /lib, /sbin or /usr hides what the host needs',
} as const;

/** Both for RE2 of the API server and for us. */
export const HASH = '^[!*]?(\\$[a-z0-9]+\\$[^ :]+|)$';
const SYSCTL = /^-?[A-Za-z0-9_*-]+([./][A-Za-z0-9_:@*+-]+)*$/;
export const COVERED = [
  '/',
  '/bin',
  '/boot',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/sbin',
  '/usr',
  '/usr/bin',
  '/usr/lib',
] as const;

export function isHash(text: string): boolean {
  return new RegExp(HASH).test(text) && text !== '';
}

export function isSysctl(name: string): boolean {
  return SYSCTL.test(name);
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n?([A-Za-z0-9+/=\s]*?)-----END \1-----/g;

/** One certificate or more, with any text between them; anything but certificates is refused, above all a key. */
export function isCertificates(text: string): boolean {
  const labels = [...text.matchAll(BLOCK)].map(([, label, body = '']) => ({ label, empty: body.trim() === '' }));
  if (text.includes('PRIVATE KEY-----')) return false;
  return (
    labels.length > 0 &&
    labels.every(({ label, empty }) => /^(TRUSTED |X509 )?CERTIFICATE$/.test(label ?? '') && !empty) &&
    certificatesIn(text).every((certificate) => certificate !== undefined)
  );
}

/** Trust stores leave others out, without a word. Version 1 has no such extension: a root of that time may be one. */
export function areAuthorities(text: string): boolean {
  return (
    isCertificates(text) &&
    certificatesIn(text).every((found) => found !== undefined && (found.ca || isVersion1(found.raw)))
  );
}

function certificatesIn(text: string): readonly (X509Certificate | undefined)[] {
  return [...text.matchAll(BLOCK)].map(([block]) => {
    try {
      return new X509Certificate(block.replaceAll(/(BEGIN|END) (TRUSTED|X509) /g, '$1 '));
    } catch {
      return undefined;
    }
  });
}

/** Two sequences begin it; a version follows unless it is 1. */
function isVersion1(der: Buffer): boolean {
  const contents = (at: number): number => at + 2 + ((der[at + 1] ?? 0) < 0x80 ? 0 : (der[at + 1] ?? 0) & 0x7f);
  return der[contents(contents(0))] !== 0xa0;
}

export function isHostAddress(text: string): boolean {
  return isIP(text) !== 0;
}

export function isMountable(path: string): boolean {
  const place = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return !(COVERED as readonly string[]).includes(place);
}
