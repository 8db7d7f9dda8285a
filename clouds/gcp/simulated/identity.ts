/** Service accounts and the roles of a project. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { gcpKind, PROJECT } from './kind.ts';

export const accountEmail = (id: string): string => `${id}@${PROJECT}.iam.gserviceaccount.com`;

/** Google grants a role at once, and says that it counts after two minutes, or seven. */
const COUNTS = { create: [80, 200], update: [5, 20], delete: [5, 20] } as const;

const MEMBER = /^serviceAccount:([^@]+)@/;

/** A role for an account that does not exist is refused; a new account is known everywhere only after a while. */
const refuses: CloudKind['refuses'] = (attributes, find) => {
  const member = stringAt(attributes, 'member') ?? '';
  const account = find(MEMBER.exec(member)?.[1] ?? '');
  return account?.kind.kind === 'ServiceAccount'
    ? undefined
    : `googleapi: Error 400: Service account ${member.replace('serviceAccount:', '')} does not exist.`;
};

export const IDENTITY: readonly CloudKind[] = [
  gcpKind('cloudplatform', {
    kind: 'ServiceAccount',
    title: 'ServiceAccount',
    path: (name) => `serviceAccounts/${accountEmail(name)}`,
    seconds: { create: [8, 20], update: [2, 5], delete: [2, 5] },
    created: ({ id }) => ({
      outputs: { email: accountEmail(id), member: `serviceAccount:${accountEmail(id)}` },
    }),
  }),
  gcpKind('cloudplatform', {
    kind: 'ProjectIAMMember',
    title: 'ProjectIAMMember',
    idPrefix: 'member-',
    path: (name) => `members/${name}`,
    seconds: COUNTS,
    forceNew: ['condition', 'member', 'project', 'role'],
    refuses,
  }),
  gcpKind('cloudplatform', {
    kind: 'ServiceAccountIAMMember',
    title: 'ServiceAccountIAMMember',
    idPrefix: 'member-',
    path: (name) => `members/${name}`,
    seconds: COUNTS,
    forceNew: ['condition', 'member', 'role', 'serviceAccountId'],
    references: { serviceAccountId: 'ServiceAccount' },
    refuses,
  }),
];
