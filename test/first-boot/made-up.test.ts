/** A new bootstrapper and a new provisioner need only a folder each and a line in a registry each. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { BootstrapperTable, ProvisionerTraits } from '#lib/cloud/traits.ts';
import { matrix } from '../../cli/matrix/matrix.ts';
import type { Bootstrapper } from '../../functions/bootstrap/bootstrapper.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { BOOTSTRAPPER_TABLES } from '../../functions/bootstrap/traits.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import type { Provisioner } from '../../functions/provisioning/provisioner.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { PROVISIONER_TRAITS } from '../../functions/provisioning/traits.ts';
import { aCluster, aMachine } from '../support/claims.ts';
import { aRequest, aWorld } from '../support/request.ts';

const madeUp: Bootstrapper = {
  config: { schema: z.strictObject({}), about: 'None.', ofTheCluster: [] },
  forCluster: () => Promise.resolve(),
  forMachine: ({ composite }): ScriptedPlan => ({
    contract: 1,
    kind: 'scripted',
    provider: 'made-up',
    nodeName: composite.metadata.name,
    files: [],
    units: [],
    commands: { pre: [], bootstrap: ['made-up join'], post: [] },
    sentinel: '/var/lib/made-up',
    removeAfterBootstrap: [],
  }),
};

const LINES = {
  payload: 'lines',
  contentType: 'text/plain',
  fetchedWhole: false,
  joinSecrets: true,
  expresses: { takes: ['scripted'], limits: { users: 'users of the image' } },
} as const satisfies ProvisionerTraits;

const lines: Provisioner<'scripted'> = {
  ...LINES.expresses,
  render: ({ plan }) => ({
    contract: 1,
    format: 'lines',
    contentType: 'text/plain',
    value: Buffer.from(plan.commands.bootstrap.join('\n')).toString('base64'),
    gzip: false,
  }),
};

const providers = BOOTSTRAPPERS as Record<string, Bootstrapper>;
const tables = BOOTSTRAPPER_TABLES as Record<string, BootstrapperTable>;
const formats = PROVISIONERS as Record<string, Provisioner>;
const traits = PROVISIONER_TRAITS as Record<string, ProvisionerTraits>;

beforeAll(() => {
  providers['made-up'] = madeUp;
  tables['made-up'] = { plan: { kind: 'scripted' }, hasShell: true, updatesKubernetes: false };
  formats['lines'] = lines as Provisioner;
  traits['lines'] = LINES;
});

afterAll(() => {
  delete providers['made-up'];
  delete tables['made-up'];
  delete formats['lines'];
  delete traits['lines'];
});

async function rendered(provider: string, format: string, customisation: object = {}): Promise<string> {
  const machine = aMachine({
    spec: {
      role: 'worker',
      bootstrap: { provider, action: 'Join', config: {} },
      provisioning: { format, ...customisation },
    },
  });
  const planned = (
    await bootstrap(aRequest({ composite: machine, required: { cluster: [aCluster()] } }), aWorld())
  ).build();
  const reply = (await provisioning(aRequest({ composite: machine, context: planned.context }), aWorld())).build();
  return Buffer.from(stringAt(reply.context[CONTEXT.payload], 'value') ?? '', 'base64').toString();
}

test('a made-up bootstrapper works with every format for its kind of plan, including the made-up format', async () => {
  expect(await rendered('made-up', 'lines')).toBe('made-up join');
  expect(await rendered('made-up', 'cloud-init')).toContain('made-up join');
});

test('what the made-up format cannot express is refused by its table alone', async () => {
  await expect(rendered('made-up', 'lines', { users: [{ name: 'ops' }] })).rejects.toThrow(
    /spec\.provisioning\.users: lines cannot express it; accepted: users of the image$/,
  );
});

test('the matrix has both', () => {
  const { rows, formats: columns } = matrix();
  expect(columns).toContain('lines');
  expect(rows.find(({ provider }) => provider === 'made-up')?.fits).toMatchObject({ lines: 'limits' });
  expect(rows.find(({ provider }) => provider === 'kubeadm')?.fits).toMatchObject({ lines: 'limits' });
});
