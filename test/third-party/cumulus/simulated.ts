/** Cumulus in the simulator. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import type { CloudModel } from '#simulator/cloud/machine.ts';

/** The first bytes of a certificate in PEM, in base64. */
const AUTHORITY = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t';

const kind = (own: Pick<CloudKind, 'kind'> & Partial<CloudKind>): CloudKind => ({
  apiVersion: 'compute.cumulus.example/v1',
  title: `Cumulus ${own.kind}`,
  idPrefix: `${own.kind.toLowerCase()}-`,
  arn: (id) => `cumulus:${id}`,
  seconds: { create: [1, 3], update: [1, 3], delete: [1, 3] },
  forceNew: [],
  references: {},
  ...own,
});

const INSTANCE = kind({
  kind: 'Instance',
  references: { portId: 'Port' },
  forceNew: ['image'],
  hidden: ['userData'],
  created: ({ attributes, find }) => ({
    outputs: {
      state: 'running',
      // The machine knows its address; the provider reports it on the port only.
      seen: stringAt(find(stringAt(attributes, 'portId') ?? '')?.outputs, 'address') ?? '',
    },
  }),
  during: (changed) => (changed.includes('deletion') || changed.includes('size') ? { state: 'stopped' } : undefined),
});

export const CUMULUS: CloudModel = {
  name: 'cumulus',
  kinds: [
    kind({ kind: 'Network', blockedBy: { Port: ['networkId'] } }),
    kind({
      kind: 'Balancer',
      references: { networkId: 'Network' },
      created: ({ name }) => ({ outputs: { host: `${name}.cumulus.example` } }),
    }),
    kind({
      kind: 'ControlPlane',
      created: ({ name, attributes }) => ({
        outputs: {
          host: `${name}.cumulus.example`,
          version: stringAt(attributes, 'version') ?? '',
          authority: AUTHORITY,
        },
      }),
    }),
    kind({
      kind: 'Port',
      blockedBy: { Instance: ['portId'] },
      created: ({ id, dice }) => ({ outputs: { address: `10.9.0.${1 + Math.floor(dice.roll('address', id) * 250)}` } }),
    }),
    INSTANCE,
  ],
  machine: ({ kind, id, owner, attributes, outputs }) =>
    kind === INSTANCE
      ? {
          id,
          owner,
          kind: kind.kind,
          apiVersion: kind.apiVersion,
          zone: '',
          address: stringAt(outputs, 'seen') ?? '',
          running: stringAt(outputs, 'state') === 'running',
          userData: stringAt(attributes, 'userData'),
          image: stringAt(attributes, 'image'),
          providerID: `cumulus://acme/${owner.name}`,
        }
      : undefined,
  behind: (host, _port, things) => {
    const balancer = things.find((thing) => thing.kind.kind === 'Balancer' && thing.outputs['host'] === host);
    if (balancer === undefined) return undefined;
    return things
      .filter((thing) => thing.kind === INSTANCE && thing.attributes['serves'] === balancer.owner.name)
      .map(({ id }) => id)
      .toSorted();
  },
  readSecret: () => ({ refused: 'Cumulus has no secrets' }),
  deletedSecret: () => [],
};
