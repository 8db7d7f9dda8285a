/** The virtual address of docs/clouds/existing.md: its commands run in a folder, on each kind of machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { NO_VALUES } from '#lib/fn/secret-values.ts';
import { CLOUD_INIT_QUERY } from '../../functions/provisioning/cloud-init/query.ts';
import { filled } from '../../functions/provisioning/filled.ts';
import { aPlan } from '../../functions/provisioning/plan.fixture.ts';
import { script } from '../../functions/provisioning/script.ts';
import { StandIns } from '../support/stand-ins.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/clouds/existing/kube-vip.yaml');
const { spec } = parse(readFileSync(EXAMPLE, 'utf8')) as { spec: { provisioning: object } };

let host: StandIns;
beforeEach(() => {
  host = new StandIns();
});
afterEach(() => host.remove());

/** @param fail  whether kubeadm fails, so that what came before it can be seen */
function boot(action: 'Init' | 'Join', isControlPlane: boolean, fail: boolean): string | undefined {
  const claimed = filled(Provisioning.parse(spec.provisioning), NO_VALUES);
  const here = (text: string): string =>
    text.replaceAll(/\/etc\/(kubernetes\/pki|kubernetes\/manifests|kube-vip)/g, (path) => host.at(path));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(here(path)), { recursive: true });
    writeFileSync(here(path), text);
  };
  for (const { path, content } of claimed.files) put(path, content);
  if (isControlPlane) put('/etc/kubernetes/pki/ca.key', 'fake');
  host.program('kubeadm', fail ? 'exit 1' : 'true');
  const { pre, post } = claimed.commands;
  const commands = { ...claimed.commands, pre: pre.map(here), post: post.map(here) };
  const plan = aPlan({ sentinel: host.at('var/done') });
  const customisation = { ...claimed, files: [], commands };
  const { status, stderr } = host.run(script({ plan, customisation, action, owner: 'it' }, CLOUD_INIT_QUERY));
  expect({ status, stderr }).toEqual(
    fail ? { status: 1, stderr: 'slipway: kubeadm bootstrap[0] failed with exit code 1\n' } : { status: 0, stderr: '' },
  );
  const manifest = here('/etc/kubernetes/manifests/kube-vip.yaml');
  if (!existsSync(manifest)) return undefined;
  const pod = parse(readFileSync(manifest, 'utf8')) as { spec: { volumes: { hostPath: { path: string } }[] } };
  return pod.spec.volumes[0]?.hostPath.path;
}

test('the machine that starts the cluster announces the address before its API answers, with rights in it', () => {
  expect(boot('Init', true, true)).toBe('/etc/kubernetes/super-admin.conf');
});

test('once it is a node, it has no more rights than the others', () => {
  expect(boot('Init', true, false)).toBe('/etc/kubernetes/admin.conf');
});

test.for([true, false])('a control plane that joins announces it: before kubeadm %s', (fail) => {
  expect(boot('Join', true, fail)).toBe('/etc/kubernetes/admin.conf');
});

test('a worker announces nothing', () => {
  expect(boot('Join', false, false)).toBeUndefined();
});
