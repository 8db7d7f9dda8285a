/** The cases in the order they are run; each looks at the machines as they are. */
import { addOnsCase } from './add-ons.ts';
import { anonymousCase } from './anonymous.ts';
import { authorityCase } from './authority.ts';
import { benchmarkCase } from './benchmark.ts';
import type { Case } from './case.ts';
import { firstBootCase } from './first-boot.ts';
import { hostCase } from './host.ts';
import { joinsCase } from './joins.ts';
import { kubeconfigCase } from './kubeconfig.ts';
import { nodeCase } from './node.ts';
import { providerNodeCase } from './provider-node.ts';
import { rightsCase } from './rights.ts';
import { secretsCase } from './secrets.ts';
import { updatesCase } from './updates.ts';
import { versionCase } from './version.ts';

export const CASES: readonly Case[] = [
  firstBootCase,
  addOnsCase,
  joinsCase,
  hostCase,
  nodeCase,
  authorityCase,
  kubeconfigCase,
  secretsCase,
  versionCase,
  anonymousCase,
  benchmarkCase,
  updatesCase,
  // It takes machines out of the cluster.
  providerNodeCase,
  rightsCase,
];
