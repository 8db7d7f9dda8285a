/** The script is run, not parsed: in a folder of its own, with fake programs that log their calls. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { NO_VALUES } from '#lib/fn/secret-values.ts';
import { filled } from './filled.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { StandIns } from '../../test/support/stand-ins.ts';
import { CLOUD_INIT_QUERY } from './cloud-init/query.ts';
import { aPlan, aPlanFile } from './plan.fixture.ts';
import { script } from './script.ts';

let host: StandIns;
const at = (...parts: readonly string[]): string => host.at(...parts);

beforeEach(() => {
  host = new StandIns();
  host.programs('modprobe', 'sysctl', 'systemctl', 'kubeadm', 'step');
  host.program('cloud-init', 'case "$2" in v1.instance_id) printf %s "$ID" ;; *) printf %s "$ZONE" ;; esac');
});

afterEach(() => host.remove());

const SECRET = 'hunter2';

function everything(): Partial<ScriptedPlan> {
  writeFileSync(at('kubeadm.yaml'), 'token and ${instanceId} in ${failureDomain} and ${instanceId} for $5 \\1 &\n');
  writeFileSync(at('other.yaml'), '${instanceId}\n');
  return {
    files: [
      aPlanFile(at('kubeadm.yaml'), readFileSync(at('kubeadm.yaml')), { instanceVariables: true }),
      aPlanFile(at('other.yaml'), readFileSync(at('other.yaml'))),
    ],
    units: [
      { name: 'a.service', contents: '[Service]\n', enabled: true },
      { name: 'b.service', contents: '[Service]\n', enabled: false },
    ],
    commands: {
      pre: [`step plan pre ${SECRET}`],
      bootstrap: [`kubeadm join --config ${at('kubeadm.yaml')}`, `cp ${at('kubeadm.yaml')} ${at('seen')}`],
      post: [`test ! -e ${at('kubeadm.yaml')}`, 'step plan post'],
    },
    removeAfterBootstrap: [at('kubeadm.yaml')],
  };
}

const CLAIMED: JsonObject = {
  kernelModules: ['nf_conntrack'],
  sysctls: { 'vm.swappiness': '1' },
  commands: { pre: ['step claim pre'], post: ['step claim post'] },
};

interface Run {
  readonly status: number | null;
  readonly stderr: string;
  readonly log: readonly string[];
  readonly done: boolean;
}

interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly path?: string;
}

function runScript(plan: Partial<ScriptedPlan>, claimed: JsonObject = {}, { env, path }: Circumstances = {}): Run {
  const sentinel = at('var/done');
  const order = {
    plan: aPlan({ sentinel, ...plan }),
    customisation: filled(Provisioning.parse(claimed), NO_VALUES),
    owner: 'it',
  };
  const text = script(order, CLOUD_INIT_QUERY);
  const { status, stderr } = host.run(text, { ID: 'i-0a', ZONE: 'eu-west-1a', ...env }, path);
  return { status, stderr, log: host.log, done: existsSync(sentinel) };
}

const ORDER = (): readonly string[] => [
  'modprobe nf_conntrack',
  'sysctl -q -p /etc/sysctl.d/90-slipway.conf',
  'systemctl daemon-reload',
  'systemctl enable --now a.service',
  'step claim pre',
  `step plan pre ${SECRET}`,
  `kubeadm join --config ${at('kubeadm.yaml')}`,
  'step plan post',
  'step claim post',
];

describe('a first boot that succeeds', () => {
  test('runs everything in its order, and reports success last', () => {
    const { status, stderr, log, done } = runScript(everything(), CLAIMED);
    expect({ status, stderr, log, done }).toEqual({ status: 0, stderr: '', log: ORDER(), done: true });
  });

  test('sets the values that only the machine knows, before any command, in the files that use them', () => {
    runScript(everything(), CLAIMED);
    expect(readFileSync(at('seen'), 'utf8')).toBe('token and i-0a in eu-west-1a and i-0a for $5 \\1 &\n');
    expect(readFileSync(at('other.yaml'), 'utf8')).toBe('${instanceId}\n');
  });

  test('removes files with join secrets', () => {
    runScript(everything(), CLAIMED);
    expect(existsSync(at('kubeadm.yaml'))).toBe(false);
  });

  test('is not repeated', () => {
    const plan = everything();
    runScript(plan, CLAIMED);
    const again = runScript(plan, CLAIMED);
    expect(again.status).toBe(0);
    expect(again.log).toEqual(ORDER());
  });
});

describe('units of a claim', () => {
  const dropIns = [{ name: '20-fake.conf', contents: '[Service]\n' }];
  const units = [
    { name: 'a.service', dropIns, enabled: true },
    { name: 'b@.service', dropIns },
    { name: 'c.timer', contents: '[Timer]\n', enabled: true },
  ];

  test('are started before any command; one that runs already is reloaded for its drop-ins', () => {
    const { log } = runScript({}, { units, commands: { pre: ['step claim pre'] } });
    expect(log).toEqual([
      'systemctl daemon-reload',
      'systemctl try-restart a.service',
      'systemctl enable --now a.service',
      'systemctl enable --now c.timer',
      'step claim pre',
      'kubeadm join --config /etc/kubernetes/kubeadm.yaml',
    ]);
  });

  test('stop everything when they do not start, and are reported by their index in the claim', () => {
    const { stderr, done } = runScript({}, { units }, { env: { FAIL: 'c.timer' } });
    expect({ stderr, done }).toEqual({ stderr: 'slipway: units[2] failed with exit code 7\n', done: false });
  });
});

test('every command has the proxy, and the addresses that the cluster reaches without it', () => {
  const commands = { pre: [`echo "$https_proxy $NO_PROXY" >>${at('log')}`] };
  const { log } = runScript(
    { noProxy: ['10.244.0.0/16'] },
    { proxy: { https: 'http://proxy.example.com:3128', none: ['.internal'] }, commands },
  );
  expect(log[0]).toMatch(/^http:\/\/proxy\.example\.com:3128 localhost,.*,10\.244\.0\.0\/16,\.internal$/);
});

describe('a first boot that fails', () => {
  const STEPS = [
    { fail: 'nf_conntrack', name: 'kernelModules[0]', ran: 1 },
    { fail: '-q -p', name: 'sysctls', ran: 2 },
    { fail: 'daemon-reload', name: 'kubeadm units', ran: 3 },
    { fail: 'a.service', name: 'kubeadm units[0]', ran: 4 },
    { fail: 'claim pre', name: 'commands.pre[0]', ran: 5 },
    { fail: 'plan pre', name: 'kubeadm pre[0]', ran: 6 },
    { fail: 'join', name: 'kubeadm bootstrap[0]', ran: 7 },
    { fail: 'plan post', name: 'kubeadm post[1]', ran: 8 },
    { fail: 'claim post', name: 'commands.post[0]', ran: 9 },
  ];

  test.for(STEPS)('at $name runs nothing after it, and never reports success', ({ fail, name, ran }) => {
    const { status, stderr, log, done } = runScript(everything(), CLAIMED, { env: { FAIL: fail } });
    expect({ status, done, log }).toEqual({ status: 7, done: false, log: ORDER().slice(0, ran) });
    expect(stderr, 'by its index, because its text may be a secret').toBe(`slipway: ${name} failed with exit code 7\n`);
  });

  test('before the host is a node keeps the join secrets, so that it can be run again', () => {
    const plan = everything();
    runScript(plan, CLAIMED, { env: { FAIL: 'join' } });
    expect(existsSync(at('kubeadm.yaml'))).toBe(true);
    expect(runScript(plan, CLAIMED)).toMatchObject({ status: 0, done: true });
  });

  test.for(STEPS.slice(-3))('at $name goes on there when it is run again, and repeats nothing', ({ fail, ran }) => {
    const plan = everything();
    runScript(plan, CLAIMED, { env: { FAIL: fail } });
    const again = runScript(plan, CLAIMED);
    expect(again).toMatchObject({ status: 0, stderr: '', done: true });
    const isNode = fail !== 'join';
    const repeated = isNode ? ORDER().slice(ran - 1) : ORDER();
    expect(again.log.slice(ran), 'a node cannot join again').toEqual(repeated);
  });

  test.for([
    { name: 'a failure in the middle of a pipeline', command: 'false | step after' },
    { name: 'a failure in the middle of a line', command: 'false; step after' },
    { name: 'a failure in one of several lines', command: 'true\nfalse\nstep after' },
    { name: 'a missing program', command: 'no-such-program' },
    { name: 'a syntax error', command: 'if then' },
    { name: 'an exit', command: 'exit 3' },
  ])('$name stops the commands of the claim', ({ command }) => {
    const { status, done, log } = runScript({}, { commands: { pre: [command] } });
    expect(status).not.toBe(0);
    expect(done).toBe(false);
    expect(log.filter((line) => line.startsWith('kubeadm'))).toEqual([]);
  });

  test('a command cannot change the shell of the next one', () => {
    const pre = ['cd /; set +e; trap "exit 0" EXIT; PATH=/nowhere; step() { :; }', 'step next'];
    expect(runScript({}, { commands: { pre } })).toMatchObject({ status: 0, done: true });
    expect(runScript({ sentinel: at('var/other') }, { commands: { pre: ['set +e', 'false'] } }).status).toBe(1);
  });

  test.for([
    { name: 'nothing', env: { ID: '' } },
    { name: 'the value for missing data', env: { ZONE: 'None' } },
    { name: 'shell', env: { ID: 'i-0; step hacked' } },
    { name: 'a value with a line break', env: { ID: 'i-0\ni-1' } },
    { name: 'a value with characters special to sed', env: { ZONE: 'a|b' } },
  ])('happens when cloud-init gives $name, before any command is run', ({ env }) => {
    const { status, stderr, log, done } = runScript(everything(), CLAIMED, { env });
    expect({ status, done, log }).toEqual({ status: 1, done: false, log: [] });
    expect(stderr).toMatch(/^slipway: cloud-init query v1\.[a-z_]+: no usable value\n$/);
  });
});

test('works in an image without bash', () => {
  for (const name of ['sh', 'sed', 'rm', 'mkdir', 'cp', 'test', 'cat', 'mv'])
    symlinkSync(`/bin/${name}`, at('bin', name));
  const { status, log, done } = runScript(everything(), CLAIMED, { path: at('bin') });
  expect({ status, log, done }).toEqual({ status: 0, log: ORDER(), done: true });
  expect(runScript({ sentinel: at('x/y') }, { commands: { pre: ['false\ntrue'] } }, { path: at('bin') }).status).toBe(
    1,
  );
});

test('the shell gets exactly the text of a command', () => {
  host.program('bash', `printf %s "$5" >${at('command')}`);
  const parts = fc.constantFrom(
    "'",
    '"',
    '$(step)',
    '`step`',
    '\\',
    '\n',
    ' ',
    '%s',
    '!',
    '{{ v }}',
    'ä',
    '😀',
    '-',
    '#',
    '~',
    '*',
  );
  const command = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.array(parts, { minLength: 1 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(command, (text) => {
      fc.pre(!text.includes('\0'));
      rmSync(at('command'), { force: true });
      rmSync(at('var'), { recursive: true, force: true });
      const { status } = runScript({ commands: { pre: [], bootstrap: [text], post: [] } });
      expect(status).toBe(0);
      expect(readFileSync(at('command'), 'utf8')).toBe(text);
    }),
    { numRuns: 100 },
  );
});
