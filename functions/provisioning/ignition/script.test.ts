/** The script as hosts with Ignition run it, with fake programs: it asks EC2 for the data of the instance. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EC2_METADATA_SERVICE } from '#clouds/aws/metadata-service.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { NO_VALUES } from '#lib/fn/secret-values.ts';
import { filled } from '../filled.ts';
import { StandIns } from '../../../test/support/stand-ins.ts';
import { aPlan, aPlanFile } from '../plan.fixture.ts';
import { shellLookup } from '../metadata.ts';
import { script } from '../script.ts';

const LOOKUP = shellLookup(EC2_METADATA_SERVICE);

let host: StandIns;
const at = (...parts: readonly string[]): string => host.at(...parts);

/** Requires a session token, and answers only requests that have it. */
const SERVICE = `
echo "curl $*" >>"$LOG"
case "$*" in
  *"$FAIL"*) [ -z "$FAIL" ] || exit 22 ;;
esac
case "$*" in
  *PUT*/latest/api/token) printf 'fake-token' ;;
  *'X-aws-ec2-metadata-token: fake-token'*/meta-data/instance-id) printf 'i-0a' ;;
  *'X-aws-ec2-metadata-token: fake-token'*/meta-data/placement/availability-zone) printf 'eu-west-1a' ;;
  *) exit 22 ;;
esac`;

beforeEach(() => {
  host = new StandIns();
  host.program('curl', SERVICE);
  host.programs('swapon', 'modprobe', 'systemctl', 'join');
});

afterEach(() => host.remove());

/** @param fail  text in the call that fails */
function boot(fail = '') {
  const config = at('join.yaml');
  writeFileSync(config, 'provider-id: aws:///${failureDomain}/${instanceId}\n');
  const plan = aPlan({
    files: [aPlanFile(config, readFileSync(config), { instanceVariables: true })],
    units: [{ name: 'a.service', contents: '[Service]\n', enabled: true }],
    commands: { pre: [], bootstrap: ['join cluster', `cp ${config} ${at('seen')}`], post: [] },
    removeAfterBootstrap: [config],
    sentinel: at('var/done'),
  });
  const customisation = filled(Provisioning.parse({ kernelModules: ['nf_conntrack'] }), NO_VALUES);
  const settings = [{ field: 'swap', command: 'swapon --show' }];
  const { status, stderr } = host.run(script({ plan, customisation, owner: 'it' }, LOOKUP, { settings }), {
    FAIL: fail,
  });
  const { log } = host;
  return {
    status,
    stderr,
    asked: log.filter((line) => line.startsWith('curl ')).length,
    ran: log.filter((line) => !line.startsWith('curl ')),
    done: existsSync(at('var/done')),
  };
}

const ORDER = [
  'modprobe nf_conntrack',
  'swapon --show',
  'systemctl daemon-reload',
  'systemctl enable --now a.service',
  'join cluster',
];

describe('the script on an Ignition host', () => {
  test('sets the values from EC2, runs everything in its order, and reports success last', () => {
    expect(boot()).toEqual({ status: 0, stderr: '', asked: 4, ran: ORDER, done: true });
    expect(readFileSync(at('seen'), 'utf8')).toBe('provider-id: aws:///eu-west-1a/i-0a\n');
    expect(existsSync(at('join.yaml'))).toBe(false);
  });

  test.for([
    { fail: '/api/token', name: 'metadata instance-id' },
    { fail: 'meta-data/instance-id', name: 'metadata instance-id' },
    { fail: 'availability-zone', name: 'metadata placement/availability-zone' },
  ])('runs nothing when EC2 does not answer $fail', ({ fail, name }) => {
    const { status, stderr, ran, done } = boot(fail);
    expect({ ok: status === 0, ran, done }).toEqual({ ok: false, ran: [], done: false });
    expect(stderr).toBe(`slipway: ${name}: no usable value\n`);
  });

  test.for([
    { fail: 'modprobe', name: 'kernelModules[0]', ran: 1 },
    { fail: 'swapon', name: 'swap', ran: 2 },
    { fail: 'enable', name: 'kubeadm units[0]', ran: 4 },
    { fail: 'join', name: 'kubeadm bootstrap[0]', ran: 5 },
  ])('stops at $name, and never reports success', ({ fail, name, ran }) => {
    expect(boot(fail)).toMatchObject({ status: 7, ran: ORDER.slice(0, ran), done: false });
    expect(boot(fail).stderr).toBe(`slipway: ${name} failed with exit code 7\n`);
  });
});
