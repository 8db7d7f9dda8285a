/** First boots of a machine by the real cloud-init or Ignition, and what is true of the host afterwards. */
import { replacedIn } from '../../support/ignition.ts';
import { OLD_IGNITION } from '../build-old-ignition.ts';
import { cached, type Found } from '../cache.ts';
import { IGNITION } from '../debian.ts';
import { runCommand } from '../run.ts';
import { type Boot, firstBootOn, scratchRoot } from '../scratch-host.ts';
import { type Asked, type Checkout, dataOf } from './checkout.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
/** Where the second disk of a claim is; the judge has another. */
export const DISK = '/dev/nvme1n1';

/** The two that most claims have, and the one of old images. */
export const FORMATS = ['cloud-init', 'ignition'] as const;
export type Format = (typeof FORMATS)[number] | 'ignition-2.3';

const IGNITIONS = { ignition: cached(...IGNITION), 'ignition-2.3': cached(...OLD_IGNITION) };

/** Why this machine cannot boot a host; undefined if it can. */
export function noHost(format: Format): string | undefined {
  const found = [scratchRoot(), ...(format === 'cloud-init' ? [] : [IGNITIONS[format]])];
  return found.flatMap((one) => ('missing' in one ? [one.missing] : []))[0];
}

/** The program of a format as it calls itself, with its version. */
export function programOf(format: Format): string {
  if (noHost(format) !== undefined) return format;
  const { output } =
    format === 'cloud-init'
      ? runCommand('chroot', [pathOf(scratchRoot()), 'cloud-init', '--version'])
      : runCommand(pathOf(IGNITIONS[format]), ['-version']);
  return output.replace(/^.*\//, '').replace(/^(\S+) .*?(\d[\d.]*).*/s, '$1 $2');
}

function pathOf(found: Found): string {
  return 'path' in found ? found.path : '';
}

export interface Host {
  readonly format: Format;
  readonly asked: Asked;
  /** Files to read afterwards. */
  readonly files?: readonly string[];
  readonly handedOver?: string;
  readonly before?: string;
  readonly after?: string;
}

export async function bootOf(code: Checkout, { format, asked, files = [], ...rest }: Host): Promise<Boot> {
  const provisioning = { ...asked.provisioning, format };
  const { text } = await dataOf(code, { ...asked, provisioning });
  return firstBootOn({
    root: pathOf(scratchRoot()),
    text: (disk) => (format === 'cloud-init' ? text.replaceAll(DISK, disk) : replacedIn(text, DISK, disk)),
    asked: [SENTINEL, ...files],
    secret: /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(text)?.[0] ?? 'none',
    ...(format === 'cloud-init' ? {} : { ignition: pathOf(IGNITIONS[format]) }),
    ...(format === 'ignition-2.3' ? { specification: 2 } : {}),
    ...rest,
  });
}

/** Whether the host is a node, and else what failed before that. */
export function outcomeOf({ files, output, calls }: Boot): string {
  if (files.has(SENTINEL)) return 'becomes a node';
  const [said] = /^.*slipway: .* failed/m.exec(output) ?? [];
  const joined = calls.some((call) => call.startsWith('kubeadm ')) ? ', after kubeadm ran' : '';
  return `becomes no node: ${said?.replace(/^.*slipway: /, '') ?? 'nothing says why'}${joined}`;
}

/** Lines of /etc/passwd and similar files, by name; only what the claim decides. */
export function lineOf({ files }: Boot, path: string, name: string): readonly string[] {
  const lines = files.get(path)?.bytes.toString().split('\n') ?? [];
  return lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
}
