/** What people type from habit with kubectl, Helm and others, and what to use here instead. */
import type { Command } from 'commander';
import { nearest } from '#lib/api/nearest.ts';

/** Something of another program that `slipway` has not, or has by another name. */
export interface Habit {
  readonly typed: readonly string[];
  /** What to use: the first is said whose options the command has. */
  readonly instead: readonly Instead[];
}

export interface Instead {
  readonly says: string;
  /** Options of the command that it names. */
  readonly needs?: readonly string[];
}

const CHANGES_NOTHING = 'slipway changes no cluster: kubectl apply does';
const ONE_FORM = 'its output has one form, which --output-file writes to a file';
const OTHERS_READ = 'it reads no cluster: slipway describe --context and slipway plan --context do';

export const OPTION_HABITS: readonly Habit[] = [
  {
    typed: ['-A', '--all-namespaces'],
    instead: [
      { says: 'without --namespace, it looks in all namespaces', needs: ['--show-conditions'] },
      { says: 'files may have claims of any namespace', needs: ['--filename'] },
    ],
  },
  {
    typed: ['-n', '--namespace'],
    instead: [{ says: 'the file of the claim has it, as metadata.namespace', needs: ['--observed-resources'] }],
  },
  {
    typed: ['-k', '--kustomize'],
    instead: [{ says: 'use --filename - and pipe to it what kubectl kustomize prints', needs: ['--filename'] }],
  },
  {
    typed: ['-R', '--recursive'],
    instead: [{ says: 'of a folder its own files are read: give each folder with --filename', needs: ['--filename'] }],
  },
  {
    typed: ['-l', '--selector', '--field-selector'],
    instead: [{ says: 'use --filename - and pipe to it what kubectl get prints', needs: ['--filename'] }],
  },
  {
    typed: ['--set', '--values', '--set-string', '--var', '--var-file', '-var', '-var-file'],
    instead: [{ says: 'a claim is given as a whole: edit its file', needs: ['--filename'] }],
  },
  {
    typed: ['-o', '--output', '--format', '--json', '--yaml', '-json'],
    instead: [
      { says: 'use --output json or --output yaml', needs: ['--output'] },
      { says: `it always prints YAML, which --output-file writes to a file`, needs: ['--observed-resources'] },
      { says: ONE_FORM, needs: ['--output-file'] },
    ],
  },
  {
    typed: ['-out', '--out', '--output-dir', '--out-file', '--outfile'],
    instead: [{ says: 'use --output-file FILE', needs: ['--output-file'] }],
  },
  {
    typed: ['--file', '--files', '--from-file', '--manifest', '--manifests'],
    instead: [
      { says: 'use --filename FILE, or only FILE', needs: ['--filename'] },
      { says: 'the files are arguments: <xr> <composition>', needs: ['--observed-resources'] },
    ],
  },
  {
    typed: ['-f', '--filename'],
    instead: [{ says: 'the files are arguments: <xr> <composition>', needs: ['--observed-resources'] }],
  },
  {
    typed: ['--context', '--kubeconfig', '--kube-context', '--cluster', '--server'],
    instead: [{ says: 'use --context NAME or --kubeconfig FILE', needs: ['--context'] }, { says: OTHERS_READ }],
  },
  {
    typed: ['--token', '--user', '--as', '--insecure-skip-tls-verify'],
    instead: [{ says: 'the kubeconfig has it: use --kubeconfig FILE', needs: ['--kubeconfig'] }, { says: OTHERS_READ }],
  },
  {
    typed: ['--dry-run', '--server-side', '--force', '--yes', '-y', '--auto-approve', '-auto-approve', '--prune'],
    instead: [{ says: CHANGES_NOTHING }],
  },
  {
    typed: ['--destroy', '-destroy'],
    instead: [{ says: 'use --delete KIND/NAME', needs: ['--delete'] }, { says: 'use slipway plan --delete KIND/NAME' }],
  },
  {
    typed: ['--target', '-target', '--only', '--include'],
    instead: [{ says: 'only the files that are given count: give the one', needs: ['--filename'] }],
  },
  {
    typed: ['--timeout', '--wait', '--duration', '--until'],
    instead: [{ says: 'use --for DURATION, of simulated time', needs: ['--for'] }, { says: 'it waits for nothing' }],
  },
  {
    typed: ['-w', '--watch', '--follow'],
    instead: [{ says: 'it looks once: repeat it with watch', needs: ['--context'] }, { says: 'it runs once' }],
  },
  {
    typed: ['-v', '--verbose', '--trace', '--log-level', '--v'],
    instead: [{ says: 'use --debug, which prints the stack trace of an error' }],
  },
  {
    typed: ['-q', '--quiet', '--silent'],
    instead: [{ says: 'notes and progress go to standard error: add 2>/dev/null' }],
  },
  {
    typed: ['--no-color', '-no-color', '--color', '--no-colour', '--colour'],
    instead: [{ says: 'set the variable NO_COLOR=1: without it, a terminal gets colours and a pipe none' }],
  },
];

const PLANS = 'slipway changes no cluster: slipway plan shows what kubectl apply would do';
const SHOWS = 'slipway describe shows an object and what is below it';
const PRINTS = 'slipway render prints what one claim composes';
const JUDGES = 'slipway validate says what is refused';

/** Commands of others. */
export const COMMAND_HABITS: Readonly<Record<string, string>> = {
  ...said(PLANS, 'apply', 'create', 'replace', 'patch', 'install', 'upgrade', 'edit', 'rollout', 'scale'),
  ...said('slipway changes no cluster: slipway plan --delete shows what kubectl delete would do', 'delete', 'destroy'),
  ...said('slipway plan shows what would change', 'diff', 'preview', 'dry-run'),
  ...said(SHOWS, 'get', 'list', 'ls', 'show', 'status', 'tree', 'trace'),
  ...said(PRINTS, 'template', 'build', 'kustomize', 'generate', 'manifest'),
  ...said(JUDGES, 'lint', 'check', 'verify', 'test'),
  ...said('slipway simulate runs claims on a simulated cloud', 'run', 'up', 'start'),
  ...said('slipway functions serves the functions', 'serve', 'server', 'function'),
  ...said(
    'slipway payload shows what a machine runs on its first boot',
    'user-data',
    'userdata',
    'bootstrap',
    'ignition',
  ),
  ...said('slipway help COMMAND shows the options of a command', 'options', 'man', 'usage'),
};

function said(says: string, ...typed: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(typed.map((word) => [word, says]));
}

/** What to use instead of an option; undefined: it is no habit. @param wrote with its value, if any */
export function insteadOf(wrote: string, { options }: Pick<Command, 'options'>): string | undefined {
  const instead = habitOf(flagOf(wrote))?.instead.find(({ needs = [] }) => needs.every((one) => has({ options }, one)));
  return instead?.says;
}

/** The same for an option that is misspelt. */
export function insteadOfNear(wrote: string, command: Pick<Command, 'options'>): string | undefined {
  const meant = nearest(
    flagOf(wrote),
    OPTION_HABITS.flatMap(({ typed }) => typed),
  );
  return meant?.startsWith('--') === true ? insteadOf(meant, command) : undefined;
}

const flagOf = (wrote: string): string => wrote.split('=')[0] ?? wrote;
const habitOf = (flag: string): Habit | undefined => OPTION_HABITS.find(({ typed }) => typed.includes(flag));

/** Of other commands that have the option. */
export function othersWith(wrote: string, command: Command): string | undefined {
  const flag = flagOf(wrote);
  const others = command.parent?.commands.filter((one) => one !== command && has(one, flag)) ?? [];
  return others.length === 0 ? undefined : `it is an option of ${others.map((one) => one.name()).join(', ')}`;
}

/** A long option with one dash, which is read here as several short ones: `-out` is `-o ut`. */
export function isOneDash(word: string): boolean {
  const flag = flagOf(word);
  return /^-[a-z]{2}/.test(flag) && habitOf(flag) !== undefined;
}

function has({ options }: Pick<Command, 'options'>, flag: string): boolean {
  return options.some(({ long, short }) => long === flag || short === flag);
}
